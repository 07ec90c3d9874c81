"""The only writer of entries: every append is one call of one database function."""

from __future__ import annotations

import datetime
import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Unpack

from django.db import connection, transaction

from tapes import anchors, entries, exact_text, projections, rows, signals
from tapes.entries import Context, Entry, NewEntry
from tapes.errors import (
    ForkClosed,
    InvalidEntry,
    NameTaken,
    PayloadTooLarge,
    StaleFork,
    StepRecorded,
    TapeArchived,
    TapeError,
    UnknownFork,
    UnknownSpill,
    UnknownTape,
    WrongHead,
    named,
)
from tapes.models import Spill, Tape

if TYPE_CHECKING:
    from tapes.forks import ForkHandle
    from tapes.rows import Row, Written

Batch = Sequence[tuple[NewEntry, datetime.datetime]]
"""Entries of a file, checked by its reader, and when they were written."""
Place = tuple[int, int | None, int | None, int | None]
"""Tape, expected head, fork, the fork's token."""

__all__ = [
    "ForkClosed",
    "InvalidEntry",
    "NameTaken",
    "PayloadTooLarge",
    "StaleFork",
    "StepRecorded",
    "Tape",
    "TapeArchived",
    "TapeError",
    "UnknownFork",
    "UnknownSpill",
    "UnknownTape",
    "WrongHead",
    "append",
    "by_name",
    "close",
    "create",
    "every",
    "find",
    "get",
    "handoff",
    "in_use",
    "load",
    "spill",
    "unspill",
]


def create(
    name: str,
    *,
    state: Mapping[str, Any] | None = None,
    actor: str = "system",
    why: str = "",
) -> Tape:
    """Open a tape with anchor `session/start`. Raises `NameTaken`, `InvalidEntry`."""
    opening = entries.anchor(anchors.SESSION_START, state, actor=actor, why=why)
    exact_text.check(opening)
    payload = exact_text.of(opening.payload)
    with named(), connection.cursor() as cursor:
        cursor.execute(
            "SELECT tapes_create(%s, %s, %s, %s)",
            [exact_text.check_name(name), payload, actor, why],
        )
        (tape_id,) = cursor.fetchone()
    return get(tape_id)


def find(name: str) -> Tape | None:
    """Return the tape in use of that name."""
    return Tape.objects.filter(name=name, archived_at=None).first()


def by_name(name: str) -> Tape:
    """Return the tape in use of that name, else the newest archived one.

    Raises `UnknownTape`, and `InvalidEntry` for what can be no name.
    """
    exact_text.check_plain(name)
    archived = Tape.objects.filter(name=name).order_by("-archived_at").first()
    tape = find(name) or archived
    if tape is None:
        raise UnknownTape(f"there is no tape named {name!r}")
    return tape


def in_use(name: str) -> Tape:
    """Return the tape in use of that name, made when there is none. Raises `InvalidEntry`."""
    tape = find(name)
    if tape is None:
        try:
            with transaction.atomic():
                return create(name)
        except NameTaken:  # another writer was first
            return in_use(name)
    return tape


def every() -> list[Tape]:
    """Return all tapes, archived ones too, oldest first."""
    return list(Tape.objects.order_by("id"))


def get(tape_id: int) -> Tape:
    """Return a tape by id. Raises `UnknownTape`."""
    tape = Tape.objects.filter(id=tape_id).first()
    if tape is None:
        raise UnknownTape(f"there is no tape {tape_id}")
    return tape


def append(
    tape_id: int,
    new: Sequence[NewEntry],
    *,
    expected_head: int | None = None,
    fork: ForkHandle | None = None,
) -> list[Entry]:
    """Append entries, all or none, inside the caller's transaction when there is one.

    Raises `WrongHead` when the tape is not at `expected_head`; `StaleFork`, `ForkClosed` when the
    fork's token or state forbid it; `StepRecorded` when a part of a step is there already;
    `InvalidEntry`, `UnknownTape`, `TapeArchived`.
    """
    for entry in new:
        exact_text.check(entry)
    place = (tape_id, expected_head, fork.id if fork else None, fork.token if fork else None)
    if not projections.wanted(new):
        return _append(place, new, fork)
    with transaction.atomic():
        recorded = _append(place, new, fork)
        projections.project(recorded)
    return recorded


