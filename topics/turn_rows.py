"""The rows of turns once asked, as they change with their entries; a claim and its lease apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tapes import entries, forks, store, views
from tapes.views import View
from topics import lifecycle, open_calls, renewing, signals
from topics.models import UNFINISHED, FinalizeReason, Turn, TurnStatus

if TYPE_CHECKING:
    from datetime import datetime

    from tapes.entries import Entry, NewEntry
    from tapes.forks import ForkHandle


def close(
    turn: Turn, fork: ForkHandle, closing: list[NewEntry], *, status: str, reason: str
) -> list[Entry]:
    """Append what closes a turn and merge its fork; no model call stays open on its ledger.

    An experiment's fork is discarded, and what its agent asked of the tape with it.
    """
    before = views.read(turn.tape_id, View.of_turns([turn.pk]).only("event"))
    if renewing.asks(before) and not turn.experiment:
        lifecycle.finalize(turn.topic_id, reason=FinalizeReason.RESET, actor="agent")
    unknown = open_calls.unknown([*before, *closing], actor="system")
    ended = entries.event("turn_ended", {"status": status, "reason": reason}, actor="system")
    recorded = append(turn, [*closing, *unknown, ended], fork=fork)
    close_fork(turn, fork)
    return recorded


def close_fork(turn: Turn, fork: ForkHandle) -> None:
    """Show a turn's fork to every view, or for an experiment to none (T11)."""
    ends = forks.discard if turn.experiment else forks.merge
    why = "experiment" if turn.experiment else ""
    ends(fork, topic_id=turn.topic_id, turn_id=turn.pk, actor="system", why=why)


def end(turn: Turn, status: str, *, at: datetime, **fields: Any) -> Turn:
    """Set the row of a turn that ended, as its tape says, and tell who waits behind it."""
    ended = update(turn, status=TurnStatus(status), ended_at=at, lease_until=None, **fields)
    lifecycle.touch(turn.topic_id, at=at)
    tell_next(turn.tape_id)
    return ended


def tell_next(tape_id: int) -> None:
    """Tell that the first unfinished turn of a tape can be claimed, if it waits."""
    oldest = Turn.objects.filter(tape=tape_id, status__in=UNFINISHED).order_by("pk").first()
    if oldest and oldest.status == TurnStatus.WAITING:
        signals.tell_turn_due(oldest.pk)


def update(turn: Turn, **fields: Any) -> Turn:
    """Write columns of the row; returns it as it is now."""
    Turn.objects.filter(pk=turn.pk).update(**fields)
    turn.refresh_from_db()
    return turn


def append(turn: Turn, new: Sequence[NewEntry], *, fork: ForkHandle | None = None) -> list[Entry]:
    """Append entries that belong to the turn."""
    belongs = [replace(entry, topic_id=turn.topic_id, turn_id=turn.pk) for entry in new]
    return store.append(turn.tape_id, belongs, fork=fork)
