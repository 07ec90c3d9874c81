"""Search over a whole tape, newest first: exact, then fuzzy (T13).

In process and bounded: the newest `MAX_ENTRIES` entries are looked at. Exact means a case-folded
substring of the real text, so `%`, `_`, quotes and single Chinese characters are text like any.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tapes import fuzzy, scopes, searchable, views

if TYPE_CHECKING:
    from tapes.entries import Entry

MAX_ENTRIES = 20_000
"""Entries looked at, newest first."""
MAX_FUZZY_CHARS = 2_000_000
"""Text the fuzzy tier compares, newest first."""
_PAGE = 500
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


def search(
    tape_id: int,
    query: str,
    *,
    limit: int = 20,
    readable: Iterable[int],
    fork_id: int | None = None,
) -> list[Hit]:
    """Return entries whose sources are all readable; exact hits first, newest first.

    Forks that are not merged are skipped, but for the caller's own `fork_id`. An empty query finds
    nothing.
    """
    wanted = query.strip().casefold()
    if not wanted or limit < 1:
        return []
    seen: list[tuple[Entry, str]] = []
    hits: list[Hit] = []
    for entry in _entries(tape_id, sorted(set(readable)), fork_id):
        text = searchable.text(entry)
        at = text.casefold().find(wanted)
        if at < 0:
            seen.append((entry, text))
            continue
        snippet = _snippet(text, at, len(wanted))
        hits.append(Hit(entry.seq, EXACT, 1.0, snippet, entry.sources))
        if len(hits) == limit:
            return hits
    return hits + _fuzzy_hits(seen, wanted)[: limit - len(hits)]


def _fuzzy_hits(seen: Sequence[tuple[Entry, str]], wanted: str) -> list[Hit]:
    texts: list[str] = []
    chars = 0
    for _, text in seen:
        chars += len(text)
        if chars > MAX_FUZZY_CHARS:
            break
        texts.append(text.casefold())
    # Sorting is stable: of equal scores the newest stays first.
    ranked = sorted(fuzzy.matches(wanted, texts), key=lambda match: -match.score)
    hits = []
    for match in ranked:
        entry, text = seen[match.index]
        hits.append(Hit(entry.seq, FUZZY, match.score, _snippet(text, match.at, 0), entry.sources))
    return hits


def _entries(tape_id: int, readable: list[int], fork_id: int | None) -> Iterator[Entry]:
    rows = scopes.searched(tape_id, readable=readable, fork_id=fork_id).order_by("-seq")
    before: int | None = None
    for _ in range(MAX_ENTRIES // _PAGE):
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