def _append(place: Place, new: Sequence[NewEntry], fork: ForkHandle | None) -> list[Entry]:
    tape_id, written_as = place[0], [rows.row(entry) for entry in new]
    written = rows.write(place, written_as)
    recorded = [
        _recorded(entry, written_as[index], written, place=(tape_id, index), fork=fork)
        for index, entry in enumerate(new)
    ]
    turns = sorted({entry.turn_id for entry in recorded if entry.turn_id is not None})
    signals.tell(tape_id, recorded[-1].seq, turns)
    return recorded


def handoff(
    tape_id: int,
    name: str,
    *,
    state: Mapping[str, Any] | None = None,
    fork: ForkHandle | None = None,
    **context: Unpack[Context],
) -> list[Entry]:
    """Append an anchor and the event `handoff`, so that the default view starts after it."""
    return append(tape_id, entries.handoff(name, state, **context), fork=fork)


def load(name: str, batches: Iterable[Batch]) -> Tape:
    """Fill a new tape from a file, all of it or nothing, in one transaction, with its own dates.

    There is no opening anchor but the file's own. Raises `NameTaken`, and `InvalidEntry` when
    there is no entry; whatever `batches` raises undoes everything.
    """
    last = 0
    with transaction.atomic(), named():
        with connection.cursor() as cursor:
            cursor.execute("SELECT tapes_import_open(%s)", [exact_text.check_name(name)])
            (tape_id,) = cursor.fetchone()
        for batch in batches:
            dates = [date for _, date in batch]
            written_as = [rows.row(entry) for entry, _ in batch]
            last = rows.write((tape_id, last, None, None), written_as, dates).first_seq
            last += len(batch) - 1
        with connection.cursor() as cursor:
            cursor.execute("SELECT tapes_import_close(%s)", [tape_id])
        signals.tell(tape_id, last, [])
    return get(tape_id)


def close(tape_id: int, **context: Unpack[Context]) -> Tape:
    """Close a tape for good, saying so in event `tape_closed`; its name is free again.

    Raises `UnknownTape`, `TapeArchived`.
    """
    event = entries.event(entries.TAPE_CLOSED, **context)
    exact_text.check_shape(event)
    with transaction.atomic():
        written = rows.write((tape_id, None, None, None), [rows.row(event)])
        with named(), connection.cursor() as cursor:
            cursor.execute("SELECT tapes_close(%s)", [tape_id])
        signals.tell(tape_id, written.first_seq, [])
    return get(tape_id)


def spill(text: str) -> str:
    """Store a text once and return its SHA-256 in hex."""
    digest = hashlib.sha256(exact_text.check_plain(text).encode()).hexdigest()
    Spill.objects.bulk_create([Spill(digest=digest, text=text)], ignore_conflicts=True)
    return digest


def unspill(digest: str) -> str:
    """Return the text stored under a digest. Raises `UnknownSpill`."""
    text = Spill.objects.filter(digest=digest).values_list("text", flat=True).first()
    if text is None:
        raise UnknownSpill(f"no text is stored under {digest}")
    return text


def _recorded(
    entry: NewEntry,
    row: Row,
    written: Written,
    *,
    place: tuple[int, int],
    fork: ForkHandle | None,
) -> Entry:
    tape_id, index = place
    return Entry(
        tape_id=tape_id,
        seq=written.first_seq + index,
        kind=entry.kind,
        payload=json.loads(row.payload),
        meta=json.loads(row.meta),
        date=written.date,
        digest=bytes(written.digests[index]),
        hash=bytes(written.hashes[index]),
        fork_id=fork.id if fork else None,
        topic_id=entry.topic_id,
        turn_id=entry.turn_id,
        step=entry.step,
        part=entry.part,
        actor=entry.actor,
        why=entry.why,
        sources=tuple(rows.sources(entry)),
    )
