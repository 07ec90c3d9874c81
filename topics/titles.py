"""A topic's title, cut from its question's own first line."""

from __future__ import annotations

import unicodedata

COLUMNS = 80
ELLIPSIS = "…"


def from_question(question: str) -> str:
    """The first line that says something, at most 80 columns wide; never empty."""
    lines = (" ".join(line.split()) for line in question.splitlines())
    return trimmed(next((line for line in lines if line), "")) or ELLIPSIS


def trimmed(title: str, *, columns: int = COLUMNS) -> str:
    """One line of at most `columns` columns, cut at a character and marked when cut."""
    line = " ".join(title.split())
    if width(line) <= columns:
        return line
    room = columns - width(ELLIPSIS)
    end = 0
    for end, character in enumerate(line):  # noqa: B007 — the place of the first that is too many
        room -= width(character)
        if room < 0:
            break
    return line[: _whole(line, end)].rstrip() + ELLIPSIS


def width(text: str) -> int:
    """Columns on a screen: two for a Chinese character, none for a combining mark."""
    return sum(_columns(character) for character in text)


def _columns(character: str) -> int:
    if unicodedata.category(character) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if unicodedata.east_asian_width(character) in {"W", "F"} else 1


def _whole(line: str, end: int) -> int:
    """The last place not after `end` that cuts no joined character in two."""
    while end and (_columns(line[end]) == 0 or line[end - 1] == "\N{ZERO WIDTH JOINER}"):
        end -= 1
    return end
