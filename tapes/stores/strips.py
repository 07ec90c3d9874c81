"""One tape in one file: appended under a lock, whole batches or nothing, read by offsets.

The file holds a record a line. A batch is written by one write and flushed to the disk; each of its
lines says how many follow, so a batch that a crash cut off is known by its end and is dropped by
the next writer, and never shown to a reader. What became of forks and of the tape is told by the
entries themselves; a file beside holds what entries don't tell, the tokens of forks.

Bytes never change, with one exception: an erasure writes a new file and puts it in the old one's place. A
second file beside grows by a line before that happens, so whoever knows the old offsets learns the tape anew.
"""

from __future__ import annotations

import fcntl
import json
import os
import threading
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from tapes import anchors, chain, files, records
from tapes.entries import ANCHOR, EVENT, FORK_DISCARDED, FORK_MERGED, IMPORT, TAPE_CLOSED
from tapes.errors import BrokenTape
from tapes.source import DISCARDED, MERGED, OPEN, AnchorPlace, ForkState

if TYPE_CHECKING:
    import datetime

    from tapes.entries import Entry
    from tapes.records import Parsed, Record

_CLOSINGS = {FORK_MERGED: MERGED, FORK_DISCARDED: DISCARDED}


class Replaced(Exception):
    """An erasure has put another file in this one's place: what was known of it holds no longer."""


