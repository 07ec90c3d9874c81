"""Renderer 1: messages, whole pairs of tool call and result, and the anchors a model should know.

Providers refuse unpaired tool messages, so every broken pairing is repaired here: a call without
a result is answered "interrupted"; a result without a call, before its call, or a second time is
left out; whatever stood between a call and its results follows them; results come in call order.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tapes.renderers.shown import Message, Shown

if TYPE_CHECKING:
    from tapes.entries import Entry

WITHHELD = "[withheld]"
INTERRUPTED = "[interrupted: no result was recorded]"


def shows_anchor(name: str) -> bool:
    """Whether the model is told of an anchor of this name: the one table of T10."""
    return name in {"recall_anchor", "brain_overload"} or name.startswith("mark/")


def render(entries: Sequence[Entry], *, hidden: frozenset[int], system: str | None) -> Shown:
    """Render entries in the order given; the text of those in `hidden` is withheld."""
    blocks = _blocks(entries)
    corrections = _corrections(entries)
    messages: list[Message] = []
    # A dictionary, for its order and because results of one entry come as several messages.
    seqs: dict[int, None] = {}
    if system is not None:
        messages.append({"role": "system", "content": system})
    for entry in entries:
        parts = list(_parts(entry, blocks, hidden))
        shown = dict.fromkeys(part.seq for part in parts)
        parts += [_correction(one, hidden) for seq in shown for one in corrections.get(seq, ())]
        for part in parts:
            messages.append(part.message)
            seqs[part.seq] = None
    return Shown(messages, list(seqs), [seq for seq in seqs if seq in hidden])


def places(entries: Sequence[Entry], *, hidden: frozenset[int]) -> list[int]:
    """The seq each message of `render` came from, without the system prompt's."""
    blocks = _blocks(entries)
    corrections = _corrections(entries)
    found: list[int] = []
    for entry in entries:
        of_entry = [part.seq for part in _parts(entry, blocks, hidden)]
        found += of_entry
        for seq in dict.fromkeys(of_entry):
            found += [one.seq for one in corrections.get(seq, ())]
    return found


@dataclass(slots=True)
class _Part:
    """A message and the entry it came from."""

    seq: int
    message: Message


@dataclass(slots=True)
class _Slot:
    """One call and, once found, its result."""

    id: str
    name: str
    arguments: str
    result: Any = None
    seq: int | None = None


_Blocks = dict[int, list[_Slot]]
"""The calls of each entry that holds calls, in order."""


def _blocks(entries: Iterable[Entry]) -> _Blocks:
    """Pair results with calls, by id where the result names one, else by position."""
    blocks: _Blocks = {}
    for entry in entries:
        if entry.kind == "tool_call":
            blocks[entry.seq] = list(_slots(entry))
        elif entry.kind == "tool_result":
            _fill(list(blocks.values()), entry)
    return blocks


def _slots(entry: Entry) -> Iterator[_Slot]:
    for index, call in enumerate(entry.payload.get("calls") or ()):
        if isinstance(call, dict):
            function = call.get("function")
            function = function if isinstance(function, dict) else {}
            # An id made from its place, where an old tape or a model gave none.
            call_id = str(call.get("id") or f"call_{entry.seq}_{index}")
            name = str(function.get("name", ""))
            yield _Slot(call_id, name, _arguments(function.get("arguments", "{}")))


def _fill(blocks: list[list[_Slot]], entry: Entry) -> None:
    for index, result in enumerate(entry.payload.get("results") or ()):
        slot = _awaiting(blocks, result["id"]) if _names_its_call(result) else _at(blocks, index)
        if slot is not None:
            slot.result, slot.seq = result, entry.seq


def _names_its_call(result: object) -> bool:
    return isinstance(result, dict) and isinstance(result.get("id"), str) and "content" in result


def _awaiting(blocks: list[list[_Slot]], call_id: str) -> _Slot | None:
    """The newest call of that id without a result: models reuse ids from step to step."""
    for block in reversed(blocks):
        for slot in block:
            if slot.id == call_id and slot.seq is None:
                return slot
    return None


