"""Tapes to and from files of bub's JSONL, in memory that does not grow with the file (T14)."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, BinaryIO

from tapes.errors import InvalidEntry, TapeError
from tapes.jsonl import lines
from tapes.jsonl.lines import MAX_LINE_BYTES

if TYPE_CHECKING:
    import datetime

    from tapes.entries import Entry, NewEntry

MAX_LISTED = 1_000
"""Skipped lines that a report tells one by one."""
_LINES_AT_ONCE = 500
_BYTES_AT_ONCE = 2_000_000
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class BadLine(TapeError):
    """A line of the file is no entry; nothing was imported."""

    code = "bad_line"

    def __init__(self, number: int, why: str) -> None:
        super().__init__(f"line {number}: {why}")
        self.number = number
        self.why = why


class EmptyFile(TapeError):
    """The file holds no entry."""

    code = "empty_file"


@dataclass(frozen=True, slots=True)
class Dropped:
    """A line that was left out."""

    line: int
    why: str


@dataclass(slots=True)
class Renumbered:
    """Ids that became other seqs, as runs: three numbers for many neighbours."""

    _runs: array[int] = field(default_factory=lambda: array("q"))

    def add(self, line_id: int, seq: int) -> None:
        """Note one id."""
        runs = self._runs
        if runs and (runs[-3] + runs[-1], runs[-2] + runs[-1]) == (line_id, seq):
            runs[-1] += 1
        else:
            runs.extend((line_id, seq, 1))

    def __iter__(self) -> Iterator[tuple[int, int, int]]:
        """Yield (first id, its seq, how many)."""
        for at in range(0, len(self._runs), 3):
            yield self._runs[at], self._runs[at + 1], self._runs[at + 2]


@dataclass(slots=True)
class Report:
    """What a reading of a file found."""

    entries: int = 0
    skipped: list[Dropped] = field(default_factory=list)
    """The first `MAX_LISTED` bad lines."""
    skipped_count: int = 0
    torn: Dropped | None = None
    """The last line, when it was cut off while it was written."""
    renumbered: Renumbered = field(default_factory=Renumbered)

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "entries": self.entries,
            "skipped": [{"line": one.line, "why": one.why} for one in self.skipped],
            "skipped_count": self.skipped_count,
            "torn": self.torn and {"line": self.torn.line, "why": self.torn.why},
            "renumbered": [
                {"id": first, "seq": seq, "count": count} for first, seq, count in self.renumbered
            ],
        }


def read(
    file: BinaryIO, report: Report, *, skip_bad: bool = False
) -> Iterator[list[tuple[NewEntry, datetime.datetime]]]:
    """Yield the entries of a file in batches, noting in `report` what was left out.

    Raises `BadLine` at the first line that is no entry unless `skip_bad`, `EmptyFile` at the end.
    """
    batch: list[tuple[NewEntry, datetime.datetime]] = []
    size = 0
    for number, text in _lines(file):
        line = _line(number, text, report, skip_bad=skip_bad)
        if line is None:
            continue
        report.entries += 1
        if line.id != report.entries:
            report.renumbered.add(line.id, report.entries)
        batch.append((line.entry, line.date))
        size += len(text)
        if len(batch) == _LINES_AT_ONCE or size > _BYTES_AT_ONCE:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch
    if not report.entries:
        raise EmptyFile("the file holds no entry")


def write(file: BinaryIO, rows: Iterable[tuple[Entry, str | None]]) -> int:
    """Write entries, each with the state of its fork when that was not merged; return how many."""
    count = 0
    for entry, fork in rows:
        file.write(lines.write(entry, fork))
        count += 1
    return count


def _line(number: int, text: bytes, report: Report, *, skip_bad: bool) -> lines.Line | None:
    try:
        return lines.parse(text)
    except InvalidEntry as error:
        if isinstance(error, lines.NotJson) and not text.endswith(b"\n"):
            report.torn = Dropped(number, str(error))
            return None
        if not skip_bad:
            raise BadLine(number, str(error)) from error
        report.skipped_count += 1
        if report.skipped_count <= MAX_LISTED:
            report.skipped.append(Dropped(number, str(error)))
        return None


def _lines(file: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """Yield numbered lines that are not blank; of one too long only its start."""
    number = 0
    while text := file.readline(MAX_LINE_BYTES + 1):
        number += 1
        rest = text
        while len(rest) > MAX_LINE_BYTES and not rest.endswith(b"\n"):
            rest = file.readline(MAX_LINE_BYTES + 1)
        if number == 1:
            text = text.removeprefix(_BYTE_ORDER_MARK)
        if text.strip():
            yield number, text
