"""Writing files so that they are on the disk when it returns."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def write_whole(path: Path, data: bytes) -> None:
    """Whole or not at all; what a crash left unfinished has a name that begins with a dot. Raises OSError."""
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=".")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise
    flush_folder(path.parent)


def append_line(path: Path, line: str) -> None:
    """The file only ever grows: a line that a crash cut off is ended, not taken away."""
    with path.open("ab+") as file:
        end = file.seek(0, os.SEEK_END)
        file.seek(max(0, end - 1))
        torn = file.read(1) not in {b"", b"\n"}
        file.write((b"\n" if torn else b"") + line.encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())


def flush_folder(folder: Path) -> None:
    """Put the names of new files on the disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def size(path: Path) -> int:
    """In bytes; 0 for a file that is not there."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0
