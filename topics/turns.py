"""What a worker does with turns: claim, keep alive, take up, end; and how one is stopped (R3, A8)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Exists, OuterRef, Q
from django.db.models.functions import Now

from tapes import entries as tape_entries
from tapes import forks
from topics import acts, lifecycle, locks, turn_rows
from topics.models import UNFINISHED, Turn, TurnStatus

if TYPE_CHECKING:
    from tapes.entries import NewEntry
    from tapes.forks import ForkHandle

TAKEN_UP = "taken_up"
"""Reason of a turn whose question another turn answers."""
WORKER_LOST = "worker_lost"
"""Reason of a turn whose last attempt was lost."""
_LOST_NOTES = {
    "zh": "（回答它的工作进程几次中断，答案没有写完。问题还在，可以再问一次。）",
    "en": "(The worker answering this was lost several times; the answer is not complete. Ask again.)",
}


class Lost(Exception):
    """Another worker has taken the turn, or it has ended; this one must leave it."""

    code = "turn_lost"


@dataclass(frozen=True, slots=True)
class Claimed:
    """The right to work on a turn, until its lease lapses and another claim fences it out."""

    turn: Turn
    fork: ForkHandle
    attempt: int
    worker: str


@dataclass(frozen=True, slots=True)
class State:
    """What a heartbeat learns."""

    lost: bool
    stop: bool


# No cycle, though a claim locks its turn's row without the tape's lock, which others take first.
# For the row it never waits (SKIP LOCKED). With it, it waits for the tape's row alone, which every
# append keeps to the end of its transaction; and no one who has that still wants a turn that can be
# claimed: `_held`, `_stop` and `_give_up` lock theirs before they append, a question that joins a
# turn takes KEY SHARE, which this lock lets pass, and `take_joined` ends only turns that wait behind
# one that runs, which no claim selects.
_CLAIM = """
UPDATE topics_turn SET status = 'running', attempts = attempts + 1, worker = %(worker)s,
    lease_until = clock_timestamp() + %(lease)s * interval '1 second',
    started_at = coalesce(started_at, clock_timestamp())
WHERE id = (
    SELECT wanted.id FROM topics_turn wanted
    WHERE wanted.id = %(turn)s AND wanted.attempts < %(most)s
    AND (wanted.status = 'waiting'
        OR (wanted.status = 'running' AND wanted.lease_until < clock_timestamp()))
    AND NOT EXISTS (
        SELECT FROM topics_turn older WHERE older.tape_id = wanted.tape_id
        AND older.id < wanted.id AND older.status IN ('waiting', 'running'))
    FOR NO KEY UPDATE SKIP LOCKED)
