"""The search index of tapes: segments sealed from entries, merged, forgotten, made anew.

An append writes nothing here. Upkeep seals the entries no segment covers, and joins eight segments
of a size to one of the next, so that a tape of n entries has few of them; a search reads what is
not sealed yet as it stands. Everything here can be thrown away and made again from entries.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf
from time import monotonic
from typing import TYPE_CHECKING

from django.db import connection, transaction

from tapes import paging
from tapes.archive import departed
from tapes.matching import searchable
from tapes.models import Entry, Tape
from tapes.models.search import SearchPostings, SearchSegment
from tapes.search import segments

if TYPE_CHECKING:
    from uuid import UUID

    from tapes.archive.copies import ArchivedTape
    from tapes.entries import Entry as Value

SMALLEST = 128
"""Entries at the end of a tape that wait until they are sealed."""
_FAN = 8
_MOST_CHARS = 64_000_000
"""Text of one segment, so that sealing huge entries has bounds too."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Entries from `first` to `last`, and the segment that covers them if one does."""

    first: int
    last: int
    segment: UUID | None = None


def stretches(tape_id: int, head: int) -> list[Stretch]:
    """Return the whole tape in order, sealed and unsealed stretches."""
    rows = SearchSegment.objects.filter(tape_id=tape_id).order_by("first_seq")
    found = list[Stretch]()
    after = 0
    for segment, first, last in rows.values_list("id", "first_seq", "last_seq"):
        if first > after + 1:
            found.append(Stretch(after + 1, first - 1))
        found.append(Stretch(first, last, segment))
        after = last
    if head > after:
        found.append(Stretch(after + 1, head))
    return found


def due() -> list[int]:
    """Return the tapes with enough entries that no segment covers; of one that has left, any."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT t.id FROM tapes_tape AS t LEFT JOIN (SELECT tape_id,"
            " sum(last_seq - first_seq + 1) AS sealed FROM tapes_searchsegment GROUP BY tape_id)"
            " AS s ON s.tape_id = t.id LEFT JOIN tapes_archivecopy AS c ON c.tape_id = t.id"
            " WHERE t.head - coalesce(s.sealed, 0)"
            " >= CASE WHEN c.left_at IS NULL THEN %s ELSE 1 END ORDER BY t.id",
            [SMALLEST],
        )
        return [tape_id for (tape_id,) in cursor.fetchall()]


def seal_due(seconds: float) -> int:
    """Seal the tapes that are due, beginning no segment after so long; return how many entries."""
    until = monotonic() + seconds
    return sum(seal(tape_id, until=until) for tape_id in due())


def seal(tape_id: int, *, until: float = inf, smallest: int | None = None) -> int:
    """Seal what is not sealed and join small segments; return how many entries were sealed.

    Fewer than `smallest` entries at the end of the tape wait, by default `SMALLEST`; none do on a
    tape whose rows have left for the archive, which is read there.

    A transaction a segment: a search meanwhile sees it whole or not at all. None is begun after
    `until` on the monotonic clock.
    """
    sealed = 0
    archived = departed.source(tape_id)
    least = smallest or (SMALLEST if archived is None else 1)
    while monotonic() < until and (one := _sealed_one(tape_id, least, archived)) is not None:
        sealed += one
    while monotonic() < until and _merged_one(tape_id):
        pass
    return sealed


def forget(tape_id: int, first: int, last: int) -> None:
    """Drop every segment that covers one of these entries, in the caller's transaction.

    An erasure does the same by the owner's `tapes_forget`. What they covered is searched as it
    stands until upkeep seals it anew.
    """
    _lock(tape_id)
    rows = SearchSegment.objects.filter(tape_id=tape_id, first_seq__lte=last, last_seq__gte=first)
    SearchPostings.objects.filter(segment__in=rows).delete()
    rows.delete()


def rebuild(tape_id: int) -> int:
    """Throw a tape's segments away and seal it anew; return how many entries were sealed."""
    head = Tape.objects.get(id=tape_id).head
    with transaction.atomic():
        forget(tape_id, 1, head)
    return seal(tape_id)


