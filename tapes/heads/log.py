"""The files of the log of heads: one that grows, and full ones, each proven by the one after it.

`tape-heads.jsonl` grows; at `BYTES_A_FILE` it becomes `tape-heads.000001.jsonl` and a new one is
begun, whose first line `{"log": 2, "before": …}` holds the SHA-256 of the file before. So none of
them can be changed or left out without the next one telling.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from tapes.errors import TapeError

BYTES_A_FILE = 64_000_000
"""A file that is longer is full."""


class BrokenLog(TapeError):
    """A full file of the log of heads is missing, or not what it was when it was full."""

    code = "broken_log"


@contextmanager
def locked(path: Path) -> Iterator[BinaryIO]:
    """Open the file that grows, alone, at the start of a line; a full one is put aside before."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.with_suffix(".lock").open("ab") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if path.exists() and path.stat().st_size > BYTES_A_FILE:
            path.rename(_full(path, number(path)))
        with path.open("ab+") as log:
            _begin(path, log)
            yield log


def number(path: Path) -> int:
    """The number of the file that grows, from 1."""
    return len(_full_ones(path)) + 1


def lines(path: Path, *, tape_id: int | None = None) -> Iterator[Mapping[str, Any]]:
    """Yield what the log says, oldest first, of one tape or all. Raises `BrokenLog`."""
    before: str | None = None
    files = [*_full_ones(path), *([path] if path.exists() else [])]
    for index, file in enumerate(files, 1):
        if index < len(files) or file != path:
            _check_number(file, index)
        digest = hashlib.sha256()
        with file.open("rb") as log:
            for place, text in enumerate(log):
                digest.update(text)
                if place == 0 and index > 1:
                    _check_header(file, _parsed(text), before)
                elif tape_id is None or text.startswith(b'{"tape": %d,' % tape_id):
                    yield from _tape_lines(text)
        before = digest.hexdigest()


def after(log: BinaryIO, offset: int) -> Iterator[Mapping[str, Any]]:
    """Yield what the file that grows says from a place on."""
    log.seek(offset)
    for text in log:
        yield from _tape_lines(text)


def _begin(path: Path, log: BinaryIO) -> None:
    end = log.seek(0, os.SEEK_END)
    if end == 0 and number(path) > 1:
        last = _full_ones(path)[-1]
        with last.open("rb") as file:
            before = hashlib.file_digest(file, "sha256").hexdigest()
        header = {"log": number(path), "before": before}
        log.write(json.dumps(header).encode() + b"\n")
        log.flush()
        os.fsync(log.fileno())
    elif end:
        log.seek(-1, os.SEEK_END)
        if log.read(1) != b"\n":
            log.write(b"\n")


def _full(path: Path, number_: int) -> Path:
    return path.with_name(f"{path.stem}.{number_:06}{path.suffix}")


def _full_ones(path: Path) -> list[Path]:
    return sorted(path.parent.glob(f"{path.stem}.[0-9][0-9][0-9][0-9][0-9][0-9]{path.suffix}"))


def _check_number(file: Path, index: int) -> None:
    if int(file.stem.rpartition(".")[2]) != index:
        raise BrokenLog(f"file {index} of the log of heads is missing before {file.name}")


def _check_header(file: Path, header: Mapping[str, Any], before: str | None) -> None:
    if header.get("before") != before:
        raise BrokenLog(f"the file of the log of heads before {file.name} is not what it was")


def _tape_lines(text: bytes) -> Iterator[Mapping[str, Any]]:
    found = _parsed(text)
    if "tape" in found:
        yield found


def _parsed(text: bytes) -> Mapping[str, Any]:
    try:
        found = json.loads(text)
    except ValueError:
        # Torn by a crash; the next writing begins on a line of its own and says it again.
        return {}
    return found if isinstance(found, dict) else {}
