"""The first sentence of an answer, as plain text for a list."""

from __future__ import annotations

import re

from topics import markers

LONGEST = 200
MARKS = re.compile(r"\*\*|__|`|^#{1,6}\s+|^>\s+|^[-*+]\s+|^\d+\.\s+", re.MULTILINE)
END = re.compile(r"[。\uff01\uff1f!?]|\.(?=\s|$)|\n")


def first(answer: str) -> str:
    """The sentence that answers: without Markdown and citation marks, at most 200 characters."""
    plain = MARKS.sub("", markers.without(answer)).strip()
    end = END.search(plain)
    sentence = plain[: end.end()].strip() if end else plain
    return sentence if len(sentence) <= LONGEST else sentence[: LONGEST - 1].rstrip() + "…"
