"""Model calls that a tape saw begin and not end: paid, perhaps, and never recorded (R3, T18)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Unpack

from tapes import entries

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tapes.entries import Context, Entry, NewEntry

STARTED, ENDED = "model_call_started", "model_call_ended"


def unknown(recorded: Iterable[Entry | NewEntry], **context: Unpack[Context]) -> list[NewEntry]:
    """The event that ends each call left open among these entries, its outcome unknown."""
    open_calls: dict[str, dict[str, Any]] = {}
    for entry in recorded:
        if entry.kind != "event" or entry.payload["name"] not in {STARTED, ENDED}:
            continue
        data = entry.payload["data"]
        if entry.payload["name"] == STARTED:
            open_calls[data["call"]] = data
        else:
            open_calls.pop(data["call"], None)
    return [
        entries.event(ENDED, outcome_unknown(call["call"], call["model"]), **context)
        for call in open_calls.values()
    ]


def outcome_unknown(call: str, model: str) -> dict[str, Any]:
    """What is said of a call that nobody saw end."""
    return {
        "call": call,
        "status": "unknown",
        "model": model,
        "usage": None,
        "price": None,
        "currency": None,
        "seconds": None,
        "finish_reason": None,
    }
