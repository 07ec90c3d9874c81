"""What a renderer returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

Message = dict[str, Any]
"""One message as Chat Completions takes it."""


@dataclass(frozen=True, slots=True)
class Shown:
    """Messages for the model, and which entries they came from."""

    messages: list[Message]
    seqs: list[int]
    """In the order shown; the same entries in the same order give the same messages again."""
    withheld: list[int]
    """Those of `seqs` whose text was withheld."""
