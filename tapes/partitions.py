"""Partitions of the table of entries: ranges of tape ids, made ahead of need by the owner's role."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import connections, transaction

from tapes.erasure import OWNER

if TYPE_CHECKING:
    from django.db.backends.utils import CursorWrapper

TAPES_A_PARTITION = 20_000
AHEAD = 2
"""Partitions without any tape that should be there."""
_BOUNDS = re.compile(r"FROM \('(\d+)'\) TO \('(\d+)'\)")
_LOCK_SECONDS = 10


@dataclass(frozen=True, slots=True)
class Partition:
    """A table of the entries of a range of tapes."""

    table: str
    first: int
    end: int
    """The first tape id after it."""


@dataclass(frozen=True, slots=True)
class State:
    """How well the partitions fit the tapes there are."""

    partitions: list[Partition]
    newest_tape: int
    overflowed: bool
    """Whether entries of tapes beyond the last partition lie in the partition of the rest."""

    @property
    def free(self) -> int:
        """Partitions that no tape has come to yet."""
        return sum(1 for partition in self.partitions if partition.first > self.newest_tape)

    @property
    def end(self) -> int:
        """The first tape id that has no partition of its own."""
        return max((partition.end for partition in self.partitions), default=0)


def state() -> State:
    """Look, under the owner's role."""
    with connections[OWNER].cursor() as cursor:
        found = _partitions(cursor)
        cursor.execute("SELECT coalesce(max(id), 0) FROM tapes_tape")
        (newest,) = cursor.fetchone()
        end = max((partition.end for partition in found), default=0)
        cursor.execute("SELECT EXISTS (SELECT FROM tapes_entry_rest WHERE tape_id >= %s)", [end])
        (overflowed,) = cursor.fetchone()
    return State(found, newest, overflowed)


def make_ahead(ahead: int = AHEAD) -> list[Partition]:
    """Make partitions until so many are free; return the new ones.

    Entries of tapes that came before their partition did are moved into it from the rest. Writers
    wait for nothing but the moment in which the rest is locked; where that lock cannot be had in
    ten seconds the database's refusal is raised, and another time will do.
    """
    made: list[Partition] = []
    while (now := state()).free < ahead:
        first = now.end
        table = f"tapes_entry_p{first // TAPES_A_PARTITION:03}"
        partition = Partition(table, first, first + TAPES_A_PARTITION)
        with transaction.atomic(using=OWNER), connections[OWNER].cursor() as cursor:
            _make(cursor, partition)
        made.append(partition)
    return made


def _partitions(cursor: CursorWrapper) -> list[Partition]:
    cursor.execute(
        "SELECT relname, pg_get_expr(relpartbound, oid) FROM pg_class JOIN pg_inherits"
        " ON inhrelid = oid WHERE inhparent = 'tapes_entry'::regclass"
    )
    found = [(table, _BOUNDS.search(bounds)) for table, bounds in cursor.fetchall()]
    partitions = [Partition(table, int(m[1]), int(m[2])) for table, m in found if m is not None]
    return sorted(partitions, key=lambda partition: partition.first)


def _make(cursor: CursorWrapper, partition: Partition) -> None:
    """Beside the table first, since attaching locks less than making it in its place."""
    bounds = [partition.first, partition.end]
    cursor.execute(f"SET LOCAL lock_timeout = '{_LOCK_SECONDS}s'")
    # Two that make the same one stand in a queue; the second finds it there and fails whole.
    cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended('tapes.partitions', 0))")
    cursor.execute(f"CREATE TABLE {partition.table} (LIKE tapes_entry INCLUDING ALL)")
    cursor.execute(
        "SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) FROM pg_attribute"
        " WHERE attrelid = 'tapes_entry'::regclass AND attnum > 0 AND NOT attisdropped"
        " AND attgenerated = ''"
    )
    (columns,) = cursor.fetchone()
    cursor.execute("LOCK TABLE tapes_entry_rest IN ACCESS EXCLUSIVE MODE")
    cursor.execute(
        # Columns are the catalogue's own, quoted.
        "WITH moved AS (DELETE FROM tapes_entry_rest WHERE tape_id >= %s AND tape_id < %s"  # noqa: S608
        f" RETURNING {columns}) INSERT INTO {partition.table} ({columns}) SELECT * FROM moved",
        bounds,
    )
    cursor.execute(
        f"ALTER TABLE tapes_entry ATTACH PARTITION {partition.table} FOR VALUES FROM (%s) TO (%s)",
        bounds,
    )
