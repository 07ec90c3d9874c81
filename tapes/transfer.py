"""Exports a tape of the database to a file, and imports one (T14)."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from tapes import jsonl, models, paging, store

if TYPE_CHECKING:
    from tapes.entries import Entry


def export(tape_id: int, file: BinaryIO, *, everything: bool = False) -> int:
    """Write the merged entries of a tape, or those of every fork too; return how many."""
    with paging.snapshot():
        return jsonl.write(file, _rows(tape_id, everything=everything))


def export_to(tape_id: int, path: Path, *, everything: bool = False) -> int:
    """Write a file that is there whole or not at all; else as `export`."""
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    part = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            count = export(tape_id, file, everything=everything)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    return count


def load(file: BinaryIO, name: str, *, skip_bad: bool = False) -> tuple[models.Tape, jsonl.Report]:
    """Make a new tape of a file, whole or not at all.

    Raises `jsonl.BadLine` naming the first line that is no entry, unless `skip_bad`;
    `jsonl.EmptyFile`; `store.NameTaken`.
    """
    report = jsonl.Report()
    return store.load(name, jsonl.read(file, report, skip_bad=skip_bad)), report


def _rows(tape_id: int, *, everything: bool) -> Iterator[tuple[Entry, str | None]]:
    forks = models.Fork.objects.filter(tape_id=tape_id).exclude(state=models.Fork.MERGED)
    hidden = dict(forks.values_list("id", "state"))
    for entry in paging.every(tape_id):
        state = hidden.get(entry.fork_id or 0)
        if everything or state is None:
            yield entry, state