RETURNING id
"""


def claim(turn_id: int, worker: str) -> Claimed | None:
    """Take a turn that waits or whose lease lapsed; None when another has it or comes first.

    The fork is opened, or renewed so that the last worker's token is refused. A turn whose
    attempts are used up ends failed here, with the reason on its tape.
    """
    with transaction.atomic():
        parameters: dict[str, str | int] = {
            "turn": turn_id,
            "worker": worker,
            "lease": settings.TURN_LEASE_SECONDS,
            "most": settings.TURN_MAX_ATTEMPTS,
        }
        with connection.cursor() as cursor:
            cursor.execute(_CLAIM, parameters)
            taken = cursor.fetchone() is not None
        if taken:
            return _taken(turn_id, worker)
    _give_up(turn_id)
    return None


def _taken(turn_id: int, worker: str) -> Claimed:
    turn = Turn.objects.get(pk=turn_id)
    fork = forks.renew(turn.fork_id) if turn.fork_id else forks.open(turn.tape_id)
    turn_rows.update(turn, fork_id=fork.id)
    event = tape_entries.event("turn_started", {"attempt": turn.attempts}, actor="system")
    turn_rows.append(turn, [event], fork=fork)
    return Claimed(turn, fork, turn.attempts, worker)


def heartbeat(claimed: Claimed) -> State:
    """Renew the lease, and learn whether the turn was lost or is to stop."""
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE topics_turn"
            " SET lease_until = clock_timestamp() + %s * interval '1 second'"
            " WHERE id = %s AND status = 'running' AND attempts = %s"
            " RETURNING stop_requested_at IS NOT NULL",
            [settings.TURN_LEASE_SECONDS, claimed.turn.pk, claimed.attempt],
        )
        row = cursor.fetchone()
    return State(lost=row is None, stop=bool(row and row[0]))


def take_joined(claimed: Claimed) -> list[Turn]:
    """Take up the questions added to this turn; each is done and answered with it (A8).

    Raises Lost; store.StaleFork from a worker that was overtaken.
    """
    waiting = Turn.objects.filter(joins=claimed.turn.pk, status=TurnStatus.WAITING)
    if not waiting.exists():
        return []
    with transaction.atomic():
        _held(claimed)
        joined = list(waiting.order_by("id"))
        told = [
            tape_entries.event(
                "message_taken_up", {"seq": turn.question_seq, "turn": turn.pk}, actor="system"
            )
            for turn in joined
        ]
        recorded = turn_rows.append(claimed.turn, told, fork=claimed.fork) if told else []
        for turn, entry in zip(joined, recorded, strict=True):
            turn_rows.end(
                turn, TurnStatus.DONE, at=entry.date, reason=TAKEN_UP, taken_by=claimed.turn
            )
    return joined


def taken_up(turn_id: int) -> list[int]:
    """Ids of the turns whose questions this one has taken up, in the order they were asked."""
    return list(Turn.objects.filter(taken_by=turn_id).order_by("id").values_list("pk", flat=True))


def finish(
    claimed: Claimed,
    status: str,
    *,
    reason: str = "",
    entries: Sequence[NewEntry] = (),
    answer_seq_from: int | None = None,
) -> Turn:
    """End a turn: its last entries, the merge and the row, in one transaction.

    `answer_seq_from` is the index in `entries` of the answer. Afterwards a finalize that waited
    for this turn is done. Raises Lost; store.StaleFork from a worker that was overtaken.
    """
    with transaction.atomic():
        turn = _held(claimed)
        recorded = turn_rows.close(turn, claimed.fork, list(entries), status=status, reason=reason)
        answers = answer_seq_from is not None and not turn.experiment
        answer = recorded[answer_seq_from or 0].seq if answers else None
        turn_rows.end(turn, status, at=recorded[-1].date, reason=reason, answer_seq=answer)
    lifecycle.complete_requested(turn.topic_id)
    return turn


def request_stop(turn_id: int, actor: str) -> Turn:
    """Ask a turn to stop: a waiting one stops at once, a running one at its next step.

    One that has ended stays as it is.
    """
    turn = _stop(turn_id, actor)
    if turn.status == TurnStatus.STOPPED:
        lifecycle.complete_requested(turn.topic_id)
    return turn


def due(*, limit: int = 100) -> list[int]:
    """Ids of turns that can be claimed now: next on their tape, or left by a lost worker."""
    older = Turn.objects.filter(tape=OuterRef("tape"), pk__lt=OuterRef("pk"), status__in=UNFINISHED)
    claimable = Turn.objects.filter(
        Q(status=TurnStatus.WAITING) | Q(status=TurnStatus.RUNNING, lease_until__lt=Now()),
        ~Exists(older),
    )
    return list(claimable.order_by("pk").values_list("pk", flat=True)[:limit])


@acts.act
def _stop(turn_id: int, actor: str) -> Turn:
    locks.tape(Turn.objects.values_list("tape_id", flat=True).get(pk=turn_id))
    turn = Turn.objects.select_for_update(no_key=True).get(pk=turn_id)
    if turn.status not in UNFINISHED or turn.stop_requested_at:
        return turn
    asked = tape_entries.event("stop_requested", actor=actor)
    if turn.status == TurnStatus.RUNNING:
        turn_rows.append(turn, [asked])
        return turn_rows.update(turn, stop_requested_at=Now())
    # Only an experiment has a fork before its first claim.
    fork = forks.renew(turn.fork_id) if turn.fork_id else None
    ended = {"status": TurnStatus.STOPPED.value, "reason": "stopped"}
    ending = [asked, tape_entries.event("turn_ended", ended, actor="system")]
    *_, last = turn_rows.append(turn, ending, fork=fork)
    if fork is not None:
        turn_rows.close_fork(turn, fork)
    return turn_rows.end(
        turn, TurnStatus.STOPPED, at=last.date, reason="stopped", stop_requested_at=Now()
    )


def _give_up(turn_id: int) -> None:
    """End a turn failed whose last attempt was lost."""
    lost = Turn.objects.filter(
        pk=turn_id,
        status=TurnStatus.RUNNING,
        attempts__gte=settings.TURN_MAX_ATTEMPTS,
        lease_until__lt=Now(),
    )
    found = lost.first()
    if found is None:
        return
    with transaction.atomic():
        locks.tape(found.tape_id)
        turn = lost.select_for_update(no_key=True).first()
        if turn is None or turn.fork_id is None:
            return
        why = f"the worker was lost {turn.attempts} times"
        meta = {"partial": True, "ended": WORKER_LOST}
        # A message as well, since the next turn's model is shown no errors (A1).
        said = tape_entries.message("assistant", _LOST_NOTES[turn.language], meta=meta)
        error = tape_entries.error("turn_failed", why, actor="system")
        closed = turn_rows.close(
            turn, forks.renew(turn.fork_id), [said, error], status="failed", reason=WORKER_LOST
        )
        turn_rows.end(turn, TurnStatus.FAILED, at=closed[-1].date, reason=WORKER_LOST)
    lifecycle.complete_requested(found.topic_id)


def _held(claimed: Claimed) -> Turn:
    """The turn under its tape's lock, if the claim still holds it; its row is locked as well."""
    locks.tape(claimed.turn.tape_id)
    turn = Turn.objects.select_for_update(no_key=True).get(pk=claimed.turn.pk)
    if turn.status != TurnStatus.RUNNING or turn.attempts != claimed.attempt:
        raise Lost(f"turn {turn.pk} is no longer attempt {claimed.attempt}")
    return turn
