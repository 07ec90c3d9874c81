"""How texts are compared roughly: without case, and traditional Chinese as simplified."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import opencc


def fold(text: str) -> str:
    """Return a text as the search index and the fuzzy tier see it; a character stays a character."""
    folded = text.casefold()
    if folded.isascii() or _simplified().keys().isdisjoint(map(ord, set(folded))):
        return folded
    return folded.translate(_simplified())


@cache
def _simplified() -> dict[int, str]:
    """OpenCC's table of characters, first reading: its converter is too slow for whole tapes."""
    table = Path(opencc.__file__).parent / "dictionary" / "TSCharacters.txt"
    pairs = (line.split("\t") for line in table.read_text("utf-8").splitlines() if "\t" in line)
    return {ord(old): new.split()[0] for old, new in pairs if len(old) == 1}
