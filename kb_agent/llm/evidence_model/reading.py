"""Reads back from the messages what was asked and what the tools have found so far.

Tools write a place as a head line and numbered lines; every line of code starts with its number,
so that nothing written in a repository can look like a head line:

    [e1] bank/loans/rate.py lines 28-45 `rate_for`
    matched: word 利率 = rate; symbol rates = rate_for
    28: LOWEST = 3
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kb_agent.llm.protocol import Message

_HEAD = re.compile(r"^\[(e\d+)\] ([^/\s]+)/(.+) lines (\d+)-(\d+)(?: `(.+)`)?$")
_LINE = re.compile(r"^(\d+): ?(.*)$")
_MATCHED = "matched: "
_MATCH = re.compile(r"^(word|symbol|path|vocabulary) (.+) = (.+)$")
_ROUTING = re.compile(r"^lands in: (\S+), certainty (high|medium|low)(?:, because (.*))?$")
_RUNNER_UP = re.compile(r"^next to it: (\S+)$")
_TRIED = re.compile(r"^tried: (.*)$")
_DOUBT = re.compile(r"^not found here: ")


FAILED = "The tool failed"

# What the tape itself tells a model stands between the asker's words, in their role.
_NOTE = re.compile(r"\[(?:recall_anchor|brain_overload|mark/[^\]]*|correction of entry \d+)\] ")
_RECALLED = re.compile(r"^Last question: (.+)$", re.MULTILINE)


@dataclass(frozen=True)
class Match:
    """Why a place was found: a word of the question and the code's own word for it."""

    kind: str
    query: str
    code: str


@dataclass
class Place:
    """One citable place as a tool showed it; `lines` holds text by line number."""

    id: str
    repository: str
    path: str
    start: int
    end: int
    symbol: str = ""
    matches: list[Match] = field(default_factory=list)
    lines: dict[int, str] = field(default_factory=dict)


@dataclass
class Search:
    """One search: its query, where it lands, and its places, best first."""

    query: str
    places: list[Place] = field(default_factory=list)
    repository: str = ""
    certainty: str = ""
    reasons: list[Match] = field(default_factory=list)
    runner_up: str = ""
    tried: str = ""
    doubtful: bool = False
    """The search itself took what it found for no answer."""
    failed: bool = False
    """The tool broke: nothing is known of what it would have found."""


@dataclass
class Reading:
    """What the messages tell: the question in hand, the one before it, and all findings."""

    asked: list[str] = field(default_factory=list)
    """The question, and what the asker added while it was being answered."""
    earlier: str = ""
    searches: list[Search] = field(default_factory=list)
    reads: list[Place] = field(default_factory=list)
    has_read: bool = False
    """Places were opened since the last search, whether or not that worked."""

    looked_up: dict[str, list[Place]] = field(default_factory=dict)
    """Names that were looked up, with the places that define or use them."""

    @property
    def question(self) -> str:
        """All that was asked in this turn."""
        return "\n".join(self.asked)


def read(messages: Sequence[Message]) -> Reading:
    """The state of the turn in hand, which begins after the last finished answer."""
    start = _turn_start(messages)
    reading = Reading(earlier=_last_question(messages[:start]) or _recalled(messages))
    calls: dict[str, tuple[str, str]] = {}
    for message in messages[start:]:
        if _is_asked(message):
            reading.asked.append(_text(message).strip())
        for call in message.get("tool_calls") or []:
            function = call["function"]
            calls[call["id"]] = (function["name"], function["arguments"])
        if message["role"] == "tool":
            _take_result(reading, *calls.get(message["tool_call_id"], ("", "")), _text(message))
    return reading


def _turn_start(messages: Sequence[Message]) -> int:
    for index in range(len(messages) - 1, -1, -1):
        message = messages[index]
        if message["role"] == "assistant" and not message.get("tool_calls"):
            return index + 1
    return 0


def _last_question(messages: Sequence[Message]) -> str:
    asked = [_text(message) for message in messages if _is_asked(message)]
    return asked[-1] if asked else ""


def _recalled(messages: Sequence[Message]) -> str:
    """The last question of the topic that this one continues."""
    notes = (_text(message) for message in messages if _is_note(message))
    found = [question[1] for note in notes if (question := _RECALLED.search(note))]
    return found[-1] if found else ""


def _is_asked(message: Message) -> bool:
    return message["role"] == "user" and not _is_note(message)


def _is_note(message: Message) -> bool:
    return message["role"] == "user" and _NOTE.match(_text(message)) is not None


def _text(message: Message) -> str:
    content = message.get("content") or ""
    if isinstance(content, str):
        return content
    return "\n".join(part.get("text", "") for part in content)


def _take_result(reading: Reading, name: str, arguments: str, content: str) -> None:
    if name == "search_code":
        search = Search(query=_argument(arguments, "query"))
        _take_routing(search, content)
        search.places = places(content)
        search.failed = content.startswith(FAILED)
        reading.searches.append(search)
        reading.has_read = False
    elif name == "read_lines":
        reading.has_read = True
        reading.reads.extend(places(content))
    elif name == "find_symbol":
        reading.looked_up[_argument(arguments, "name")] = places(content)


def _argument(arguments: str, name: str) -> str:
    try:
        values = json.loads(arguments)
    except json.JSONDecodeError:
        return ""
    return str(values.get(name, "")) if isinstance(values, dict) else ""


def _take_routing(search: Search, content: str) -> None:
    for line in content.split("\n"):
        if found := _ROUTING.match(line):
            search.repository, search.certainty = found[1], found[2]
            search.reasons = _matches(found[3] or "")
        elif found := _RUNNER_UP.match(line):
            search.runner_up = found[1]
        elif found := _TRIED.match(line):
            search.tried = found[1]
        elif _DOUBT.match(line):
            search.doubtful = True


def places(content: str) -> list[Place]:
    """Every place a tool's text shows, in its order."""
    found: list[Place] = []
    for line in content.split("\n"):
        if head := _HEAD.match(line):
            found.append(
                Place(head[1], head[2], head[3], int(head[4]), int(head[5]), head[6] or "")
            )
        elif found and line.startswith(_MATCHED):
            found[-1].matches = _matches(line.removeprefix(_MATCHED))
        elif found and (numbered := _LINE.match(line)):
            found[-1].lines[int(numbered[1])] = numbered[2]
    return found


def _matches(text: str) -> list[Match]:
    parts = (_MATCH.match(part) for part in text.split("; "))
    return [Match(part[1], part[2], part[3]) for part in parts if part]
