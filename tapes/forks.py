"""Forks: entries that no default view shows until they are merged as one (T11)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Unpack

from django.db import connection

from tapes import exact_text, signals
from tapes.errors import named

if TYPE_CHECKING:
    from tapes.entries import Context


@dataclass(frozen=True, slots=True)
class ForkHandle:
    """The right to write on a fork; `token` is refused once another writer has renewed it."""

    id: int
    tape_id: int
    token: int
    base_seq: int
    """The tape's head when the fork opened."""


def open(tape_id: int) -> ForkHandle:  # noqa: A001 — read as forks.open(…)
    """Open a fork at the tape's head. Raises `UnknownTape`, `TapeArchived`."""
    with named(), connection.cursor() as cursor:
        cursor.execute("SELECT fork_id, token, base_seq FROM tapes_fork_open(%s)", [tape_id])
        fork_id, token, base_seq = cursor.fetchone()
    return ForkHandle(fork_id, tape_id, token, base_seq)


def renew(fork_id: int) -> ForkHandle:
    """Take a fork over: the new token works, the old one no longer. Raises `ForkClosed`."""
    with named(), connection.cursor() as cursor:
        cursor.execute("SELECT tape_id, token, base_seq FROM tapes_fork_renew(%s)", [fork_id])
        tape_id, token, base_seq = cursor.fetchone()
    return ForkHandle(fork_id, tape_id, token, base_seq)


def merge(handle: ForkHandle, **context: Unpack[Context]) -> int | None:
    """Show a fork's entries to every view; return the event's seq, None when it was done before.

    Raises `StaleFork`, and `ForkClosed` when the fork was discarded.
    """
    return _close(handle, "merged", context)


def discard(handle: ForkHandle, **context: Unpack[Context]) -> int | None:
    """Hide a fork's entries from every view but an inspection; else as `merge`."""
    return _close(handle, "discarded", context)


def _close(handle: ForkHandle, state: str, context: Context) -> int | None:
    actor = exact_text.check_plain(context.get("actor", "system"))
    why = exact_text.check_plain(context.get("why", ""))
    sources = "{" + ",".join(map(str, sorted(set(context.get("sources", ()))))) + "}"
    turn_id = context.get("turn_id")
    with named(), connection.cursor() as cursor:
        cursor.execute(
            "SELECT tapes_fork_close(%s, %s, %s, %s, %s::bigint, %s::bigint, %s::integer,"
            " %s::integer, %s, %s, %s)",
            [
                handle.id,
                handle.token,
                state,
                exact_text.of(context.get("meta", {})),
                context.get("topic_id"),
                turn_id,
                context.get("step"),
                context.get("part"),
                actor,
                why,
                sources,
            ],
        )
        seq: int | None = cursor.fetchone()[0]
    if seq is not None:
        signals.tell(handle.tape_id, seq, [] if turn_id is None else [turn_id])
    return seq
