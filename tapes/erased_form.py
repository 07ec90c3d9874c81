"""What an entry's payload becomes when its words are taken away: the same shape without any words.

Ids, counts and the program's own codes stay, so that views, messages, pages and the rebuilding of
topics go on working; every text becomes `ERASED`; the digest of what was there stands beside it.
The form of a form is itself: `verify` holds an erased entry to that, so that nobody can put other
words where words were erased.
So a change here must leave every form made before as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from tapes import anchors, entries, exact_text, messages

if TYPE_CHECKING:
    from tapes.entries import Entry

ERASED = "[erased]"
"""Stands where a text stood."""
MARK = "erased"
"""The key of a payload whose words were erased; its value is the entry's digest in hex."""

_CODE = re.compile(r"[a-z][a-z0-9_]{0,39}")
_CALL_ID = re.compile(r"[A-Za-z0-9_.:-]{1,64}")
_DIGEST = re.compile(r"[0-9a-f]{32,64}")
_MODEL = re.compile(r"[\w./:@-]{1,100}", re.ASCII)
_PRICE = re.compile(r"\d{1,12}(\.\d{1,12})?")
_CURRENCY = re.compile(r"[A-Z]{3}")
_ROLES = frozenset({"user", "assistant", "system", "developer", "tool"})
_NAMED_BY_US = frozenset(
    {anchors.SESSION_START, "topic_initial", "topic_finalized", "recall_anchor", "brain_overload"}
)

_NUMBERS = frozenset(
    {
        *("topic", "tape", "turn", "fork", "owner", "continues", "corrects", "seq", "seqs"),
        *("range", "withheld", "first", "last", "entries", "step", "part", "attempt", "attempts"),
        *("renderer", "seconds", "elapsed_ms", "payer", "endpoint_id", "repository_id"),
    }
)
_CODES = (
    *("status", "reason", "stage", "purpose", "protocol", "finish_reason", "tool_choice"),
    *("code", "kind", "error", "payer"),
)
_PATTERNS: Mapping[str, re.Pattern[str]] = {
    **dict.fromkeys(_CODES, _CODE),
    "call": _DIGEST,
    "system_digest": _DIGEST,
    "tools_digest": _DIGEST,
    "messages_digest": _DIGEST,
    "model": _MODEL,
    "price": _PRICE,
    "currency": _CURRENCY,
}
_TEXTS = frozenset({"title", "summary", "text", "content", "message", "outcome", "note", "name"})
_INNER = frozenset({"usage", "topics", "details", "data", "state", "error"})


class Row(NamedTuple):
    """What the form is made of: an entry as it stands."""

    kind: str
    payload: dict[str, Any]
    digest: bytes


def of(row: Row) -> dict[str, Any]:
    """Return the payload without its words, marked by the digest of what was there."""
    return _FORMS[row.kind](row.payload) | {MARK: row.digest.hex()}


def text(row: Row) -> str:
    """Return the form as the exact text the row holds."""
    return exact_text.of(of(row))


def has_words(row: Row, meta: Mapping[str, Any], why: str) -> bool:
    """Whether anything would be taken away; what the program alone wrote has nothing to hide."""
    return bool(meta or why) or _FORMS[row.kind](row.payload) != row.payload


def is_erased(entry: Entry) -> bool:
    """Whether the words of an entry were taken away."""
    return entry.payload.get(MARK) == entry.digest.hex()


def anchor_name(name: str) -> str:
    """The name an erased anchor keeps: the program's own, or one that moves the window as it did."""
    if name in _NAMED_BY_US:
        return name
    return f"mark/{MARK}" if name.startswith("mark/") else MARK


def _message(payload: Mapping[str, Any]) -> dict[str, Any]:
    role = payload.get("role")
    content = payload.get("content")
    return {"role": role if role in _ROLES else "user", "content": _erased(content)}


def _system(payload: Mapping[str, Any]) -> dict[str, Any]:
    return {"content": _erased(payload.get("content"))}


