"""How entries travel to the one database function that writes them, and what comes back."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from django.db import connection

from tapes import anchors, entries, exact_text
from tapes.errors import named

if TYPE_CHECKING:
    import datetime

    from tapes.entries import NewEntry

_APPEND = """
SELECT first_seq, written_at, digests, hashes FROM tapes_append(
    %s::bigint, %s::bigint, %s::bigint, %s::bigint, %s::text[], %s::text[], %s::text[],
    %s::bigint[], %s::bigint[], %s::integer[], %s::integer[], %s::text[], %s::text[], %s::text[],
    %s::boolean[], %s::bytea, %s::timestamptz[])
"""

_APPEND_ONE = """
SELECT first_seq, written_at, digest, hash FROM tapes_append_one(
    %s::bigint, %s::bigint, %s::bigint, %s::bigint, %s, %s, %s, %s::bigint, %s::bigint,
    %s::integer, %s::integer, %s, %s, %s::bigint[], %s::boolean, %s::bytea)
"""

_SEED_BYTES = 16
"""Randomness of one call; every entry's salt is derived from it and its seq."""


class Row(NamedTuple):
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


class Written(NamedTuple):
    first_seq: int
    date: Any
    digests: list[bytes]
    hashes: list[bytes]


def row(entry: NewEntry) -> Row:
    """Return an entry, checked before, as the function takes it."""
    return Row(
        kind=entry.kind,
        payload=exact_text.of(entry.payload),
        meta=exact_text.of(entry.meta),
        topic_id=entry.topic_id,
        turn_id=entry.turn_id,
        step=entry.step,
        part=entry.part,
        actor=entry.actor,
        why=entry.why,
        sources="{" + ",".join(map(str, sources(entry))) + "}",
        moves_window=entry.kind == entries.ANCHOR and anchors.moves_window(entry.payload["name"]),
    )


def write(
    place: tuple[int, int | None, int | None, int | None],
    rows: Sequence[Row],
    dates: Sequence[datetime.datetime] | None = None,
) -> Written:
    """Call the function for (tape, expected head, fork, token); `dates` are for imports only.

    One entry has a function of its own, which is quicker and falls back on the other.
    """
    if len(rows) == 1 and dates is None:
        return _write_one(place, rows[0])
    columns = [_array(column) for column in zip(*rows, strict=True)] or ["{}"] * len(Row._fields)
    given = None if dates is None else list(dates)
    with named(), connection.cursor() as cursor:
        cursor.execute(_APPEND, [*place, *columns, os.urandom(_SEED_BYTES), given])
        return Written(*cursor.fetchone())


def _write_one(place: tuple[int, int | None, int | None, int | None], row: Row) -> Written:
    with named(), connection.cursor() as cursor:
        cursor.execute(_APPEND_ONE, [*place, *row, os.urandom(_SEED_BYTES)])
        first_seq, date, digest, hash_ = cursor.fetchone()
    return Written(first_seq, date, [digest], [hash_])


def _array(values: Iterable[str | int | None]) -> str:
    """PostgreSQL's text form of an array; the driver's own way there costs as much as the INSERT."""
    return "{" + ",".join(_element(value) for value in values) + "}"


def _element(value: str | int | None) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return str(value)


def sources(entry: NewEntry) -> list[int]:
    """Return the repositories of an entry, each once, in order."""
    return sorted(set(entry.sources))
