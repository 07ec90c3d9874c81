"""A segment: which entries of one stretch of a tape have which terms, packed small.

The dictionary is the terms of each class, sorted, a line each. Postings are cut into parts of some
kilobytes, so that a search reads those of its own terms only: for every term of a part a count,
then the places of its entries within the stretch, as differences, compressed.
"""

from __future__ import annotations

import sys
import zlib
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from tapes.matching import folding, terms

MOST = 65_536
"""Entries of one segment at most: a place fits two bytes."""
_PART_PLACES = 8_192
_PART_TERMS = 512
_LEVEL = 1

Postings = list[dict[str, "array[int]"]]
"""By class and term: the places of the entries that have it, ascending."""


@dataclass(frozen=True, slots=True)
class Packed:
    """A segment as it is stored."""

    dictionary: bytes
    starts: bytes
    """The number of the first term of each part."""
    parts: list[bytes]


@dataclass(frozen=True)
class Dictionary:
    """The terms of a segment, numbered through its classes."""

    classes: tuple[str, str, str]
    """The terms of each class, each between two line ends."""
    starts: Sequence[int]

    @cached_property
    def firsts(self) -> tuple[int, int, int, int]:
        """The number of the first term of each class, and the count of all."""
        counts = [max(text.count("\n") - 1, 0) for text in self.classes]
        one, two, three = accumulate(counts)
        return 0, one, two, three

    @cached_property
    def names(self) -> list[str]:
        """The names in the order of their numbers, which start at 0."""
        return self.classes[terms.NAMES][1:-1].split("\n") if self.firsts[1] else []

    @property
    def chars(self) -> int:
        """About how much memory this takes, with the names as a list, in characters."""
        return sum(map(len, self.classes)) + 60 * self.firsts[1]

    def numbers(self, need: terms.Need, *, at_most: int) -> list[int]:
        """Return the numbers of the terms that satisfy a need, and one more than `at_most` at most."""
        found: list[int] = []
        for kind in need.classes:
            found += self._within(kind, need, at_most + 1 - len(found))
        return found

    def _within(self, kind: int, need: terms.Need, most: int) -> Iterator[int]:
        text = self.classes[kind]
        sought = need.term if need.within else f"\n{need.term}\n"
        at, counted, number = 0, 0, self.firsts[kind] - 1
        while most > 0 and (at := text.find(sought, at)) >= 0:
            # A whole term is found at the line end before it, a part of one after that.
            upto = at if need.within else at + 1
            number += text.count("\n", counted, upto)
            counted = upto
            yield number
            most -= 1
            at = text.find("\n", upto)


def pack(found: Postings) -> Packed:
    """Return postings as they are stored."""
    ordered = [sorted(of_class.items()) for of_class in found]
    texts = ["".join(f"\n{term}" for term, _ in items) + "\n" for items in ordered]
    starts: array[int] = array("I")
    parts: list[bytes] = []
    number = 0
    for part in _parts(places for items in ordered for _, places in items):
        starts.append(number)
        parts.append(_encoded(part))
        number += len(part)
    dictionary = zlib.compress("\0".join(texts).encode(), _LEVEL)
    return Packed(dictionary, _little(starts), parts)


def opened(dictionary: bytes, starts: bytes) -> Dictionary:
    """Return the dictionary of a stored segment."""
    names, numbers, grams = zlib.decompress(dictionary).decode().split("\0")
    return Dictionary((names, numbers, grams), _array("I", starts))


def unpacked(
    dictionary: Dictionary, parts: Iterable[bytes]
) -> Iterator[tuple[int, str, array[int]]]:
    """Yield (class, term, places) of a whole segment, to merge it into a longer one."""
    every = (
        (kind, term)
        for kind, text in enumerate(dictionary.classes)
        for term in text[1:-1].split("\n")
        if term
    )
    places = (one for part in parts for one in _decoded(part))
    for (kind, term), one in zip(every, places, strict=True):
        yield kind, term, one


def places(part: bytes, wanted: Iterable[int]) -> Mapping[int, array[int]]:
    """Return the places of some terms of a part, by the term's number within the part."""
    counts, differences = _opened_part(part)
    ends = list(accumulate(counts))
    return {
        number: array("H", accumulate(differences[ends[number] - counts[number] : ends[number]]))
        for number in wanted
    }


class Builder:
    """Gathers the postings of a stretch, entry by entry or segment by segment."""

    def __init__(self, first: int) -> None:
        self._first = first
        self.postings: Postings = [{}, {}, {}]

    def add(self, seq: int, text: str) -> None:
        """Add an entry by its real text."""
        place = seq - self._first
        for of_class, found in zip(self.postings, terms.of(folding.fold(text)), strict=True):
            for term in found:
                of_class.setdefault(term, array("H")).append(place)

    def merge(self, first: int, dictionary: Dictionary, parts: Iterable[bytes]) -> None:
        """Add a segment that follows what was added before."""
        shift = first - self._first
        for kind, term, found in unpacked(dictionary, parts):
            held = self.postings[kind].setdefault(term, array("H"))
            held.extend(array("H", [place + shift for place in found]))


def _parts(every: Iterable[array[int]]) -> Iterator[list[array[int]]]:
    part: list[array[int]] = []
    size = 0
    for found in every:
        if part and (size + len(found) > _PART_PLACES or len(part) == _PART_TERMS):
            yield part
            part, size = [], 0
        part.append(found)
        size += len(found)
    if part:
        yield part


def _encoded(part: Sequence[array[int]]) -> bytes:
    counts = array("I", map(len, part))
    differences: array[int] = array("H")
    for found in part:
        before = 0
        for place in found:
            differences.append(place - before)
            before = place
    size = len(part).to_bytes(4, "little")
    return zlib.compress(size + _little(counts) + _little(differences), _LEVEL)


def _opened_part(part: bytes) -> tuple[array[int], array[int]]:
    text = zlib.decompress(part)
    end = 4 + 4 * int.from_bytes(text[:4], "little")
    return _array("I", text[4:end]), _array("H", text[end:])


def _decoded(part: bytes) -> Iterator[array[int]]:
    counts, differences = _opened_part(part)
    at = 0
    for count in counts:
        yield array("H", accumulate(differences[at : at + count]))
        at += count


def _little(values: array[int]) -> bytes:
    if sys.byteorder == "big":
        values = values[:]
        values.byteswap()
    return values.tobytes()


def _array(code: str, text: bytes) -> array[int]:
    values: array[int] = array(code)
    values.frombytes(text)
    if sys.byteorder == "big":
        values.byteswap()
    return values
