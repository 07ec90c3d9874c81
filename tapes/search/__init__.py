"""Search over a whole tape, newest first: exact, then fuzzy, then what vectors found (T13).

Exact means a case-folded substring of the real text, so `%`, `_`, quotes and single Chinese
characters are text like any; it reaches back to the first entry. Sealed stretches of the tape are
asked through their index, the newest entries are read as they stand, so that an entry is found as
soon as it is appended. The fuzzy tier compares the newest `tiers.MAX_FUZZY_CHARS` of what is not sealed
and `MAX_COMPARED` candidates of what is; what is found says where that ended.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, islice
from typing import TYPE_CHECKING

from tapes import store
from tapes.matching import folding, searchable, tiers
from tapes.matching.tiers import MEANING, TIERS, Found, Hit, Unmatched
from tapes.search import candidates
from tapes.search import index as search_index
from tapes.search.reading import EVERYTHING, Asked, Only, Reader

if TYPE_CHECKING:
    from tapes.entries import Entry
    from tapes.search.index import Stretch
    from tapes.search.nearness import Near

MAX_COMPARED = 500
"""Candidates of the sealed part whose text the fuzzy tier compares."""
_AT_ONCE = 40
_PASSAGE = 100
"""How much is shown of a passage that means what was asked."""

__all__ = [
    "EVERYTHING",
    "MEANING",
    "TIERS",
    "Found",
    "Hit",
    "Only",
    "add_meaning",
    "neighbours",
    "search",
]


def search(
    tape_id: int,
    query: str,
    *,
    limit: int = 20,
    readable: Iterable[int],
    fork_id: int | None = None,
    only: Only = EVERYTHING,
) -> Found:
    """Find entries whose sources are all readable; exact hits first, newest first.

    Forks that are not merged are skipped, but for the caller's own `fork_id`. An empty query finds
    nothing. Raises `UnknownTape`.
    """
    wanted = tiers.folded(query)
    if not wanted or limit < 1:
        return Found([])
    asked = Asked(readable=frozenset(readable), only=only, fork_id=fork_id)
    return _Search(tape_id, Reader(tape_id, asked), wanted, limit).run()


def add_meaning(
    found: Found,
    tape_id: int,
    near: Sequence[Near],
    *,
    limit: int = 20,
    readable: Iterable[int],
    only: Only = EVERYTHING,
) -> Found:
    """Add the third tier: what vectors found on this tape, the nearest first."""
    known = {hit.seq for hit in found.hits}
    wanted = {one.seq: one for one in near if one.tape_id == tape_id and one.seq not in known}
    reader = Reader(tape_id, Asked(readable=frozenset(readable), only=only))
    hits = [_meant(entry, wanted[entry.seq]) for entry in reader.at(sorted(wanted, reverse=True))]
    hits.sort(key=lambda hit: -hit.score)
    return Found([*found.hits, *hits][:limit], found.cut)


def neighbours(
    tape_id: int,
    seq: int,
    before: int = 3,
    after: int = 3,
    *,
    readable: Iterable[int],
    only: Only = EVERYTHING,
) -> list[Entry]:
    """Return an entry with as many of those around it that the reader may see, in order."""
    asked = Asked(readable=frozenset(readable), only=only)
    return Reader(tape_id, asked).around(seq, before, after)


class _Search:
    def __init__(self, tape_id: int, reader: Reader, wanted: str, limit: int) -> None:
        self._reader = reader
        self._wanted = wanted
        self._limit = limit
        self._unmatched = Unmatched()
        self._hits: list[Hit] = []
        found = search_index.stretches(tape_id, store.get(tape_id).head)
        self._groups = list(_groups(found[::-1]))

    def run(self) -> Found:
        """Go from tier to tier until there are enough."""
        for group in self._groups:
            self._exact(group)
            if len(self._hits) == self._limit:
                return Found(self._hits)
        rough, cut = self._rough()
        self._hits += rough[: self._limit - len(self._hits)]
        return Found(self._hits, cut)

    def _exact(self, group: Sequence[Stretch]) -> None:
        if group[0].segment is None:
            for entry in self._reader.stretch(group[0].first, group[0].last):
                text = searchable.text(entry)
                if not self._take(entry, text):
                    self._unmatched.add(entry, text)
                elif len(self._hits) == self._limit:
                    return
            return
        for seqs in candidates.exact(group, folding.fold(self._wanted)):
            for entry in self._entries(seqs):
                self._take(entry, searchable.text(entry))
                if len(self._hits) == self._limit:
                    return

    def _take(self, entry: Entry, text: str) -> bool:
        hit = tiers.exact(entry, text, self._wanted)
        if hit is not None:
            self._hits.append(hit)
        return hit is not None

    def _entries(self, seqs: Sequence[int]) -> Iterator[Entry]:
        """The entries at seqs that are in the order of the newest first, or all of a range."""
        if isinstance(seqs, range):
            yield from self._reader.stretch(seqs[-1], seqs[0])
            return
        for page in _pages(seqs):
            yield from self._reader.at(page)

    def _rough(self) -> tuple[list[Hit], int | None]:
        """The fuzzy hits, newest first, and where the comparing ended."""
        unmatched = self._unmatched
        hits = list(tiers.near(unmatched.entries, unmatched.texts, self._wanted))
        enough = self._limit - len(self._hits)
        left, cut = MAX_COMPARED, unmatched.cut
        known = {hit.seq for hit in self._hits}
        for group in self._groups:
            if group[0].segment is None:
                continue
            if len(hits) >= enough:
                break
            for stretch, seqs in zip(group, candidates.rough(group, self._wanted), strict=True):
                chosen = [seq for seq in islice(seqs, left + len(known) + 1) if seq not in known]
                if len(chosen) > left:
                    cut = max(cut or 0, stretch.last)
                hits += self._among(chosen[:left], enough - len(hits))
                left -= min(len(chosen), left)
        return sorted(hits, key=lambda hit: -hit.seq), cut

    def _among(self, seqs: Sequence[int], enough: int) -> list[Hit]:
        hits: list[Hit] = []
        for page in _pages(seqs):
            if len(hits) >= enough:
                break
            found = list(self._reader.at(page))
            texts = [searchable.text(entry) for entry in found]
            hits += tiers.near(found, texts, self._wanted)
        return hits


def _groups(stretches: Sequence[Stretch]) -> Iterator[list[Stretch]]:
    """Every unsealed stretch alone, sealed ones together, a few at first and then more."""
    size = 4
    for sealed, beside in groupby(stretches, key=lambda stretch: stretch.segment is not None):
        if not sealed:
            yield from ([stretch] for stretch in beside)
            continue
        while some := list(islice(beside, size)):
            yield some
            size *= 2


def _pages(seqs: Sequence[int]) -> Iterator[Sequence[int]]:
    for at in range(0, len(seqs), _AT_ONCE):
        yield seqs[at : at + _AT_ONCE]


def _meant(entry: Entry, near: Near) -> Hit:
    words = tiers.snippet(searchable.text(entry), near.begins, _PASSAGE)
    return tiers.hit(entry, MEANING, near.score, words)
