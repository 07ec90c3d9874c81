"""The stores the suite is held against, each with what only a test may do to it."""

from __future__ import annotations

import gzip
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from django.db import connection, connections

from tapes.stores.folder import FolderStore
from tapes.stores.postgres import PostgresStore

if TYPE_CHECKING:
    from tapes.archive.copies import Archive
    from tapes.stores.protocol import Readable, Store

GZIP = b"\x1f\x8b"


@dataclass
class Postgres:
    """The database of the tests."""

    store: Store

    def finished(self, tape_id: int) -> Readable:
        """Close the tape; it is read where it was written."""
        self.store.close(tape_id)
        return self.store

    def another(self) -> Store:
        """The store as another process has it, which knows nothing yet."""
        return PostgresStore()

    def change(self, tape_id: int, seq: int) -> None:
        """Change words behind the store's back."""
        with connections["owner"].cursor() as cursor:
            cursor.execute(
                "UPDATE tapes_entry SET payload_text = replace(payload_text, 'fact', 'lie')"
                " WHERE tape_id = %s AND seq = %s",
                [tape_id, seq],
            )

    def says(self, words: str) -> bool:
        """Whether any row of tapes holds these words."""
        tables = ("tapes_entry", "tapes_anchor", "tapes_fork", "tapes_spill", "tapes_tape")
        told = " UNION ALL ".join(f"SELECT to_jsonb(r)::text FROM {table} AS r" for table in tables)
        with connections["owner"].cursor() as cursor:
            cursor.execute(
                f"SELECT EXISTS (SELECT FROM ({told}) AS t (text) WHERE text LIKE %s)",
                [f"%{words}%"],
            )
            return bool(cursor.fetchone()[0])

    def place(self) -> list[str]:
        """How another process finds this store."""
        return ["postgres", json.dumps(connection.settings_dict)]


@dataclass
class Folder:
    """A folder of files; with an archive, tapes are read there once finished."""

    root: Path
    archive: Archive | None = None

    def __post_init__(self) -> None:
        self.store: Store = FolderStore(self.root, self.archive)

    def finished(self, tape_id: int) -> Readable:
        """Close the tape, and copy it when there is an archive."""
        self.store.close(tape_id)
        if self.archive is None:
            return self.store
        self.store.archive(tape_id)
        return self.archive

    def another(self) -> Store:
        """The store as another process has it, which knows nothing yet."""
        return FolderStore(self.root, self.archive)

    def change(self, tape_id: int, seq: int) -> None:
        """Change words behind the store's back; every later byte stays in its place."""
        path = self.root / f"{tape_id}.jsonl"
        lines = path.read_bytes().split(b"\n")
        lines[seq - 1] = re.sub(rb"fact", b"lies", lines[seq - 1])
        path.write_bytes(b"\n".join(lines))

    def says(self, words: str) -> bool:
        """Whether any file, or object of the archive, holds these words."""
        texts = [path.read_bytes() for path in self.root.rglob("*") if path.is_file()]
        if self.archive is not None:
            objects = self.archive.objects
            packed = [objects.get(key) for key in objects.keys("")]
            texts += [gzip.decompress(one) if one[:2] == GZIP else one for one in packed]
        return any(words.encode() in text for text in texts)

    def place(self) -> list[str]:
        """How another process finds this store."""
        return ["folder", str(self.root)]


Shelf = Postgres | Folder


def postgres() -> Postgres:
    """The database's store."""
    return Postgres(PostgresStore())


def writers(shelf: Shelf, tape_id: int, task: str, count: int) -> list[subprocess.Popen[bytes]]:
    """Start eight processes that write to a tape."""
    command = [sys.executable, "-m", "tests.tapes.contract.writer", *shelf.place()]
    return [
        subprocess.Popen([*command, str(tape_id), task, str(count)], stdout=subprocess.PIPE)
        for _ in range(8)
    ]


def ended(processes: list[subprocess.Popen[bytes]]) -> Iterator[int]:
    """Wait for processes and yield their exit codes."""
    for process in processes:
        process.communicate(timeout=150)
        yield process.returncode
