"""Search over a whole tape, newest first: exact, then fuzzy (T13).

In process, a page of entries at a time, so that memory does not grow with the tape. Exact means a
case-folded substring of the real text, so `%`, `_`, quotes and single Chinese characters are text
like any, and reaches back to the first entry; fuzzy compares the newest `MAX_FUZZY_CHARS` only,
and what is found says where that ended.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tapes import fuzzy, scopes, searchable, views

if TYPE_CHECKING:
    from tapes.entries import Entry

MAX_FUZZY_CHARS = 2_000_000
"""Text the fuzzy tier compares, newest first."""
_PAGE = 200
_AROUND = 60

EXACT, FUZZY = "exact", "fuzzy"


@dataclass(frozen=True, slots=True)
class Hit:
    """An entry that was found."""

    seq: int
    tier: str
    """`exact` or `fuzzy`."""
    score: float
    """From 0 to 1; 1 for exact hits."""
    snippet: str
    sources: tuple[int, ...]
    """Repositories whose text the entry may hold: whatever quotes the snippet carries them on."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a search found."""

    hits: list[Hit]
    """Exact ones first, each tier newest or best first."""
    cut: int | None = None
    """Entries up to this seq were searched for the exact words only; None when no entry was."""


@dataclass(slots=True)
class _Unmatched:
    """The newest texts without the exact words, as many as the fuzzy tier compares."""

    entries: list[tuple[int, tuple[int, ...]]] = field(default_factory=list)
    """Seq and sources of each text."""
    texts: list[str] = field(default_factory=list)
    chars: int = 0
    cut: int | None = None

    def add(self, entry: Entry, text: str) -> None:
        if self.cut is not None:
            return
        self.chars += len(text)
        if self.chars > MAX_FUZZY_CHARS:
            self.cut = entry.seq
            return
        self.entries.append((entry.seq, entry.sources))
        self.texts.append(text)


def search(
    tape_id: int,
    query: str,
    *,
    limit: int = 20,
    readable: Iterable[int],
    fork_id: int | None = None,
) -> Found:
    """Find entries whose sources are all readable; exact hits first, newest first.

    Forks that are not merged are skipped, but for the caller's own `fork_id`. An empty query finds
    nothing.
    """
    wanted = query.strip().casefold()
    if not wanted or limit < 1:
        return Found([])
    unmatched = _Unmatched()
    hits: list[Hit] = []
    for entry in _entries(tape_id, sorted(set(readable)), fork_id):
        text = searchable.text(entry)
        at = text.casefold().find(wanted)
        if at < 0:
            unmatched.add(entry, text)
            continue
        snippet = _snippet(text, at, len(wanted))
        hits.append(Hit(entry.seq, EXACT, 1.0, snippet, entry.sources))
        if len(hits) == limit:
            return Found(hits)
    return Found(hits + _fuzzy_hits(unmatched, wanted)[: limit - len(hits)], unmatched.cut)


def _fuzzy_hits(unmatched: _Unmatched, wanted: str) -> list[Hit]:
    # Sorting is stable: of equal scores the newest stays first.
    ranked = sorted(fuzzy.matches(wanted, unmatched.texts), key=lambda match: -match.score)
    hits = []
    for match in ranked:
        seq, sources = unmatched.entries[match.index]
        snippet = _snippet(unmatched.texts[match.index], match.at, 0)
        hits.append(Hit(seq, FUZZY, match.score, snippet, sources))
    return hits


def _entries(tape_id: int, readable: list[int], fork_id: int | None) -> Iterator[Entry]:
    rows = scopes.searched(tape_id, readable=readable, fork_id=fork_id).order_by("-seq")
    before: int | None = None
    while True:
        page = views.entries((rows if before is None else rows.filter(seq__lt=before))[:_PAGE])
        yield from page
        if len(page) < _PAGE:
            return
        before = page[-1].seq


def _snippet(text: str, at: int, length: int) -> str:
    """The text around a hit on one line; casefold may shift the place by a character or two."""
    start, end = max(at - _AROUND, 0), at + length + _AROUND
    inner = " ".join(text[start:end].split())
    return f"{'…' if start else ''}{inner}{'…' if end < len(text) else ''}"