def _sealed_one(tape_id: int, least: int, archived: ArchivedTape | None) -> int | None:
    with transaction.atomic():
        _lock(tape_id)
        head = Tape.objects.values_list("head", flat=True).get(id=tape_id)
        wanted = next(_unsealed(stretches(tape_id, head), head, least), None)
        if wanted is None:
            return None
        builder = segments.Builder(wanted.first)
        last, chars = wanted.first - 1, 0
        for entry in _read(tape_id, wanted, archived):
            text = searchable.text(entry)
            builder.add(entry.seq, text)
            last, chars = entry.seq, chars + len(text)
            if chars > _MOST_CHARS:
                break
        if last < wanted.first:
            return None
        _insert(tape_id, wanted.first, last, chars, builder.postings)
        return last - wanted.first + 1


def _read(tape_id: int, wanted: Stretch, archived: ArchivedTape | None) -> Iterator[Value]:
    if archived is not None:
        yield from archived.stretch(wanted.first, wanted.last)
        return
    rows = Entry.objects.filter(tape_id=tape_id, seq__gte=wanted.first, seq__lte=wanted.last)
    yield from paging.entries(rows)


def _unsealed(found: Sequence[Stretch], head: int, least: int) -> Iterator[Stretch]:
    """What is worth a segment: a hole that an erasure left, or enough at the end of the tape."""
    for stretch in found:
        size = stretch.last - stretch.first + 1
        if stretch.segment is None and (stretch.last < head or size >= least):
            yield Stretch(stretch.first, min(stretch.last, stretch.first + segments.MOST - 1))


def _merged_one(tape_id: int) -> bool:
    """Join the first eight neighbours of one size, if there are any."""
    with transaction.atomic():
        _lock(tape_id)
        rows = list(
            SearchSegment.objects.filter(tape_id=tape_id)
            .only("id", "first_seq", "last_seq", "chars")
            .order_by("first_seq")
        )
        joined = _to_join(rows)
        if not joined:
            return False
        builder = segments.Builder(joined[0].first_seq)
        ids = [row.pk for row in joined]
        # One after the other: all of them together would be the memory of the whole.
        for pk in ids:
            row = SearchSegment.objects.get(pk=pk)
            parts = SearchPostings.objects.filter(segment_id=pk).order_by("part")
            builder.merge(
                row.first_seq,
                segments.opened(bytes(row.dictionary), bytes(row.starts)),
                (bytes(part) for part in parts.values_list("postings", flat=True).iterator()),
            )
        SearchPostings.objects.filter(segment_id__in=ids).delete()
        SearchSegment.objects.filter(id__in=ids).delete()
        chars = sum(row.chars for row in joined)
        _insert(tape_id, joined[0].first_seq, joined[-1].last_seq, chars, builder.postings)
        return True


def _to_join(rows: Sequence[SearchSegment]) -> list[SearchSegment]:
    for at in range(len(rows) - _FAN + 1):
        some = list(rows[at : at + _FAN])
        size = some[-1].last_seq - some[0].first_seq + 1
        beside = all(one.last_seq + 1 == two.first_seq for one, two in pairwise(some))
        small = size <= segments.MOST and sum(row.chars for row in some) <= _MOST_CHARS
        if beside and small and len({_level(row) for row in some}) == 1:
            return some
    return []


def _level(row: SearchSegment) -> int:
    size, level = (row.last_seq - row.first_seq + 1) // SMALLEST, 0
    while size >= _FAN:
        size, level = size // _FAN, level + 1
    return level


def _insert(tape_id: int, first: int, last: int, chars: int, found: segments.Postings) -> None:
    packed = segments.pack(found)
    row = SearchSegment.objects.create(
        tape_id=tape_id,
        first_seq=first,
        last_seq=last,
        chars=chars,
        dictionary=packed.dictionary,
        starts=packed.starts,
    )
    SearchPostings.objects.bulk_create(
        [
            SearchPostings(segment_id=row.pk, part=part, postings=postings)
            for part, postings in enumerate(packed.parts)
        ],
        batch_size=200,
    )


def _lock(tape_id: int) -> None:
    """Stand in one queue with other sealing and with forgetting, never with appends."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT tapes_search_lock(%s)", [tape_id])
