"""What the model saw: the messages of a recorded call, rebuilt from the tape and proven by hash."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tapes import erased_form, messages, store, views
from tapes.errors import TapeError


class EntriesMissing(TapeError):
    """The call names entries the tape no longer holds."""

    code = "entries_missing"


@dataclass(frozen=True, slots=True)
class Seen:
    """One model call as it was made."""

    messages: list[dict[str, Any]]
    places: list[int | None]
    """The entry each message came from; None for the system prompt."""
    tools: str | None
    """The tool schemas, as stored by digest."""
    proven: bool
    """Whether the messages have the hash that was noted before the call."""
    erased: tuple[int, ...] = ()
    """Entries shown then whose words were erased since; nothing can prove what they said."""


def rebuild(tape_id: int, call: Mapping[str, Any]) -> Seen:
    """Rebuild a call from the data of its event `model_call_started`.

    That is: `seqs` in the order shown, `withheld`, `renderer`, `system_digest`, `tools_digest`
    (either may be null) and `messages_digest`; or, for a call that was made of no window,
    `messages`, the digest of the stored messages. Raises `EntriesMissing`, `store.UnknownSpill`.
    """
    if "messages" in call:
        return _stored(call)
    seqs = list(call["seqs"])
    found = {entry.seq: entry for entry in views.at((tape_id, seq) for seq in set(seqs))}
    if len(found) != len(set(seqs)):
        raise EntriesMissing(f"tape {tape_id} lacks entries of {seqs}")
    system, tools = call.get("system_digest"), call.get("tools_digest")
    shown = [found[seq] for seq in seqs]
    hidden = frozenset(call.get("withheld", ()))
    rendered = messages.render_by(
        call["renderer"], shown, hidden=hidden, system=store.unspill(system) if system else None
    )
    return Seen(
        messages=rendered.messages,
        places=messages.places_by(call["renderer"], shown, hidden=hidden, system=bool(system)),
        tools=store.unspill(tools) if tools else None,
        proven=rendered.digest == call["messages_digest"],
        erased=tuple(seq for seq in seqs if erased_form.is_erased(found[seq])),
    )


def _stored(call: Mapping[str, Any]) -> Seen:
    said = json.loads(store.unspill(call["messages"]))
    proven = messages.digest(said) == call["messages_digest"]
    return Seen(messages=said, places=[None] * len(said), tools=None, proven=proven)
