"""Finished tapes go to the archive: closed ones, and those still for long with no open topic (T15)."""

from __future__ import annotations

import datetime
import logging
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.utils import timezone

from tapes import store, views
from tapes.errors import TapeError, TapeInUse
from tapes.models import ArchiveCopy, Tape
from tapes.stores import archiving
from topics.models import Topic, TopicStatus

if TYPE_CHECKING:
    from collections.abc import Sequence

STILL = "nothing happened for {days} days"

logger = logging.getLogger(__name__)


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


def archive_due(days: int, *, now: datetime.datetime | None = None) -> Sequence[Copied]:
    """Copy every closed tape that has no copy; close and copy those still for so many days.

    One that cannot be copied stops no other: the log tells, and the next run tries again.
    """
    copied = []
    for tape in _due((now or timezone.now()) - datetime.timedelta(days=days)):
        try:
            copied.append(archive(tape, close=True, why=STILL.format(days=days)))
        except TapeError as error:
            logger.error("tape %s was not archived: %s: %s", tape.id, error.code, error)  # noqa: TRY400 — the words are enough
    return copied


def _due(before: datetime.datetime) -> Iterator[Tape]:
    copied = set(ArchiveCopy.objects.values_list("tape_id", flat=True))
    busy = set(Topic.objects.filter(status=TopicStatus.OPEN).values_list("tape_id", flat=True))
    for tape in store.every():
        if tape.id in copied:
            continue
        if tape.archived_at is not None or (tape.id not in busy and _moved(tape) < before):
            yield tape


def _closed(tape_id: int, why: str) -> Tape:
    with transaction.atomic():
        tape = store.close(tape_id, why=why)
        # Looked at under the tape's lock: a topic starts with an entry, which must wait for it.
        if Topic.objects.filter(tape_id=tape_id, status=TopicStatus.OPEN).exists():
            raise TapeInUse(f"tape {tape_id} has an open topic")
    return tape


def _moved(tape: Tape) -> datetime.datetime:
    # An imported entry may be dated long before it came here.
    return max([tape.created_at, *(entry.date for entry in views.at([(tape.id, tape.head)]))])
