"""Which entries of sealed stretches can hold a query's words, or words near them.

Exact candidates leave none out and are compared with the text afterwards; so are fuzzy ones. The
segments are asked newest first, a few more at a time, so that a common word reads few of them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from threading import Lock
from typing import TYPE_CHECKING

from tapes.matching import fuzzy, terms
from tapes.matching.terms import GRAMS, NUMBERS, Need
from tapes.models.search import SearchPostings, SearchSegment
from tapes.search import segments

if TYPE_CHECKING:
    from array import array
    from uuid import UUID

    from tapes.search.index import Stretch
    from tapes.search.segments import Dictionary

_MANY = 2_000
"""A part of a word that this many words hold says nothing: every entry is looked at."""
_CACHED_CHARS = 24_000_000
"""Dictionaries kept in memory, all tapes together."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Terms of one segment that serve one part of a query."""

    numbers: Sequence[int]
    at_least: int = 1
    """How many of them an entry needs."""


def exact(stretches: Sequence[Stretch], folded: str) -> Iterator[Sequence[int]]:
    """Yield, for each sealed stretch, the seqs that may hold the query, newest first."""
    needs = terms.needs(folded)
    dictionaries = _dictionaries(stretches)
    wanted: list[list[Wanted] | None] = []
    for dictionary in dictionaries:
        found = [] if dictionary is None else [_holding(dictionary, need) for need in needs]
        lacking = any(not one.numbers for one in found)
        wanted.append(None if lacking else [one for one in found if len(one.numbers) <= _MANY])
    return _seqs(stretches, dictionaries, wanted)


def rough(stretches: Sequence[Stretch], query: str) -> Iterator[Sequence[int]]:
    """Yield, for each sealed stretch, the seqs that may be near the query, best and newest first."""
    words = fuzzy.query_words(query)
    dictionaries = _dictionaries(stretches)
    wanted: list[list[Wanted] | None] = []
    for dictionary in dictionaries:
        found = [] if dictionary is None else [_near(dictionary, word) for word in words]
        lacking = not words or any(len(one.numbers) < one.at_least for one in found)
        wanted.append(None if lacking else found)
    return _seqs(stretches, dictionaries, wanted)


def _holding(dictionary: Dictionary, need: Need) -> Wanted:
    return Wanted(dictionary.numbers(need, at_most=_MANY))


def _near(dictionary: Dictionary, word: str) -> Wanted:
    if not terms.is_chinese(word):
        if word.isalpha():
            return Wanted(fuzzy.near_names(word[: terms.LONGEST], dictionary.names))
        return Wanted(_whole(dictionary, word[: terms.LONGEST], NUMBERS))
    pairs = dict.fromkeys(terms.pairs(word) or [word])
    numbers = [number for pair in pairs for number in _whole(dictionary, pair, GRAMS)]
    return Wanted(numbers, fuzzy.least_pairs(word))


def _whole(dictionary: Dictionary, term: str, kind: int) -> list[int]:
    return dictionary.numbers(Need(term, (kind,)), at_most=1)


def _seqs(
    stretches: Sequence[Stretch],
    dictionaries: Sequence[Dictionary | None],
    wanted: Sequence[Sequence[Wanted] | None],
) -> Iterator[Sequence[int]]:
    postings = _postings(stretches, dictionaries, wanted)
    for stretch, dictionary, needs in zip(stretches, dictionaries, wanted, strict=True):
        if needs is None:
            yield []
            continue
        seqs: Sequence[int] | None = None
        if dictionary is not None and needs:
            seqs = _meeting(stretch, dictionary, needs, postings.get(stretch.segment, {}))
        # Nothing to go by, or joined into a longer segment since the stretches were listed.
        yield range(stretch.last, stretch.first - 1, -1) if seqs is None else seqs


def _meeting(
    stretch: Stretch,
    dictionary: Dictionary,
    needs: Sequence[Wanted],
    parts: Mapping[int, bytes],
) -> list[int] | None:
    """The seqs that meet every need: those with the most terms first, then the newest."""
    places = _places(dictionary, needs, parts)
    if places is None:
        return None
    weights: Counter[int] = Counter()
    sets = []
    for one in needs:
        if one.at_least == 1:
            sets.append(set[int]().union(*(places[number] for number in one.numbers)))
            continue
        counts = Counter(place for number in one.numbers for place in places[number])
        sets.append({place for place, count in counts.items() if count >= one.at_least})
        weights += counts
    common = reduce(set.intersection, sorted(sets, key=len))
    best = sorted(common, reverse=True)
    if weights:
        best.sort(key=weights.__getitem__, reverse=True)
    return [stretch.first + place for place in best]


def _places(
    dictionary: Dictionary, needs: Sequence[Wanted], parts: Mapping[int, bytes]
) -> dict[int, array[int]] | None:
    """The places of every wanted term, or None when their part is gone."""
    numbers: dict[int, list[int]] = {}
    for number in sorted({number for one in needs for number in one.numbers}):
        numbers.setdefault(_part(dictionary, number), []).append(number)
    if not parts.keys() >= numbers.keys():
        return None
    found: dict[int, array[int]] = {}
    for part, of_part in numbers.items():
        start = dictionary.starts[part]
        decoded = segments.places(parts[part], [number - start for number in of_part])
        found |= {start + number: places for number, places in decoded.items()}
    return found


def _part(dictionary: Dictionary, number: int) -> int:
    return bisect_right(dictionary.starts, number) - 1


def _postings(
    stretches: Sequence[Stretch],
    dictionaries: Sequence[Dictionary | None],
    wanted: Iterable[Sequence[Wanted] | None],
) -> dict[UUID | None, dict[int, bytes]]:
    """The parts that hold the wanted terms, in one query."""
    keys = {
        (stretch.segment, _part(dictionary, number))
        for stretch, dictionary, needs in zip(stretches, dictionaries, wanted, strict=True)
        if dictionary is not None
        for one in needs or ()
        for number in one.numbers
    }
    if not keys:
        return {}
    rows = SearchPostings.objects.filter(
        segment_id__in={segment for segment, _ in keys}, part__in={part for _, part in keys}
    )
    found: dict[UUID | None, dict[int, bytes]] = {}
    for segment, part, postings in rows.values_list("segment_id", "part", "postings"):
        if (segment, part) in keys:
            found.setdefault(segment, {})[part] = bytes(postings)
    return found


_cache: OrderedDict[UUID, Dictionary] = OrderedDict()
_cache_lock = Lock()


def _dictionaries(stretches: Sequence[Stretch]) -> list[Dictionary | None]:
    """The dictionaries of sealed stretches; a segment never changes, so it is read once."""
    ids = [stretch.segment for stretch in stretches if stretch.segment is not None]
    with _cache_lock:
        held = {one: _cache[one] for one in ids if one in _cache}
    missing = [one for one in ids if one not in held]
    rows = SearchSegment.objects.filter(id__in=missing).values_list("id", "dictionary", "starts")
    for one, dictionary, starts in rows if missing else ():
        held[one] = segments.opened(bytes(dictionary), bytes(starts))
    with _cache_lock:
        _cache.update(held)
        for one in ids:
            if one in _cache:
                _cache.move_to_end(one)
        while _cache and sum(each.chars for each in _cache.values()) > _CACHED_CHARS:
            _cache.popitem(last=False)
    return [held.get(stretch.segment) if stretch.segment else None for stretch in stretches]