def _tool_call(payload: Mapping[str, Any]) -> dict[str, Any]:
    calls = [_call(call) for call in payload.get("calls") or () if isinstance(call, dict)]
    beside = {"content": ERASED} if payload.get("content") else {}
    return {"calls": calls, **beside}


def _call(call: Mapping[str, Any]) -> dict[str, Any]:
    function = call.get("function")
    name = function.get("name") if isinstance(function, dict) else None
    said = {"name": _matching(_CODE, name) or MARK, "arguments": '{"erased": true}'}
    return {**_call_id(call), "type": "function", "function": said}


def _tool_result(payload: Mapping[str, Any]) -> dict[str, Any]:
    return {"results": [_result(result) for result in payload.get("results") or ()]}


def _result(result: object) -> object:
    if not isinstance(result, dict) or "content" not in result:
        return ERASED
    found = {"name": _matching(_CODE, result.get("name")) or MARK, "content": ERASED, "data": {}}
    failed = _matching(_CODE, result.get("error"))
    return {**_call_id(result), **found, **({"error": failed} if failed else {})}


def _call_id(said: Mapping[str, Any]) -> dict[str, str]:
    """Pairs are matched by it; one that could be words is left out, and place matches instead."""
    found = _matching(_CALL_ID, said.get("id"))
    return {"id": found} if found else {}


def _anchor(payload: Mapping[str, Any]) -> dict[str, Any]:
    name = anchor_name(str(payload.get("name")))
    if payload.get("state") is None:
        return {"name": name}
    state = _shape(payload["state"]) if isinstance(payload["state"], dict) else {}
    if messages.shows_anchor(name):
        state["text"] = ERASED
    return {"name": name, "state": state}


def _event(payload: Mapping[str, Any]) -> dict[str, Any]:
    name = _matching(_CODE, payload.get("name")) or "event"
    data = payload.get("data")
    return {"name": name, "data": _shape(data)} if isinstance(data, dict) else {"name": name}


def _error(payload: Mapping[str, Any]) -> dict[str, Any]:
    kind = _matching(_CODE, payload.get("kind")) or "error"
    details = payload.get("details")
    beside = {"details": _shape(details)} if isinstance(details, dict) else {}
    return {"kind": kind, "message": _erased(payload.get("message")), **beside}


_FORMS: Mapping[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {
    entries.MESSAGE: _message,
    entries.SYSTEM: _system,
    entries.TOOL_CALL: _tool_call,
    entries.TOOL_RESULT: _tool_result,
    entries.ANCHOR: _anchor,
    entries.EVENT: _event,
    entries.ERROR: _error,
}


def _shape(value: Mapping[str, Any]) -> dict[str, Any]:
    return {key: part for name, found in value.items() for key, part in _kept(name, found)}


def _kept(name: str, value: object) -> Iterator[tuple[str, Any]]:
    """The pair as it stays, if anything of it does."""
    if value is None and name in _KNOWN:
        yield name, None
    elif name == "usage" and isinstance(value, dict):
        yield name, {key: n for key, n in value.items() if _CODE.fullmatch(key) and _is_number(n)}
    elif name in _INNER and isinstance(value, dict):
        yield name, _shape(value)
    elif name in _INNER and isinstance(value, list):
        yield name, [_shape(part) for part in value if isinstance(part, dict)]
    elif name in _NUMBERS and (_is_number(value) or _are_numbers(value)):
        yield name, value
    elif isinstance(value, str) and (pattern := _PATTERNS.get(name)):
        yield name, value if pattern.fullmatch(value) else _erased(value)
    elif name in _TEXTS:
        yield name, _erased(value)


_KNOWN = _NUMBERS | _TEXTS | _INNER | frozenset(_PATTERNS)


def _erased(value: object) -> str:
    """An empty text stays empty: it says nothing, and is shown nowhere."""
    return ERASED if value else ""


def _matching(pattern: re.Pattern[str], value: object) -> str | None:
    return value if isinstance(value, str) and pattern.fullmatch(value) else None


def _is_number(value: object) -> bool:
    return value is None or isinstance(value, int | float)


def _are_numbers(value: object) -> bool:
    return isinstance(value, list) and all(_is_number(part) for part in value)
