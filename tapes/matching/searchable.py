"""The real text of an entry: its strings as people read them, never as escaped JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from tapes import entries

if TYPE_CHECKING:
    from tapes.entries import Entry

TAPE_SEARCH = "search_tape"
"""The tool whose calls and results are not searched: else every search would find the last one."""


def text(entry: Entry) -> str:
    """Return what search looks at, payload and meta, a line per value."""
    return "\n".join([*_payload(entry), *_strings(entry.meta)])


def _payload(entry: Entry) -> Iterator[str]:
    if entry.kind == entries.TOOL_CALL:
        yield from _calls(entry.payload)
    elif entry.kind == entries.TOOL_RESULT:
        for result in entry.payload.get("results", ()):
            if not isinstance(result, dict) or result.get("name") != TAPE_SEARCH:
                yield from _strings(result)
    else:
        # A role is a column in all but name: "user" would find every question.
        yield from _strings({key: part for key, part in entry.payload.items() if key != "role"})


def _calls(payload: Mapping[str, Any]) -> Iterator[str]:
    yield from _strings(payload.get("content"))
    for call in payload.get("calls", ()):
        function = call.get("function", {}) if isinstance(call, dict) else {}
        if function.get("name") == TAPE_SEARCH:
            continue
        yield from _strings(function.get("name"))
        yield from _strings(_parsed(function.get("arguments")))


def _parsed(arguments: object) -> object:
    """Arguments are JSON in a string; what does not parse is searched as it stands."""
    if not isinstance(arguments, str):
        return arguments
    try:
        return json.loads(arguments)
    except ValueError:
        return arguments


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for part in value.values():
            yield from _strings(part)
    elif isinstance(value, list):
        for part in value:
            yield from _strings(part)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield str(value)
