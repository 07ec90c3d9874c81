"""One line of bub's JSONL: an object with id, kind, payload, meta and date, and an entry (T14).

What a line says beside that, or otherwise (older lines have a `timestamp`, dates come in any time
zone), is kept in the entry's `why`, which imports have no other use for: so that an export can say
it again.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from tapes import exact_text
from tapes.entries import IMPORT, Entry, NewEntry
from tapes.errors import InvalidEntry

MAX_LINE_BYTES = 128_000_000
"""Longest line read: an entry's largest payload with every Chinese character as an escape."""
_KEYS = ("id", "kind", "payload", "meta", "date")
_OTHERWISE = "as in the file: "
_MAX_OTHERWISE = 10_000
"""Longest `why` the database takes, in characters."""
_MAX_ID = 2**63 - 1


class NotJson(InvalidEntry):
    """The line cannot be read at all: as the last one of a file it was torn."""


@dataclass(frozen=True, slots=True)
class Line:
    """What a line holds."""

    id: int
    entry: NewEntry
    date: datetime.datetime


def parse(text: bytes) -> Line:
    """Read a line. Raises `InvalidEntry` saying why not."""
    if len(text) > MAX_LINE_BYTES:
        raise InvalidEntry(f"it is longer than {MAX_LINE_BYTES} bytes")
    found = _object(text)
    kind, line_id = found.get("kind"), found.get("id")
    if not isinstance(line_id, int) or isinstance(line_id, bool) or not 0 <= line_id <= _MAX_ID:
        raise InvalidEntry("its id is not a whole number")
    if not isinstance(kind, str):
        raise InvalidEntry("it has no kind")
    for key in ("payload", "meta"):
        if not isinstance(found.get(key), dict):
            raise InvalidEntry(f"its {key} is not an object")
    if found.get("fork") is not None:
        raise InvalidEntry("it belongs to a fork that was not merged")
    date = _date(found)
    entry = NewEntry(
        kind=kind,
        payload=found["payload"],
        meta=found["meta"],
        actor=IMPORT,
        why=_otherwise(found, date),
    )
    exact_text.check_shape(entry)
    exact_text.of(entry.payload)
    exact_text.of(entry.meta)
    return Line(line_id, entry, date)


def write(entry: Entry, fork: str | None = None) -> bytes:
    """Return the line of an entry; `fork` is the state of its fork when that was not merged."""
    line: dict[str, Any] = {
        "id": entry.seq,
        "kind": entry.kind,
        "payload": entry.payload,
        "meta": entry.meta,
        "date": _iso(entry.date),
    }
    if entry.actor == IMPORT and entry.why.startswith(_OTHERWISE):
        line |= json.loads(entry.why.removeprefix(_OTHERWISE))
        if line["date"] is None:
            del line["date"]
    if fork is not None:
        line["fork"] = {"id": entry.fork_id, "state": fork}
    return json.dumps(line, ensure_ascii=False).encode() + b"\n"


def _object(text: bytes) -> dict[str, Any]:
    try:
        found = json.loads(text.decode(), parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise NotJson(f"not JSON: {error}") from error
    if not isinstance(found, dict):
        raise InvalidEntry("it is not an object")
    return found


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no number in JSON")


def _date(found: Mapping[str, Any]) -> datetime.datetime:
    said, stamp = found.get("date"), found.get("timestamp")
    try:
        if isinstance(said, str):
            date = datetime.datetime.fromisoformat(said)
        elif "date" in found or not isinstance(stamp, int | float) or isinstance(stamp, bool):
            raise InvalidEntry("it has neither a date nor a timestamp")
        else:
            date = datetime.datetime.fromtimestamp(stamp, datetime.UTC)
        if date.tzinfo is None:
            date = date.replace(tzinfo=datetime.UTC)
        return date.astimezone(datetime.UTC)
    except (ValueError, OverflowError, OSError) as error:
        raise InvalidEntry(f"its date cannot be read: {error}") from error


def _otherwise(found: Mapping[str, Any], date: datetime.datetime) -> str:
    """What must be kept beside the entry to say the line again; None stands for no date at all."""
    odd = {key: value for key, value in found.items() if key not in _KEYS}
    if found.get("date") != _iso(date):
        odd["date"] = found.get("date")
    if not odd:
        return ""
    text = _OTHERWISE + json.dumps(odd, ensure_ascii=False)
    if len(text) > _MAX_OTHERWISE:
        raise InvalidEntry("it says more beside its five keys than can be kept")
    return text


def _iso(date: datetime.datetime) -> str:
    return date.astimezone(datetime.UTC).isoformat()
