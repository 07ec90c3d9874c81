"""Hits, tier by tier: the exact words, then words near them among the newest texts that have not the exact ones."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tapes.matching import fuzzy

if TYPE_CHECKING:
    from tapes.entries import Entry

EXACT, FUZZY, MEANING = TIERS = ("exact", "fuzzy", "meaning")
MAX_FUZZY_CHARS = 2_000_000
"""Text that no index covers which the fuzzy tier compares, newest first."""
_NEAREST = 0.99
_AROUND = 60


@dataclass(frozen=True, slots=True)
class Hit:
    """An entry that was found."""

    seq: int
    tier: str
    """`exact`, `fuzzy` or `meaning`."""
    score: float
    """From 0 to 1; 1 for exact hits."""
    snippet: str
    sources: tuple[int, ...]
    """Repositories whose text the entry may hold: whatever quotes the snippet carries them on."""
    topic_id: int | None
    date: datetime.datetime
    tape_id: int


@dataclass(frozen=True, slots=True)
class Found:
    """What a search found."""

    hits: list[Hit]
    """Exact ones first, then fuzzy ones, each the newest first; by meaning, the nearest first."""
    cut: int | None = None
    """Entries up to this seq were not all compared roughly; None when all were."""


@dataclass(slots=True)
class Unmatched:
    """The newest texts without the exact words, as many as the fuzzy tier compares."""

    entries: list[Entry] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    chars: int = 0
    cut: int | None = None

    def add(self, entry: Entry, text: str) -> None:
        """Keep one more, older than those before, unless it is too much."""
        if self.cut is not None:
            return
        self.chars += len(text)
        if self.chars > MAX_FUZZY_CHARS:
            self.cut = entry.seq
            return
        self.entries.append(entry)
        self.texts.append(text)


def folded(query: str) -> str:
    """What the exact tier looks for; empty for a query that finds nothing."""
    return query.strip().casefold()


def exact(entry: Entry, text: str, wanted: str) -> Hit | None:
    """The entry as a hit, if its text holds the words as they stand."""
    at = text.casefold().find(wanted)
    if at < 0:
        return None
    return hit(entry, EXACT, 1.0, snippet(text, at, len(wanted)))


def near(entries: Sequence[Entry], texts: Sequence[str], wanted: str) -> Iterator[Hit]:
    """Those of the entries whose texts have words near those wanted, in their order."""
    for match in fuzzy.matches(wanted, texts):
        # The same words in another order or script are near, not the same.
        score = min(match.score, _NEAREST)
        yield hit(entries[match.index], FUZZY, score, snippet(texts[match.index], match.at, 0))


def hit(entry: Entry, tier: str, score: float, words: str) -> Hit:
    """An entry as a hit with these words of it."""
    return Hit(
        seq=entry.seq,
        tier=tier,
        score=score,
        snippet=words,
        sources=entry.sources,
        topic_id=entry.topic_id,
        date=entry.date,
        tape_id=entry.tape_id,
    )


def snippet(text: str, at: int, length: int) -> str:
    """The text around a hit on one line; casefold may shift the place by a character or two."""
    start, end = max(at - _AROUND, 0), at + length + _AROUND
    inner = " ".join(text[start:end].split())
    return f"{'…' if start else ''}{inner}{'…' if end < len(text) else ''}"
