"""Moves closed tapes of the database to the archive: copies, whole partitions that leave, returns.

A copy is verified before its row says it is there. Rows leave only as whole partitions (ranges of
tape ids), under the owner's role, after every copy of the partition was verified once more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from django.db import connections, transaction
from django.utils import timezone

from tapes import models, paging, partitions, store
from tapes.archive import departed
from tapes.archive.copies import ChangedCopy
from tapes.archive.objects import MissingObject
from tapes.erasure import OWNER
from tapes.errors import TapeInUse
from tapes.models import ArchiveCopy
from tapes.search import index as search_index
from tapes.source import AnchorPlace, ForkState
from tapes.tape_info import TapeInfo

if TYPE_CHECKING:
    from tapes.archive.copies import Copy
    from tapes.entries import Entry
    from tapes.partitions import Partition
    from tapes.records import Record

_ROWS_AT_ONCE = 500


def copy(tape_id: int) -> ArchiveCopy:
    """Copy a closed tape to the archive, or verify the copy it has.

    Raises `TapeInUse`, `copies.ChangedCopy`, `objects.ArchiveUnreachable`.
    """
    tape = store.get(tape_id)
    if tape.archived_at is None:
        raise TapeInUse(f"tape {tape_id} is in use: close it before it goes to the archive")
    existing = ArchiveCopy.objects.filter(tape_id=tape_id).first()
    if existing is not None and _is_whole(existing, tape):
        return existing
    return recopy(tape_id)


def recopy(tape_id: int) -> ArchiveCopy:
    """Write a new copy from the database and remove the one before, as after an erasure.

    Raises `copies.ChangedCopy` when the rows have left: `restore` them before.
    """
    place = departed.archive()
    before = ArchiveCopy.objects.filter(tape_id=tape_id).first()
    if before is not None and before.left_at is not None:
        raise ChangedCopy(f"the rows of tape {tape_id} have left, there is nothing to copy")
    while True:
        tape, copied = _written(tape_id)
        kept, _ = ArchiveCopy.objects.update_or_create(
            tape_id=tape_id,
            defaults={
                "folder": copied.folder,
                "digest": copied.digest,
                "bytes": copied.bytes,
                "copied_at": timezone.now(),
            },
        )
        if before is not None:
            place.remove(before.folder)
        # An erasure adds an entry; whoever erased before this row was there relied on us to look.
        if store.get(tape_id).head == tape.head:
            return kept
        before = kept


def leave() -> list[Partition]:
    """Drop every partition whose tapes are all closed and copied; return those dropped.

    Raises `copies.ChangedCopy` when a copy is not whole; its partition stays.
    """
    dropped = []
    for partition in partitions.state().partitions:
        tapes = list(models.Tape.objects.filter(id__gte=partition.first, id__lt=partition.end))
        if not _may_leave(partition, tapes):
            continue
        for tape in tapes:
            existing = ArchiveCopy.objects.get(tape_id=tape.id)
            if not _is_whole(existing, tape):
                raise ChangedCopy(f"the copy of tape {tape.id} is not whole")
            # What search keeps stays behind: without it every search would read the whole copy.
            search_index.seal(tape.id, smallest=1)
        _drop(partition)
        dropped.append(partition)
    return dropped


def restore(tape_id: int) -> int:
    """Put the rows of a tape back into the database from its copy; return how many came back.

    They stay in the partition of the rest from then on. Raises `copies.ChangedCopy`.
    """
    archived = departed.source(tape_id)
    if archived is None:
        return 0
    tape = store.get(tape_id)
    count = 0
    with transaction.atomic(using=OWNER):
        rows: list[models.Entry] = []
        for record in archived.records():
            rows.append(_row(record))
            count += 1
            if len(rows) == _ROWS_AT_ONCE:
                models.Entry.objects.using(OWNER).bulk_create(rows)
                rows = []
        models.Entry.objects.using(OWNER).bulk_create(rows)
        if count != tape.head:
            raise ChangedCopy(f"the copy of tape {tape_id} has {count} entries of {tape.head}")
        ArchiveCopy.objects.using(OWNER).filter(tape_id=tape_id).update(left_at=None)
    return count


class _Rows:
    """A tape of the database as an archive copies it."""

    def __init__(self, tape_id: int) -> None:
        self._tape_id = tape_id
        self._entries = models.Entry.objects.filter(tape_id=tape_id)

    def anchors(self) -> Sequence[AnchorPlace]:
        rows = models.Anchor.objects.filter(tape_id=self._tape_id).order_by("seq")
        return [
            AnchorPlace(row.seq, row.name, row.state, row.moves_window, row.fork_id) for row in rows
        ]

    def forks(self) -> Mapping[int, ForkState]:
        rows = models.Fork.objects.filter(tape_id=self._tape_id).order_by("id")
        return {
            row.pk: ForkState(row.pk, row.state, row.token, row.base_seq, row.closed_seq)
            for row in rows
        }

    def stretch(self, first: int, last: int | None) -> Iterator[Entry]:
        rows = self._entries.filter(seq__gte=first)
        yield from paging.entries(rows if last is None else rows.filter(seq__lte=last))

    def records(self) -> Iterator[Record]:
        return paging.records(self._entries)


def _written(tape_id: int) -> tuple[models.Tape, Copy]:
    with paging.snapshot():
        tape = store.get(tape_id)
        info = TapeInfo(tape.id, tape.name, tape.head, tape.created_at, tape.archived_at)
        rows = _Rows(tape_id)
        head_hash = bytes(tape.head_hash)
        return tape, departed.archive().write(info, head_hash, rows, rows.records())


def _is_whole(existing: ArchiveCopy, tape: models.Tape) -> bool:
    """Whether a copy proves, hash by hash, to be the tape as the database's head knows it."""
    try:
        archived = departed.archive().open(existing.folder, existing.digest)
        same = archived.manifest["tape"]["hash"] == bytes(tape.head_hash).hex()
        return same and archived.verify().ok
    except (ChangedCopy, MissingObject):
        return False


def _may_leave(partition: Partition, tapes: Sequence[models.Tape]) -> bool:
    """Whether no tape of the range is in use, and none will be: ids only grow."""
    newer = models.Tape.objects.filter(id__gte=partition.end).exists()
    copied = ArchiveCopy.objects.filter(tape_id__in=[tape.id for tape in tapes], left_at=None)
    closed = all(tape.archived_at is not None for tape in tapes)
    return bool(tapes) and newer and closed and copied.count() == len(tapes)


def _drop(partition: Partition) -> None:
    quoted = connections[OWNER].ops.quote_name(partition.table)
    with transaction.atomic(using=OWNER), connections[OWNER].cursor() as cursor:
        cursor.execute(f"ALTER TABLE tapes_entry DETACH PARTITION {quoted}")
        cursor.execute(f"DROP TABLE {quoted}")
        rows = ArchiveCopy.objects.using(OWNER)
        rows.filter(tape_id__gte=partition.first, tape_id__lt=partition.end).update(
            left_at=timezone.now()
        )


def _row(record: Record) -> models.Entry:
    entry = record.entry
    return models.Entry(
        tape_id=entry.tape_id,
        seq=entry.seq,
        kind=entry.kind,
        payload_text=record.payload_text,
        meta_text=record.meta_text,
        salt=record.salt,
        digest=entry.digest,
        hash=entry.hash,
        fork_id=entry.fork_id,
        topic_id=entry.topic_id,
        turn_id=entry.turn_id,
        step=entry.step,
        part=entry.part,
        actor=entry.actor,
        why=entry.why,
        sources=list(entry.sources),
        date=entry.date,
    )
