"""The exact text of an entry's payload and meta, and what is refused before the database sees it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tapes import entries
from tapes.errors import InvalidEntry, PayloadTooLarge

if TYPE_CHECKING:
    from tapes.entries import NewEntry

MAX_BYTES = 50_000_000
"""Longest payload or meta, as UTF-8."""
MAX_NAME = 200
"""Longest name of a tape or anchor, in characters."""
TAPES_OWN = frozenset(
    {entries.FORK_MERGED, entries.FORK_DISCARDED, entries.TAPE_CLOSED, entries.ERASED}
)
"""Events that only the tape's own functions write; `verify` relies on it."""

_REQUIRED: Mapping[str, Mapping[str, type | tuple[type, ...]]] = {
    entries.MESSAGE: {"role": str, "content": (str, list, tuple, type(None))},
    entries.SYSTEM: {"content": str},
    entries.TOOL_CALL: {"calls": (list, tuple)},
    entries.TOOL_RESULT: {"results": (list, tuple)},
    entries.ANCHOR: {"name": str},
    entries.EVENT: {"name": str},
    entries.ERROR: {"kind": str, "message": str},
}


def check(entry: NewEntry) -> None:
    """Refuse an entry whose kind, shape or place is not what the tape knows."""
    check_shape(entry)
    if entry.kind == entries.EVENT and entry.payload["name"] in TAPES_OWN:
        raise InvalidEntry(f"{entry.payload['name']} is written by the tape itself")


def check_shape(entry: NewEntry) -> None:
    """As `check`, but let a file tell what another tape said of its own forks."""
    required = _REQUIRED.get(entry.kind)
    if required is None:
        raise InvalidEntry(f"unknown kind {entry.kind!r}")
    for key, types in required.items():
        if not isinstance(entry.payload.get(key), types) or key not in entry.payload:
            raise InvalidEntry(f"{entry.kind} needs {key}")
    if entry.kind in {entries.ANCHOR, entries.EVENT}:
        check_name(entry.payload["name"])
    if entry.step is not None and (entry.turn_id is None or entry.part is None):
        raise InvalidEntry("an entry with a step needs a turn and a part")
    check_plain(entry.actor)
    check_plain(entry.why)


def check_name(name: str) -> str:
    """Return a name of a tape, anchor or event, refusing an empty, long or unprintable one."""
    if not name.strip():
        raise InvalidEntry("a name must not be empty")
    if len(name) > MAX_NAME:
        raise InvalidEntry(f"a name has at most {MAX_NAME} characters, this one has {len(name)}")
    return check_plain(name)


def check_plain(text: str) -> str:
    """Return a text the database can keep exactly: no NUL, no half of a surrogate pair."""
    if "\0" in text:
        raise InvalidEntry("the text holds a NUL character")
    _utf8(text)
    return text


def of(value: Mapping[str, Any]) -> str:
    """Return the JSON text of a payload or meta, as it will stay."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidEntry(f"not JSON: {error}") from error
    if len(_utf8(text)) > MAX_BYTES:
        raise PayloadTooLarge(f"more than {MAX_BYTES} bytes in one entry")
    # JSON writes NUL as an escape; an escaped backslash before "u0000" looks the same at first.
    if "\\u0000" in text and _holds_nul(value):
        raise InvalidEntry("the text holds a NUL character")
    return text


def _utf8(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise InvalidEntry("the text holds half of a surrogate pair") from error


def _holds_nul(value: object) -> bool:
    if isinstance(value, str):
        return "\0" in value
    if isinstance(value, Mapping):
        return any(_holds_nul(part) for pair in value.items() for part in pair)
    if isinstance(value, Sequence):
        return any(_holds_nul(part) for part in value)
    return False
