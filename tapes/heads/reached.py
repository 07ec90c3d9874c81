"""How far each tape is logged, kept in a small SQLite file beside the log of heads.

It saves reading the log, and is made of it anew where it is missing or cannot be read.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from tapes.heads import log as heads_log

_TABLES = """
CREATE TABLE IF NOT EXISTS reached (tape INTEGER PRIMARY KEY, head INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS place (
    one INTEGER PRIMARY KEY CHECK (one = 1), log INTEGER NOT NULL, bytes INTEGER NOT NULL,
    moved TEXT NOT NULL)
"""
_RAISE = (
    "INSERT INTO reached VALUES (?, ?)"
    " ON CONFLICT (tape) DO UPDATE SET head = max(head, excluded.head)"
)


@dataclass(slots=True)
class Reached:
    """What is known of the log, up to a place in it."""

    rows: sqlite3.Connection
    log: int = 0
    """The number of the log's file that was read to `bytes`; 0 when nothing was read."""
    bytes: int = 0
    moved: str = ""
    """Tapes that no transaction from this one on has moved are logged to their heads."""

    def head(self, tape_id: int) -> int:
        """The newest entry of a tape that is logged, 0 for none."""
        found = self.rows.execute("SELECT head FROM reached WHERE tape = ?", [tape_id]).fetchone()
        return found[0] if found else 0

    def reach(self, tape_id: int, head: int) -> None:
        """Note that a tape is logged so far."""
        self.rows.execute(_RAISE, [tape_id, head])

    def keep(self) -> None:
        """Make all of it last."""
        place = [1, self.log, self.bytes, self.moved]
        self.rows.execute("INSERT OR REPLACE INTO place VALUES (?, ?, ?, ?)", place)
        self.rows.commit()


@contextmanager
def opened(path: Path, log: BinaryIO) -> Iterator[Reached]:
    """What is known of the log at this path, brought up to the end of its file that grows."""
    with closing(_connected(path.with_suffix(".reached"))) as rows:
        place = rows.execute("SELECT log, bytes, moved FROM place").fetchone()
        reached = Reached(rows, *(place or ()))
        if reached.log == heads_log.number(path):
            found = heads_log.after(log, reached.bytes)
        else:
            found = heads_log.lines(path)
        for line in found:
            reached.reach(line["tape"], line["head"])
        reached.log, reached.bytes = heads_log.number(path), log.tell()
        yield reached


def _connected(file: Path) -> sqlite3.Connection:
    rows = sqlite3.connect(file)
    try:
        rows.executescript(_TABLES)
    except sqlite3.DatabaseError:
        rows.close()
        file.unlink()
        rows = sqlite3.connect(file)
        rows.executescript(_TABLES)
    return rows
