"""A tape as text, a line per entry: the specification of flow tests, and `tape show`.

What differs from run to run (ids, durations, digests, times) is left out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from tapes import entries, models, paging

if TYPE_CHECKING:
    from tapes.entries import Entry

_VOLATILE = re.compile(r"(^|_)(id|ids|digest|hash|seconds|at|commit)$")
_VOLATILE_NAMES = frozenset({"call", "fork", "turn", "topic", "seqs", "withheld", "elapsed_ms"})


def tape_text(tape_id: int) -> str:
    """Return every entry of a tape, also of open and discarded forks, which are named so."""
    states = dict(models.Fork.objects.filter(tape_id=tape_id).values_list("id", "state"))
    return "\n".join(
        _line(entry) + _fork(states.get(entry.fork_id or 0)) for entry in paging.every(tape_id)
    )


def of(found: list[Entry]) -> str:
    """Return the lines of entries already read."""
    return "\n".join(_line(entry) for entry in found)


def _line(entry: Entry) -> str:
    return " ".join([str(entry.seq), entry.kind, *_words(entry)])


def _fork(state: str | None) -> str:
    return "" if state in {None, models.Fork.MERGED} else f"  ({state} fork)"


def _words(entry: Entry) -> Iterator[str]:
    payload = entry.payload
    match entry.kind:
        case entries.MESSAGE:
            yield f"{payload.get('role')}: {_flat(payload.get('content'))}"
        case entries.SYSTEM:
            yield _flat(payload.get("content"))
        case entries.TOOL_CALL:
            yield from _calls(payload)
        case entries.TOOL_RESULT:
            yield " | ".join(_result(result) for result in payload.get("results", ()))
        case entries.ERROR:
            yield f"{payload.get('kind')}: {_flat(payload.get('message'))}"
        case _:
            yield str(payload.get("name"))
            yield from _data(payload.get("data", payload.get("state")))


def _calls(payload: Mapping[str, Any]) -> Iterator[str]:
    if payload.get("content"):
        yield f"{_flat(payload['content'])} →"
    functions = [call.get("function", {}) for call in payload.get("calls", ())]
    yield " | ".join(f"{one.get('name')} {_flat(one.get('arguments'))}" for one in functions)


def _result(result: object) -> str:
    if not isinstance(result, dict) or "content" not in result:
        return _flat(result)
    failed = f" [{result['error']}]" if result.get("error") else ""
    return f"{result.get('name')}{failed}: {_flat(result['content'])}"


def _data(data: object) -> Iterator[str]:
    steady = _steady(data)
    if steady:
        yield json.dumps(steady, ensure_ascii=False, sort_keys=True)


def _steady(value: object) -> object:
    if isinstance(value, dict):
        return {key: _steady(part) for key, part in value.items() if not _is_volatile(key)}
    if isinstance(value, list):
        return [_steady(part) for part in value]
    return value


def _is_volatile(key: str) -> bool:
    return key in _VOLATILE_NAMES or _VOLATILE.search(key) is not None


def _flat(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r")
