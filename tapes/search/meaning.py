"""Which entries have vectors: the only writer of spaces, marks and vectors (T13, T19).

A space holds the vectors of one embedding model. Vectors are handed in by who can make them;
what is here can be thrown away and made again from entries.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.db import connection, transaction
from django.db.models import F, Q
from django.db.models.functions import Now
from pgvector import HalfVector

from tapes import models
from tapes.models.meaning import EntryVector, MeaningMark, MeaningSpace

if TYPE_CHECKING:
    from tapes.search.passages import Batch, Passage

Space = MeaningSpace
LEASE = timedelta(minutes=5)
LONG_LEASE = timedelta(hours=2)
ORDERED_FROM = 20_000
"""Below so many vectors a look at all that may be seen is faster, and exact."""
_REMOVED_AT_ONCE = 5_000


class Lost(Exception):
    """Another worker fills the space now."""


@dataclass(frozen=True, slots=True)
class Due:
    """A tape with entries that were not looked at yet."""

    tape_id: int
    upto: int


def space(name: str) -> Space:
    """Return the space of that name, made where there is none."""
    return MeaningSpace.objects.get_or_create(name=name)[0]


def serving(name: str) -> Space | None:
    """Return the space of that name once it has a vector."""
    return MeaningSpace.objects.filter(name=name, dimension__isnull=False).first()


def claim(space_id: int) -> Space | None:
    """Return the space with a new token, or None while another has it or it rests after a failure."""
    free = Q(lease_until=None) | Q(lease_until__lt=Now())
    rested = Q(paused_until=None) | Q(paused_until__lte=Now())
    found = MeaningSpace.objects.filter(free, rested, pk=space_id)
    taken = found.update(token=F("token") + 1, lease_until=Now() + LEASE)
    return MeaningSpace.objects.get(pk=space_id) if taken else None


def note(held: Space, *fields: str, lease: timedelta = LEASE) -> None:
    """Write figures of a held space and renew its lease. Raises `Lost`."""
    values = {name: getattr(held, name) for name in fields}
    rows = MeaningSpace.objects.filter(pk=held.pk, token=held.token)
    if not rows.update(lease_until=Now() + lease, **values):
        raise Lost


def pause(held: Space, seconds: float) -> None:
    """Let a held space rest, with what its `error` says."""
    MeaningSpace.objects.filter(pk=held.pk, token=held.token).update(
        error=held.error, failures=held.failures, paused_until=Now() + timedelta(seconds=seconds)
    )


def let_go(held: Space) -> None:
    """Give a held space back."""
    MeaningSpace.objects.filter(pk=held.pk, token=held.token).update(lease_until=None)


_DUE = """
SELECT t.id, coalesce(m.upto, 0) FROM tapes_tape AS t
  LEFT JOIN tapes_meaningmark AS m ON m.tape_id = t.id AND m.space_id = %(space)s
  LEFT JOIN tapes_archivecopy AS c ON c.tape_id = t.id
 WHERE t.head > coalesce(m.upto, 0) AND c.left_at IS NULL
   AND NOT starts_with(t.name, %(without)s)
 ORDER BY t.id DESC LIMIT %(limit)s
"""


def due(held: Space, *, without: str, limit: int = 100) -> list[Due]:
    """Return the newest tapes with entries not looked at, but for those whose name begins so."""
    with connection.cursor() as cursor:
        cursor.execute(_DUE, {"space": held.pk, "without": without, "limit": limit})
        return [Due(tape_id, upto) for tape_id, upto in cursor.fetchall()]


def write(held: Space, batch: Batch, vectors: Sequence[Any | None]) -> int:
    """Keep a vector a passage and that the tape was looked at so far; return how many were kept.

    None stands for a passage that has no vector. What was erased meanwhile gets none: erasing and
    writing stand in one queue. Raises `Lost`.
    """
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SELECT tapes_search_lock(%s)", [batch.tape_id])
        note(held)
        worded = _worded(batch)
        rows = [
            _row(held, passage, vector)
            for passage, vector in zip(batch.passages, vectors, strict=True)
            if vector is not None and passage.entry.seq in worded
        ]
        EntryVector.objects.bulk_create(rows, ignore_conflicts=True)
        MeaningMark.objects.bulk_create(
            [MeaningMark(tape_id=batch.tape_id, space=held, upto=batch.upto)],
            update_conflicts=True,
            update_fields=["upto"],
            unique_fields=["tape_id", "space_id"],
        )
    return len(rows)


def _worded(batch: Batch) -> set[int]:
    seqs = {passage.entry.seq for passage in batch.passages}
    rows = models.Entry.objects.filter(tape_id=batch.tape_id, seq__in=seqs, salt__isnull=False)
    return set(rows.values_list("seq", flat=True))


def _row(held: Space, passage: Passage, vector: Any) -> EntryVector:
    entry = passage.entry
    return EntryVector(
        tape_id=entry.tape_id,
        seq=entry.seq,
        part=passage.part,
        space=held,
        begins=passage.begins,
        kind=entry.kind,
        topic_id=entry.topic_id,
        fork_id=entry.fork_id,
        sources=list(entry.sources),
        embedding=HalfVector(vector),
    )


def order(held: Space) -> None:
    """Make the index of neighbours, once there are many vectors. Raises `Lost`."""
    if held.ordered or EntryVector.objects.filter(space=held).count() < ORDERED_FROM:
        return
    note(held, lease=LONG_LEASE)  # many vectors take their time
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT tapes_order_meaning(%s)", [held.pk])
        held.ordered = True
        note(held, "ordered")


def keep_only(held: Space) -> None:
    """Remove every other space, a part of its vectors at a time: another model has been chosen."""
    for other in MeaningSpace.objects.exclude(pk=held.pk):
        with connection.cursor() as cursor:
            cursor.execute("SELECT tapes_forget_meaning_order(%s)", [other.pk])
        while _removed(other):
            pass
        other.delete()


def _removed(other: Space) -> int:
    with connection.cursor() as cursor:
        cursor.execute(
            "DELETE FROM tapes_entryvector WHERE ctid = ANY (ARRAY("
            "SELECT ctid FROM tapes_entryvector WHERE space_id = %s LIMIT %s))",
            [other.pk, _REMOVED_AT_ONCE],
        )
        return int(cursor.rowcount)


def states() -> Iterable[dict[str, Any]]:
    """Tell of every space how many vectors it has, on how many tapes, and what it waits for."""
    for row in MeaningSpace.objects.order_by("pk"):
        yield {
            "name": row.name,
            "dimension": row.dimension,
            "vectors": EntryVector.objects.filter(space=row).count(),
            "tapes": MeaningMark.objects.filter(space=row).count(),
            "error": row.error,
            "paused_until": row.paused_until,
        }
