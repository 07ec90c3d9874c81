"""What one run of a hook leaves on the tape: an event always, an error when it failed (P4)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tapes import entries
from topics import hooks
from topics.hooks import aside, guard

if TYPE_CHECKING:
    from tapes.entries import NewEntry

TEXT_CHARS = 500
"""Longest outcome or failure written down."""
_MEANT_FOR_PEOPLE = (
    *(hooks.Refused, hooks.NotAHook),
    *(guard.Overdue, guard.NetworkRefused, aside.LeftBehind),
)


@dataclass(frozen=True, slots=True)
class Run:
    """One run of one hook, as it ended."""

    path: str
    stage: hooks.Stage
    seconds: float
    outcome: str
    attempt: int = 1


def of(run: Run, *, effect: hooks.Effect | None = None, failure: str = "") -> list[NewEntry]:
    """The entries of a run: what the hook gave, the event, and the error when it failed."""
    actor = f"hook:{run.path}"
    given = [replace(entry, actor=actor) for entry in effect.entries] if effect else []
    told = effect.outcome if effect else ""
    event = entries.event(
        "hook",
        {
            "hook": run.path,
            "stage": run.stage.value,
            "attempt": run.attempt,
            "seconds": round(run.seconds, 3),
            "outcome": plain(f"{run.outcome}: {told}" if told else run.outcome),
        },
        actor=actor,
    )
    if not failure:
        return [*given, event]
    details = {"hook": run.path, "stage": run.stage.value, "attempt": run.attempt}
    return [event, entries.error("hook_failed", plain(failure), details, actor=actor)]


def told(failure: Exception) -> str:
    """What people and tape are told of what a hook raised: the type, and words meant for people.

    The words of other exceptions stay in the log: they may quote SQL, addresses and keys (C8).
    """
    name = type(failure).__name__
    return plain(f"{name}: {failure}" if isinstance(failure, _MEANT_FOR_PEOPLE) else name)


def plain(text: str) -> str:
    """A text of someone else's that any tape and row can keep, cut to TEXT_CHARS."""
    return str(text)[:TEXT_CHARS].replace("\0", "\ufffd").encode("utf-8", "replace").decode()
