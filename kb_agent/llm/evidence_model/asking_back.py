"""Asks which of two systems is meant, and understands what is answered to that."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kb_agent.llm.evidence_model import rewording, wording

if TYPE_CHECKING:
    from collections.abc import Sequence

_LINE = re.compile(r"^- \*\*(\S+?)\*\*(?:（(.*?)）|: |：| \((.*?)\))", re.MULTILINE)
_FIRST = re.compile(
    r"第一|前者|前面|头一个|\b(the )?(first|1st|former)\b|^\W*(1|①|one|一)\W*$", re.IGNORECASE
)
_SECOND = re.compile(
    r"第二|后者|後者|后面|另一个|\b(the )?(second|2nd|latter|other)\b|^\W*(2|②|two|二)\W*$",
    re.IGNORECASE,
)
_BOTH = re.compile(r"都|两个|兩個|两者|\b(both|either)\b", re.IGNORECASE)
_FILLER = re.compile(
    r"问的?是|指的?是|我说的是|应该是|那个|这个|系统|里的?|\b(i mean|mean|one|please|system)\b",
    re.IGNORECASE,
)
# An answer longer than this is a question of its own, even when it names a system.
MOST_WORDS = 6


@dataclass(frozen=True)
class Offered:
    """A system that was offered, and what its owner says of it."""

    repository: str
    about: str


@dataclass(frozen=True)
class Choice:
    """The chosen system, empty for both; and what else was said."""

    repository: str
    rest: str


def offered(answer: str) -> list[Offered]:
    """The two systems that an answer asked about; none when it did not ask."""
    first_line = answer.partition("\n")[0]
    if not any(_pattern(words.asks_back).match(first_line) for words in wording.BOTH):
        return []
    return [Offered(line[1], line[2] or line[3] or "") for line in _LINE.finditer(answer)][:2]


def chosen(text: str, systems: Sequence[Offered]) -> Choice | None:
    """Which of two systems an answer means; None when it is no answer to that."""
    named = [each for each in systems if _names(each.repository, text)]
    rest = _rest(text, systems)
    if len(rest) > MOST_WORDS:
        return None
    if len(named) == 1:
        return Choice(named[0].repository, " ".join(rest))
    if _BOTH.search(text) or len(named) > 1:
        return Choice("", " ".join(rest))
    ordinal = (bool(_FIRST.search(text)), bool(_SECOND.search(text)))
    if len(systems) == 2 and any(ordinal) and not all(ordinal):
        return Choice(systems[ordinal[1]].repository, " ".join(rest))
    told = [each for each in systems if _told_by(each.about, text)]
    return Choice(told[0].repository, "") if len(told) == 1 else None


def _pattern(asks: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\\\{\w+\\\}", r"\\S.*?", re.escape(asks)))


def _names(repository: str, text: str) -> bool:
    folded = re.sub(r"[\s_-]+", " ", text.casefold())
    name = re.sub(r"[\s_-]+", " ", repository.casefold())
    return re.search(rf"(?<![a-z0-9]){re.escape(name)}(?![a-z0-9])", folded) is not None


def _rest(text: str, systems: Sequence[Offered]) -> list[str]:
    """What is said beside the choice itself."""
    for each in systems:
        loose = re.sub(r"[\s_-]+", r"[\\s_-]*", each.repository)
        text = re.sub(loose, " ", text, flags=re.IGNORECASE)
    for pattern in (_FILLER, _FIRST, _SECOND, _BOTH):
        text = pattern.sub(" ", text)
    return rewording.keywords(text)


def _told_by(about: str, text: str) -> bool:
    """Whether an answer speaks of a system in its owner's words: "the ticket one"."""
    folded = about.casefold()
    words = rewording.keywords(_FILLER.sub(" ", text))
    return bool(words) and any(word.casefold() in folded for word in words)
