"""The log of heads outside the database: what `verify` holds a tape against.

A line is JSON: `{"tape", "name", "at", "first", "head", "hash", "marks"}`. `hash` is the head's;
`marks` holds the first 8 bytes of the hash of every entry from `first` to `head`, in hex, so that
the first entry of a rewritten chain can be named and not only the stretch it lies in.
"""

from __future__ import annotations

import datetime
import json
import logging
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection

from tapes import models
from tapes.heads import log as heads_log
from tapes.heads import reached as heads_reached

_logger = logging.getLogger(__name__)

MARK_BYTES = 8
_ENTRIES_A_LINE = 10_000


@dataclass(slots=True)
class Logged:
    """What the log knows of one tape."""

    marks: bytearray = field(default_factory=bytearray)
    """`MARK_BYTES` of every entry's hash, from seq 1 on."""

    @property
    def head(self) -> int:
        """The newest seq logged."""
        return len(self.marks) // MARK_BYTES

    def add(self, line: Mapping[str, Any]) -> None:
        """Take in a line of the log."""
        known = self.head - line["first"] + 1
        # Zeros stand for entries no line speaks of.
        self.marks += bytes(max(-known, 0) * MARK_BYTES)
        self.marks += bytes.fromhex(line["marks"])[max(known, 0) * MARK_BYTES :]

    def mark(self, seq: int) -> bytes | None:
        """The start of the hash entry `seq` had when it was logged."""
        mark = bytes(self.marks[(seq - 1) * MARK_BYTES : seq * MARK_BYTES])
        return mark if any(mark) else None


def log_path() -> Path:
    """Where this installation keeps its log: copy it away from the database's machine."""
    return Path(settings.VAR) / "tape-heads.jsonl"


def write(path: Path) -> int:
    """Append what tapes have gained since the last writing; return the number of lines.

    Safe beside another writer, and looks at no tape that has not moved since. A tape that lacks
    entries is left to `verify`, and looked at again each time.
    """
    with heads_log.locked(path) as log, heads_reached.opened(path, log) as reached:
        moved, tapes = _moved(reached.moved)
        lines, whole = 0, True
        for tape_id, name, head in tapes:
            known = reached.head(tape_id)
            for line, last in _lines(tape_id, name, known + 1, head):
                log.write(line)
                reached.reach(tape_id, last)
                known = last
                lines += 1
            whole &= known >= head
        if lines:
            log.flush()
            os.fsync(log.fileno())
        reached.bytes = log.tell()
        reached.moved = moved if whole else reached.moved
        reached.keep()
    return lines


def read(path: Path) -> dict[int, Logged]:
    """Return what the log knows of each tape; the first word about an entry counts.

    Takes `MARK_BYTES` of memory for every entry. Raises `heads_log.BrokenLog`.
    """
    found: dict[int, Logged] = {}
    for line in heads_log.lines(path):
        found.setdefault(line["tape"], Logged()).add(line)
    return found


def of(path: Path, tape_id: int) -> Logged:
    """Return what the log knows of one tape; else as `read`."""
    logged = Logged()
    for line in heads_log.lines(path, tape_id=tape_id):
        logged.add(line)
    return logged


_SNAPSHOT = "SELECT pg_snapshot_xmin(pg_current_snapshot())::text"
_MOVED = """
SELECT id, name, head FROM tapes_tape
WHERE %(since)s::xid8 IS NULL OR %(since)s::xid8 > %(now)s::xid8
   OR age(xmin) <= age(%(since)s::xid8::xid)
ORDER BY id
"""


def _moved(since: str) -> tuple[str, Sequence[tuple[int, str, int]]]:
    """Where to go on next time, and the tapes that a transaction from `since` on has moved.

    A row's `xmin` is the transaction that wrote it last, so appending pays nothing for this: the
    server reads the rows of all tapes, which are short, and sends those that moved. A number from
    another server, higher than this one's, says nothing; then all are looked at.
    """
    with connection.cursor() as cursor:
        cursor.execute(_SNAPSHOT)
        (now,) = cursor.fetchone()
        cursor.execute(_MOVED, {"since": since or None, "now": now})
        return now, cursor.fetchall()


def _lines(tape_id: int, name: str, start: int, head: int) -> Iterator[tuple[bytes, int]]:
    for first in range(start, head + 1, _ENTRIES_A_LINE):
        last = min(head, first + _ENTRIES_A_LINE - 1)
        hashes = _hashes(tape_id, first, last)
        if len(hashes) != last - first + 1:
            _logger.error("tape %s lacks entries between %s and %s", tape_id, first, last)
            return
        yield _line(tape_id, name, first, hashes), last


def _hashes(tape_id: int, first: int, last: int) -> list[bytes]:
    rows = models.Entry.objects.filter(tape_id=tape_id, seq__gte=first, seq__lte=last)
    return [bytes(value) for value in rows.order_by("seq").values_list("hash", flat=True)]


def _line(tape_id: int, name: str, first: int, hashes: list[bytes]) -> bytes:
    line = {
        "tape": tape_id,
        "name": name,
        "at": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "first": first,
        "head": first + len(hashes) - 1,
        "hash": hashes[-1].hex(),
        "marks": b"".join(value[:MARK_BYTES] for value in hashes).hex(),
    }
    return json.dumps(line, ensure_ascii=False).encode() + b"\n"
