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

from kb_agent.llm.evidence_model import asking_back, facts, places, recalled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kb_agent.llm.evidence_model.facts import Fact
    from kb_agent.llm.evidence_model.places import Match, Place
    from kb_agent.llm.protocol import Message

_ROUTING = re.compile(r"^lands in: (\S+), certainty (high|medium|low)(?:, because (.*))?$")
_RUNNER_UP = re.compile(r"^next to it: (\S+)$")
_TIED = "both fit equally well: "
_ABOUT = re.compile(r"^about (\S+): (.+)$")
_TRIED = re.compile(r"^tried: (.*)$")
_DOUBT = re.compile(r"^not found here: ")

FAILED = "The tool failed"

# What the tape itself tells a model stands between the asker's words, in their role.
_NOTE = re.compile(r"\[(?:recall_anchor|brain_overload|mark/[^\]]*|correction of entry \d+)\] ")
_NAMED = re.compile(r"^Named: (.+)$", re.MULTILINE)
_RECALLED = re.compile(r"^Last question: (.+)$", re.MULTILINE)


@dataclass
class Search:
    """One search: its wordings, where it lands, and its places, best first."""

    query: str
    places: list[Place] = field(default_factory=list)
    repository: str = ""
    certainty: str = ""
    reasons: list[Match] = field(default_factory=list)
    runner_up: str = ""
    tied: bool = False
    """Two systems fit equally well."""
    about: dict[str, str] = field(default_factory=dict)
    """What the owners of the systems named say of them."""
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
    repository: str = ""
    """The system that the asker has chosen when asked back."""
    choice_made: bool = False
    """The asker was asked back and has answered: it is not asked again."""
    searches: list[Search] = field(default_factory=list)
    reads: list[Place] = field(default_factory=list)
    rounds: int = 0
    """Steps since the last search in which places were opened, whether or not that worked."""
    looked_up: dict[str, list[Place]] = field(default_factory=dict)
    """Names that were looked up, with the places that define or use them."""
    facts: list[Fact] = field(default_factory=list)
    """Accepted facts noted in this turn, or looked up."""
    recalled: list[str] = field(default_factory=list)
    """Earlier topics recalled in this turn, the nearest first."""

    @property
    def question(self) -> str:
        """All that was asked in this turn."""
        return "\n".join(self.asked)


def read(messages: Sequence[Message]) -> Reading:
    """The state of the turn in hand, which begins after the last finished answer."""
    start = _turn_start(messages)
    reading = Reading(earlier=_last_question(messages[:start]) or _recalled(messages))
    calls: dict[str, tuple[str, str]] = {}
    names = _named(messages)
    for message in messages[start:]:
        if _is_asked(message):
            reading.asked.append(_without(names, _text(message)))
        elif _is_note(message):
            reading.facts.extend(facts.read(_text(message)))
            reading.recalled.extend(recalled.read(_text(message)))
        called = message.get("tool_calls") or []
        for call in called:
            function = call["function"]
            calls[call["id"]] = (function["name"], function["arguments"])
        reading.rounds += any(call["function"]["name"] == "read_lines" for call in called)
        if message["role"] == "tool":
            _take_result(reading, *calls.get(message["tool_call_id"], ("", "")), _text(message))
    _take_choice(reading, _text(messages[start - 1]) if start else "")
    return reading


def _take_choice(reading: Reading, last_answer: str) -> None:
    """Go on with the question that was asked back about, in the system that was chosen."""
    offered = asking_back.offered(last_answer)
    if not offered or not reading.asked or not reading.earlier:
        return
    choice = asking_back.chosen(reading.asked[0], offered)
    if choice is None:
        return
    reading.repository, reading.choice_made = choice.repository, True
    reading.asked[0] = f"{reading.earlier} {choice.rest}".strip()
    reading.earlier = ""


def _turn_start(messages: Sequence[Message]) -> int:
    for index in range(len(messages) - 1, -1, -1):
        message = messages[index]
        if message["role"] == "assistant" and not message.get("tool_calls"):
            return index + 1
    return 0


def _last_question(messages: Sequence[Message]) -> str:
    asked = [_text(message) for message in messages if _is_asked(message)]
    return asked[-1] if asked else ""


def _named(messages: Sequence[Message]) -> list[str]:
    """What questions name, such as `topic:12` and `@Mei`: looked up already, and no words to search."""
    notes = "\n".join(_text(message) for message in messages if _is_note(message))
    return sorted(set(_NAMED.findall(notes)), key=len, reverse=True)


def _without(names: Sequence[str], question: str) -> str:
    """The question's own words; one that only names something stays as it is."""
    words = question
    for name in names:
        words = words.replace(name, " ")
    return words.strip() or question.strip()


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
    given = _arguments(arguments)
    if name == "search_code":
        search = Search(query=" ".join(_listed(given.get("queries"))))
        _take_routing(search, content)
        search.places = places.read(content)
        search.failed = content.startswith(FAILED)
        reading.searches.append(search)
        reading.rounds = 0
    elif name == "read_lines":
        reading.reads.extend(places.read(content))
    elif name == "look_up_facts":
        reading.facts.extend(facts.read(content))
    elif name == "find_symbol":
        reading.looked_up[str(given.get("name", ""))] = places.read(content)


def _arguments(text: str) -> dict[str, object]:
    try:
        values = json.loads(text)
    except json.JSONDecodeError:
        return {}
    return values if isinstance(values, dict) else {}


def _listed(value: object) -> list[str]:
    return [str(each) for each in value] if isinstance(value, list) else []


def _take_routing(search: Search, content: str) -> None:
    for line in content.split("\n"):
        if found := _ROUTING.match(line):
            search.repository, search.certainty = found[1], found[2]
            search.reasons = places.matches(found[3] or "")
        elif found := _RUNNER_UP.match(line):
            search.runner_up = found[1]
        elif found := _ABOUT.match(line):
            search.about[found[1]] = found[2]
        elif found := _TRIED.match(line):
            search.tried = found[1]
        elif _DOUBT.match(line):
            search.doubtful = True
        search.tied |= line.startswith(_TIED)
