"""The evidence ids that stand in what answers say, `[e3]` or 【e3, e5】: read, changed, left out."""

from __future__ import annotations

import re
from collections.abc import Callable

_MARKER = re.compile(r"\s?[\[【]\s*e\d+[^\]】]{0,40}[\]】]", re.IGNORECASE)
# A longer number is no id that a topic could have.
_NUMBER = re.compile(r"e(\d{1,8})(?!\d)", re.IGNORECASE)


def numbers(text: str) -> list[int]:
    """The evidence numbers that a text names, in order, each once."""
    found = (number for marker in _MARKER.findall(text) for number in _NUMBER.findall(marker))
    return list(dict.fromkeys(map(int, found)))


def without(text: str) -> str:
    """The text without them: evidence ids count anew in every topic, so elsewhere they would cite a stranger's place (A5)."""
    return _MARKER.sub("", text)


def renumbered(text: str, new: Callable[[int], int | None]) -> str:
    """The text with each evidence number as `new` gives it, without those for which it gives none."""

    def marker(found: re.Match[str]) -> str:
        lead = " " if found[0][:1].isspace() else ""
        return "".join(f"{lead}[e{one}]" for number in numbers(found[0]) if (one := new(number)))

    return _MARKER.sub(marker, text)
