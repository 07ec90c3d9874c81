"""The log of heads outside the database: what `verify` holds a tape against.

A line is JSON: `{"tape", "name", "at", "first", "head", "hash", "marks"}`. `hash` is the head's;
`marks` holds the first 8 bytes of the hash of every entry from `first` to `head`, in hex, so that
the first entry of a rewritten chain can be named and not only the stretch it lies in.
"""

from __future__ import annotations

import datetime
import fcntl
import json
import logging
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from django.conf import settings

from tapes import models

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

    def mark(self, seq: int) -> bytes | None:
        """The start of the hash entry `seq` had when it was logged."""
        mark = bytes(self.marks[(seq - 1) * MARK_BYTES : seq * MARK_BYTES])
        return mark if any(mark) else None


def log_path() -> Path:
    """Where this installation keeps its log: copy it away from the database's machine."""
    return Path(settings.VAR) / "tape-heads.jsonl"


def write(path: Path) -> int:
    """Append what tapes have gained since the last writing; return the number of lines.

    Safe beside another writer. How far the log reached is kept in a file beside it, so that it is
    not read again each time; without that file it is. A tape that lacks entries is left to
    `verify`.
    """
    with _locked(path) as log:
        reached = _reached(path)
        lines = 0
        tapes = models.Tape.objects.order_by("id").values_list("id", "name", "head")
        for tape_id, name, head in tapes.iterator():
            for first in range(reached.get(tape_id, 0) + 1, head + 1, _ENTRIES_A_LINE):
                last = min(head, first + _ENTRIES_A_LINE - 1)
                hashes = _hashes(tape_id, first, last)
                if len(hashes) != last - first + 1:
                    _logger.error("tape %s lacks entries between %s and %s", tape_id, first, last)
                    break
                log.write(_line(tape_id, name, first, hashes))
                reached[tape_id] = last
                lines += 1
        if lines:
            log.flush()
            os.fsync(log.fileno())
            _keep_reached(path, log.tell(), reached)
    return lines


def read(path: Path) -> dict[int, Logged]:
    """Return what the log knows of each tape; the first word about an entry counts."""
    found: dict[int, Logged] = {}
    if not path.exists():
        return found
    with path.open("rb") as log:
        for line in _lines(log):
            logged = found.setdefault(line["tape"], Logged())
            known = logged.head - line["first"] + 1
            # Zeros stand for entries no line speaks of.
            logged.marks += bytes(max(-known, 0) * MARK_BYTES)
            logged.marks += bytes.fromhex(line["marks"])[max(known, 0) * MARK_BYTES :]
    return found


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


def _lines(log: BinaryIO) -> Iterator[Mapping[str, Any]]:
    for text in log:
        try:
            yield json.loads(text)
        except ValueError:
            # Torn by a crash; the next writing begins on a line of its own and says it again.
            continue


@contextmanager
def _locked(path: Path) -> Iterator[BinaryIO]:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab+") as log:
        fcntl.flock(log, fcntl.LOCK_EX)
        if log.seek(0, os.SEEK_END):
            log.seek(-1, os.SEEK_END)
            if log.read(1) != b"\n":
                log.write(b"\n")
        yield log


def _reached(path: Path) -> dict[int, int]:
    """How far each tape is logged, from the file beside the log and the lines after it."""
    beside = _beside(path)
    kept: Mapping[str, Any] = {"offset": 0, "heads": {}}
    if beside.exists():
        kept = json.loads(beside.read_text(encoding="utf-8"))
    heads = {int(tape_id): seq for tape_id, seq in kept["heads"].items()}
    with path.open("rb") as log:
        log.seek(kept["offset"])
        for line in _lines(log):
            heads[line["tape"]] = max(line["head"], heads.get(line["tape"], 0))
    return heads


def _keep_reached(path: Path, offset: int, heads: Mapping[int, int]) -> None:
    new = _beside(path).with_suffix(".new")
    new.write_text(json.dumps({"offset": offset, "heads": heads}), encoding="utf-8")
    new.replace(_beside(path))


def _beside(path: Path) -> Path:
    return path.with_suffix(".reached")
