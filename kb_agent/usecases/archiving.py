"""Finished tapes go to the archive; partitions of the database leave when all their tapes have."""

from __future__ import annotations

import datetime
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.utils import timezone

from tapes import store, views
from tapes.errors import TapeInUse
from tapes.stores import archiving
from topics.models import Topic, TopicStatus

if TYPE_CHECKING:
    from tapes.store import Tape

STILL = "nothing happened for {days} days"


@dataclass(frozen=True, slots=True)
class Copied:
    """A tape whose copy in the archive was verified."""

    id: int
    name: str
    entries: int
    bytes: int
    folder: str

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


def archive(tape: Tape, *, close: bool = False, why: str = "") -> Copied:
    """Copy a closed tape; `close` ends one that is in use before, for good.

    Raises `TapeInUse` when it is in use, or has an open topic.
    """
    if close and tape.archived_at is None:
        tape = _closed(tape.id, why)
    copy = archiving.copy(tape.id)
    return Copied(tape.id, tape.name, tape.head, copy.bytes, copy.folder)


def archive_still(days: int) -> list[Copied]:
    """Close and copy every tape without an open topic on which nothing happened for so long."""
    before = timezone.now() - datetime.timedelta(days=days)
    return [
        archive(tape, close=True, why=STILL.format(days=days))
        for tape in store.every()
        if tape.archived_at is None and not _has_open_topic(tape.id) and _moved(tape) < before
    ]


def leave() -> list[str]:
    """Drop the partitions whose tapes are all archived and verified; return their tables' names."""
    return [partition.table for partition in archiving.leave()]


def _closed(tape_id: int, why: str) -> Tape:
    with transaction.atomic():
        tape = store.close(tape_id, why=why)
        # Looked at under the tape's lock: a topic starts with an entry, which must wait for it.
        if _has_open_topic(tape_id):
            raise TapeInUse(f"tape {tape_id} has an open topic")
    return tape


def _has_open_topic(tape_id: int) -> bool:
    return Topic.objects.filter(tape_id=tape_id, status=TopicStatus.OPEN).exists()


def _moved(tape: Tape) -> datetime.datetime:
    # An imported entry may be dated long before it came here.
    return max([tape.created_at, *(entry.date for entry in views.at([(tape.id, tape.head)]))])
