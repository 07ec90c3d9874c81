"""Reads the conclusion off an answer of the evidence model: the code's own sentence, where it is sure of it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kb_agent.llm.evidence_model import wording

if TYPE_CHECKING:
    from kb_agent.llm.evidence_model.wording import Words

_GAP = re.compile(r"\\\{(\w+)\\\}")


def written_by_rule(answer: str) -> bool:
    """Whether an answer is the evidence model's own."""
    return any(words.by_rule in answer for words in wording.BOTH)


def conclusion(answer: str) -> tuple[str, str] | None:
    """The sentence that the code says of itself and the id it is cited by, from a sure answer; else None.

    Places alone, values alone and what was only near are no conclusions.
    """
    paragraphs = answer.split("\n\n")
    for words in wording.BOTH:
        found = _pattern(words).fullmatch(paragraphs[0])
        sure = any(part.startswith(_sure(words)) for part in paragraphs[1:3])
        if found and sure and words.by_rule in answer and not found["said"].endswith("…"):
            return found["said"], found["id"]
    return None


def _pattern(words: Words) -> re.Pattern[str]:
    return re.compile(_GAP.sub(lambda gap: f"(?P<{gap[1]}>.+?)", re.escape(words.lands_saying)))


def _sure(words: Words) -> str:
    return words.certainty["high"].partition("{")[0]
