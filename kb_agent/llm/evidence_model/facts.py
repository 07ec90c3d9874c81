"""Reads the accepted facts noted before a question, and says them first in the answer, with their origin."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kb_agent.llm.evidence_model.wording import Words

_FACT = re.compile(
    r"^Fact (?P<number>\d+): (?P<said>.+?) (?P<ids>(?:\[e\d+\])+)"
    r" \(by (?P<by>.+), accepted by (?P<accepted>.+) on (?P<day>\d{4}-\d\d-\d\d)\)$",
    re.MULTILINE,
)
# Quoted text must not end the bold it stands in.
_MARKUP = re.compile(r"\*+")
TOLD = 2
"""Facts told in one answer: the best, and one beside it."""


@dataclass(frozen=True)
class Fact:
    """A fact as it was noted: its words, what it cites here, and whose word it is."""

    number: str
    said: str
    ids: str
    by: str
    accepted: str
    day: str


def read(note: str) -> list[Fact]:
    """The facts of a note or of what `look_up_facts` gave, best first."""
    return [Fact(**found.groupdict()) for found in _FACT.finditer(note)]


def told(facts: list[Fact], words: Words) -> str:
    """The facts, each a sentence in bold with its ids and its origin."""
    return "\n\n".join(
        words.fact.format(
            said=_MARKUP.sub("", fact.said),
            ids=fact.ids,
            number=fact.number,
            by=_MARKUP.sub("", fact.by),
            accepted=_MARKUP.sub("", fact.accepted),
            day=fact.day,
        )
        for fact in facts[:TOLD]
    )
