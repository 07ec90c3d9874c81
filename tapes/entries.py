"""Entries as values: `NewEntry` is what may happen, `Entry` is what has; one constructor per kind."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypedDict, Unpack

from tapes import anchors

MESSAGE, SYSTEM, TOOL_CALL, TOOL_RESULT = "message", "system", "tool_call", "tool_result"
ANCHOR, EVENT, ERROR = "anchor", "event", "error"
KINDS = (MESSAGE, SYSTEM, TOOL_CALL, TOOL_RESULT, ANCHOR, EVENT, ERROR)

IMPORT = "import"
"""The actor of entries that came from a file: what they say of forks is another tape's history."""

FORK_MERGED, FORK_DISCARDED, TAPE_CLOSED = "fork_merged", "fork_discarded", "tape_closed"
ERASED = "erased"
"""Events that only the tape's own functions write."""


class Context(TypedDict, total=False):
    """What every entry may say besides its payload."""

    topic_id: int | None
    turn_id: int | None
    step: int | None
    """Needs `turn_id` and `part`; the three can be recorded once."""
    part: int | None
    """The entry's place in its step, from 0."""
    actor: str
    """`person:<id>`, `agent`, `hook:<dotted path>`, `system`; `import` when it came from a file."""
    why: str
    sources: Sequence[int]
    """Ids of the repositories whose text was in view when this was written."""
    meta: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class NewEntry:
    """An entry on its way to a tape."""

    kind: str
    payload: Mapping[str, Any]
    meta: Mapping[str, Any] = field(default_factory=dict)
    topic_id: int | None = None
    turn_id: int | None = None
    step: int | None = None
    part: int | None = None
    actor: str = "system"
    why: str = ""
    sources: Sequence[int] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """An entry as the tape holds it."""

    tape_id: int
    seq: int
    kind: str
    payload: dict[str, Any]
    meta: dict[str, Any]
    date: datetime.datetime
    digest: bytes
    hash: bytes
    fork_id: int | None
    topic_id: int | None
    turn_id: int | None
    step: int | None
    part: int | None
    actor: str
    why: str
    sources: tuple[int, ...]


def message(
    role: str, content: str | Sequence[Mapping[str, Any]], **context: Unpack[Context]
) -> NewEntry:
    """What a person or the model said; content is text, or parts as providers define them."""
    return NewEntry(kind=MESSAGE, payload={"role": role, "content": content}, **context)


def system(content: str, **context: Unpack[Context]) -> NewEntry:
    """A system prompt; never shown to the model from the tape."""
    return NewEntry(kind=SYSTEM, payload={"content": content}, **context)


def tool_call(
    calls: Sequence[Mapping[str, Any]], content: str | None = None, **context: Unpack[Context]
) -> NewEntry:
    """The model's calls `{id, type, function: {name, arguments}}`, and its text beside them."""
    payload: dict[str, Any] = {"calls": calls}
    if content:
        payload["content"] = content
    return NewEntry(kind=TOOL_CALL, payload=payload, **context)


def tool_result(results: Sequence[Any], **context: Unpack[Context]) -> NewEntry:
    """One result per call, in call order; ours are `{id, name, content, …}`."""
    return NewEntry(kind=TOOL_RESULT, payload={"results": results}, **context)


def anchor(
    name: str, state: Mapping[str, Any] | None = None, **context: Unpack[Context]
) -> NewEntry:
    """A place worth starting from."""
    payload: dict[str, Any] = {"name": name}
    if state is not None:
        payload["state"] = state
    return NewEntry(kind=ANCHOR, payload=payload, **context)


def mark(name: str, note: str, seqs: Sequence[int], **context: Unpack[Context]) -> NewEntry:
    """A note over some entries, or over none; `text` is what the model is shown of it (T9)."""
    places = f" (entries {', '.join(map(str, seqs))})" if seqs else ""
    state = {"seqs": list(seqs), "note": note, "text": f"{note}{places}"}
    return anchor(anchors.MARK + name.removeprefix(anchors.MARK), state, **context)


def handoff(
    name: str, state: Mapping[str, Any] | None = None, **context: Unpack[Context]
) -> list[NewEntry]:
    """The anchor and the event `handoff`, to be appended in one call (T7)."""
    opening = anchor(name, state, **context)
    part = context.get("part")
    if part is not None:
        context["part"] = part + 1
    return [opening, event("handoff", {"name": name, "state": state or {}}, **context)]


def event(name: str, data: Mapping[str, Any] | None = None, **context: Unpack[Context]) -> NewEntry:
    """Something that happened and is not said to the model."""
    payload: dict[str, Any] = {"name": name}
    if data is not None:
        payload["data"] = data
    return NewEntry(kind=EVENT, payload=payload, **context)


def error(
    kind: str,
    message: str,
    details: Mapping[str, Any] | None = None,
    **context: Unpack[Context],
) -> NewEntry:
    """Something that failed, in words for people."""
    payload: dict[str, Any] = {"kind": kind, "message": message}
    if details is not None:
        payload["details"] = details
    return NewEntry(kind=ERROR, payload=payload, **context)


def correction(corrects: int, text: str, **context: Unpack[Context]) -> NewEntry:
    """What is right where entry `corrects` was wrong; shown beside it wherever that is shown."""
    return event("correction", {"corrects": corrects, "text": text}, **context)