def _at(blocks: list[list[_Slot]], index: int) -> _Slot | None:
    if not blocks or index >= len(blocks[-1]):
        return None
    slot = blocks[-1][index]
    return slot if slot.seq is None else None


def _parts(entry: Entry, blocks: _Blocks, hidden: frozenset[int]) -> Iterator[_Part]:
    if entry.kind == "message":
        yield from _message(entry, hidden)
    elif entry.kind == "tool_call" and blocks[entry.seq]:
        yield _call(entry, blocks[entry.seq], hidden)
        yield from (_result(entry, slot, hidden) for slot in blocks[entry.seq])
    elif entry.kind == "anchor" and shows_anchor(entry.payload.get("name", "")):
        text = WITHHELD if entry.seq in hidden else _state_text(entry.payload.get("state"))
        yield _Part(entry.seq, {"role": "user", "content": f"[{entry.payload['name']}] {text}"})


def _message(entry: Entry, hidden: frozenset[int]) -> Iterator[_Part]:
    role, content = entry.payload.get("role"), entry.payload.get("content")
    # A tool message of old tapes has no call to stand beside; an empty one says nothing.
    if role is None or role == "tool" or not content:
        return
    yield _Part(entry.seq, {"role": role, "content": WITHHELD if entry.seq in hidden else content})


def _call(entry: Entry, slots: list[_Slot], hidden: frozenset[int]) -> _Part:
    withheld = entry.seq in hidden
    content = entry.payload.get("content") or ""
    calls = [
        {
            "id": slot.id,
            "type": "function",
            "function": {"name": slot.name, "arguments": "{}" if withheld else slot.arguments},
        }
        for slot in slots
    ]
    text = WITHHELD if withheld and content else content
    return _Part(entry.seq, {"role": "assistant", "content": text, "tool_calls": calls})


def _result(entry: Entry, slot: _Slot, hidden: frozenset[int]) -> _Part:
    content = WITHHELD if slot.seq in hidden else _result_text(slot)
    message = {"role": "tool", "content": content, "tool_call_id": slot.id, "name": slot.name}
    return _Part(entry.seq if slot.seq is None else slot.seq, message)


def _arguments(arguments: object) -> str:
    """The arguments as recorded; what is no JSON object is wrapped, since providers parse it."""
    if isinstance(arguments, dict):
        return json.dumps(arguments, ensure_ascii=False)
    try:
        if isinstance(arguments, str) and isinstance(json.loads(arguments), dict):
            return arguments
    except (ValueError, RecursionError):
        pass
    return json.dumps({"malformed": arguments}, ensure_ascii=False)


def _result_text(slot: _Slot) -> str:
    if slot.seq is None:
        return INTERRUPTED
    result = slot.result["content"] if _names_its_call(slot.result) else slot.result
    return result if isinstance(result, str) else json.dumps(result, ensure_ascii=False)


def _state_text(state: object) -> str:
    if isinstance(state, dict) and isinstance(state.get("text"), str):
        return str(state["text"])
    return json.dumps(state, ensure_ascii=False)


def _corrections(entries: Iterable[Entry]) -> dict[int, list[Entry]]:
    found: dict[int, list[Entry]] = {}
    for entry in entries:
        data = entry.payload.get("data")
        if entry.payload.get("name") != "correction" or not isinstance(data, dict):
            continue
        if entry.kind == "event" and isinstance(data.get("corrects"), int):
            found.setdefault(data["corrects"], []).append(entry)
    return found


def _correction(entry: Entry, hidden: frozenset[int]) -> _Part:
    data: Mapping[str, Any] = entry.payload["data"]
    text = WITHHELD if entry.seq in hidden else data.get("text", "")
    content = f"[correction of entry {data['corrects']}] {text}"
    return _Part(entry.seq, {"role": "user", "content": content})
