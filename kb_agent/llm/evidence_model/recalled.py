"""Reads which earlier topics were recalled for a question, and points to them; what they say is theirs to tell."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kb_agent.llm.evidence_model.wording import Words

_NOTE = "[recall_anchor] Earlier topics "
_TOPIC = re.compile(r"^- topic (\d+) \(entries \d+ to \d+\): ", re.MULTILINE)
TOLD = 2
"""Topics pointed to in one answer: the nearest."""


def read(note: str) -> list[str]:
    """The numbers of the topics in a recall, the nearest first."""
    return _TOPIC.findall(note) if note.startswith(_NOTE) else []


def told(topics: Sequence[str], words: Words) -> str:
    """A sentence that names the nearest; empty without any. No title: that is shown to whoever may see it."""
    named = words.comma.join(f"topic:{number}" for number in topics[:TOLD])
    return words.earlier.format(topics=named) if named else ""
