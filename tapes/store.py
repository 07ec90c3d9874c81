"""The only writer of entries: every append is one call of one database function."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack

from django.db import connection

from tapes import anchors, entries, exact_text, signals
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
    "create",
    "every",
    "find",
    "get",
    "handoff",
    "spill",
    "unspill",
]

_APPEND = """
SELECT first_seq, written_at, digests, hashes FROM tapes_append(
    %s::bigint, %s::bigint, %s::bigint, %s::bigint, %s::text[], %s::text[], %s::text[],
    %s::bigint[], %s::bigint[], %s::integer[], %s::integer[], %s::text[], %s::text[], %s::text[],
    %s::boolean[], %s::bytea)
"""

_SEED_BYTES = 16
"""Randomness of one call; every entry's salt is derived from it and its seq."""


class _Row(NamedTuple):
    """One entry as the database function takes it, in the order of its arrays."""

    kind: str
    payload: str
    meta: str
    topic_id: int | None
    turn_id: int | None
    step: int | None
    part: int | None
    actor: str
    why: str
    sources: str
    moves_window: bool


class _Written(NamedTuple):
    first_seq: int
    date: Any
    digests: list[bytes]
    hashes: list[bytes]


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
    """Return the tape in use of that name, else the newest archived one. Raises `UnknownTape`."""
    archived = Tape.objects.filter(name=name).order_by("-archived_at").first()
    tape = find(name) or archived
    if tape is None:
        raise UnknownTape(f"there is no tape named {name!r}")
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
    rows = [_row(entry) for entry in new]
    columns = [_array(column) for column in zip(*rows, strict=True)] or ["{}"] * len(_Row._fields)
    place = (tape_id, expected_head, fork.id if fork else None, fork.token if fork else None)
    with named(), connection.cursor() as cursor:
        cursor.execute(_APPEND, [*place, *columns, os.urandom(_SEED_BYTES)])
        written = _Written(*cursor.fetchone())
    recorded = [
        _recorded(entry, rows[index], written, place=(tape_id, index), fork=fork)
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


def _row(entry: NewEntry) -> _Row:
    exact_text.check(entry)
    return _Row(
        kind=entry.kind,
        payload=exact_text.of(entry.payload),
        meta=exact_text.of(entry.meta),
        topic_id=entry.topic_id,
        turn_id=entry.turn_id,
        step=entry.step,
        part=entry.part,
        actor=entry.actor,
        why=entry.why,
        sources="{" + ",".join(map(str, _sources(entry))) + "}",
        moves_window=entry.kind == entries.ANCHOR and anchors.moves_window(entry.payload["name"]),
    )


def _array(values: Iterable[str | int | None]) -> str:
    """PostgreSQL's text form of an array; the driver's own way there costs as much as the INSERT."""
    return "{" + ",".join(_element(value) for value in values) + "}"


def _element(value: str | int | None) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return str(value)


def _sources(entry: NewEntry) -> Iterable[int]:
    return sorted(set(entry.sources))


def _recorded(
    entry: NewEntry,
    row: _Row,
    written: _Written,
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
        sources=tuple(_sources(entry)),
    )