class Strip:
    """A tape's file and what is known of it; a `tapes.source.Source`.

    Whatever looks at the file raises `Replaced` once another has taken its place.
    """

    def __init__(self, path: Path, tape_id: int) -> None:
        self.path = path
        self.tape_id = tape_id
        self.closed_at: datetime.datetime | None = None
        self.created_at: datetime.datetime | None = None
        self.hash = chain.GENESIS
        self.steps: set[tuple[int, int, int]] = set()
        """Turn, step and part of what was recorded."""
        self._starts = array("Q")
        self._end = 0
        self._anchors: list[AnchorPlace] = []
        self._forks: dict[int, ForkState] = {}
        self._closed: dict[int, tuple[str, int]] = {}
        self._tokens_read = 0
        self._erasures: int | None = None
        """How long the file of erasures was when this one was first read."""
        self._guard = threading.RLock()

    @property
    def head(self) -> int:
        """The newest seq."""
        return len(self._starts)

    def anchors(self) -> Sequence[AnchorPlace]:
        """Return every anchor in order."""
        return self._anchors

    def forks(self) -> Mapping[int, ForkState]:
        """Return every fork by its id."""
        return {
            fork.id: replace(fork, state=state, closed_seq=seq)
            for fork in self._forks.values()
            for state, seq in [self._closed.get(fork.id, (OPEN, None))]
        }

    def stretch(self, first: int, last: int | None) -> Iterator[Entry]:
        """Yield entries; their bytes never change in this file once they were whole."""
        for record in self.records(first, last):
            yield record.entry

    def records(self, first: int = 1, last: int | None = None) -> Iterator[Record]:
        """Yield entries with what proves them. Raises ValueError, KeyError where one is broken."""
        end = self.head if last is None else min(last, self.head)
        if first > end:
            return
        with self.path.open("rb") as file:
            # Looked at once the file is open: what is opened before an erasure begins stays whole.
            self._check_erasures()
            file.seek(self._starts[first - 1])
            for _ in range(first, end + 1):
                yield records.parse(file.readline(), self.tape_id).record

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Learn what other processes wrote; a batch being written is waited for."""
        with self._guard, self.path.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH)
            self._check_place(file)
            self._learn(file)
        yield

    @contextmanager
    def writing(self) -> Iterator[BinaryIO]:
        """Be the only writer, at the end of the last whole batch."""
        with self._guard, self.path.open("rb+", buffering=0) as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            self._check_place(file)
            self._learn(file)
            if file.seek(0, os.SEEK_END) > self._end:
                file.truncate(self._end)
            file.seek(self._end)
            yield file

    def write(self, file: BinaryIO, batch: Sequence[Record]) -> None:
        """Append a batch, on the disk when this returns; else the file is as it was."""
        lines = [
            records.write(record, batch=len(batch), following=len(batch) - place)
            for place, record in enumerate(batch, 1)
        ]
        data = memoryview(b"".join(lines))
        try:
            while data:
                data = data[file.write(data) :]
            os.fsync(file.fileno())
        except OSError:
            file.truncate(self._end)
            raise
        self._take(batch, lines)

    def rewrite(
        self,
        change: Callable[[Record], Record],
        more: Sequence[Record],
        *,
        erasure: Mapping[str, Any],
    ) -> None:
        """Put a file in this one's place that has changed records, and a batch more; needs `writing`.

        Either is on the disk when this returns, or the file is as it was. This strip is `Replaced` afterwards.
        """
        new = self.path.with_suffix(".new")
        try:
            with new.open("wb") as file:
                for line in self._lines():
                    parsed = records.parse(line, self.tape_id)
                    other = change(parsed.record)
                    sizes = {"batch": parsed.batch, "following": parsed.following}
                    same = other is parsed.record
                    file.write(line if same else records.write(other, **sizes))
                for place, record in enumerate(more, 1):
                    sizes = {"batch": len(more), "following": len(more) - place}
                    file.write(records.write(record, **sizes))
                file.flush()
                os.fsync(file.fileno())
            files.append_line(self._erased, json.dumps(erasure))
            new.replace(self.path)
        finally:
            new.unlink(missing_ok=True)
        files.flush_folder(self.path.parent)

    def unspilled(self) -> set[str]:
        """Digests of long texts that erased entries named, whether or not others name them still."""
        found: set[str] = set()
        lines = self._erased.read_bytes().split(b"\n")[:-1] if self._erased.exists() else []
        for line in lines:
            # One that a crash cut off told of nothing that was done.
            with suppress(ValueError):
                found.update(json.loads(line)["spilled"])
        return found

    def write_token(self, fork: ForkState) -> None:
        """Note a fork's token in the file beside, on the disk when this returns; needs `writing`."""
        line = json.dumps({"fork": fork.id, "token": fork.token, "base": fork.base_seq})
        with self._beside.open("ab+") as file:
            # The end of a line that a crash cut off.
            file.truncate(self._tokens_read)
            file.write(line.encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())
        self._learn_tokens()

    @property
    def _beside(self) -> Path:
        return self.path.with_suffix(".forks")

    @property
    def _erased(self) -> Path:
        return self.path.with_suffix(".erased")

    def _lines(self) -> Iterator[bytes]:
        with self.path.open("rb") as file:
            for _ in range(self.head):
                yield file.readline()

    def _check_place(self, file: BinaryIO) -> None:
        """Under a lock: whether this is still the tape's file, and the one that was read before."""
        if not os.path.samestat(os.fstat(file.fileno()), self.path.stat()):
            raise Replaced
        if self._erasures is None:
            self._erasures = files.size(self._erased)
        self._check_erasures()

    def _check_erasures(self) -> None:
        if files.size(self._erased) != self._erasures:
            raise Replaced

    def _learn(self, file: BinaryIO) -> None:
        """Take up the whole batches that were added since the last time. Raises `BrokenTape`."""
        self._learn_tokens()
        file.seek(self._end)
        batch: list[Record] = []
        lines: list[bytes] = []
        for line in file:
            parsed = self._parsed(line)
            if parsed is None or parsed.record.entry.seq != self.head + len(batch) + 1:
                self._refuse_more(file, self.head + len(batch) + 1)
                return
            batch.append(parsed.record)
            lines.append(line)
            if not parsed.following:
                self._take(batch, lines)
                batch, lines = [], []

    def _parsed(self, line: bytes) -> Parsed | None:
        try:
            return records.parse(line, self.tape_id) if line.endswith(b"\n") else None
        except (ValueError, KeyError, TypeError):
            return None

    def _refuse_more(self, file: BinaryIO, broken_seq: int) -> None:
        """A line that cannot be read was torn if only lines of its own batch come after it."""
        for line in file:
            parsed = self._parsed(line)
            if parsed is None:
                continue
            first = parsed.record.entry.seq + parsed.following - parsed.batch + 1
            if first != self.head + 1:
                raise BrokenTape(broken_seq)

    def _learn_tokens(self) -> None:
        if not self._beside.exists():
            return
        with self._beside.open("rb") as file:
            file.seek(self._tokens_read)
            for line in file:
                if not line.endswith(b"\n"):
                    return
                said = json.loads(line)
                fork = ForkState(said["fork"], OPEN, said["token"], said["base"])
                self._forks[fork.id] = fork
                self._tokens_read += len(line)

    def _take(self, batch: Sequence[Record], lines: Sequence[bytes]) -> None:
        for record, line in zip(batch, lines, strict=True):
            self._starts.append(self._end)
            self._end += len(line)
            self._note(record.entry)

    def _note(self, entry: Entry) -> None:
        self.hash = entry.hash
        self.created_at = self.created_at or entry.date
        if entry.turn_id is not None and entry.step is not None and entry.part is not None:
            self.steps.add((entry.turn_id, entry.step, entry.part))
        if entry.kind == ANCHOR:
            name, state = entry.payload["name"], entry.payload.get("state")
            moves = anchors.moves_window(name)
            self._anchors.append(AnchorPlace(entry.seq, name, state, moves, entry.fork_id))
        elif entry.kind == EVENT and entry.actor != IMPORT:
            name = entry.payload["name"]
            if name in _CLOSINGS:
                self._closed[entry.payload["data"]["fork"]] = (_CLOSINGS[name], entry.seq)
            elif name == TAPE_CLOSED:
                self.closed_at = entry.date
