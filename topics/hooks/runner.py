"""Post-hooks: rows claimed with a lease, run apart, with an effect that happens once (P4)."""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import timedelta
from threading import Thread
from typing import TYPE_CHECKING

from django.db import connection, transaction
from django.db.models import F, Q
from django.db.models.functions import Now

from tapes import store
from topics import hooks, signals
from topics.hooks import aside, entries, figures, guard, switches
from topics.models import HookRun, HookStatus, Topic

if TYPE_CHECKING:
    from tapes.entries import NewEntry

LEASE_SECONDS = 60
"""What one run may take; later another worker starts it anew, and this one's effect is refused."""
WAITED_SECONDS = 50
"""How long a worker waits for what a hook gives; less than the lease, so that it can still say what became of it."""
WRITE_SECONDS = 10.0
"""What its `write` may take, which holds a transaction."""
MAX_ATTEMPTS = 3
BACK_OFF_SECONDS = (5, 60)
"""Wait after the first and second failure."""
FIRST_TURN_SECONDS = 3.0
"""What the hooks of `post_topic_initial` have together at the head of the first turn."""
LEFT_TO_FIRST_TURN_SECONDS = 10
"""How long a worker leaves them to that turn before it runs them apart."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Claim:
    run_id: int
    token: int
    attempt: int
    path: str
    context: hooks.Context
    started: float

    def gives(self) -> hooks.Effect:
        return hooks.load(self.path)(self.context) or hooks.Effect()

    def ended(self, outcome: str) -> entries.Run:
        seconds = time.monotonic() - self.started
        return entries.Run(self.path, self.context.stage, seconds, outcome, self.attempt)


def queue(topic: Topic, stage: hooks.Stage) -> None:
    """Write a row for each hook of a post stage; call it in the lifecycle's transaction."""
    first = stage is hooks.Stage.POST_TOPIC_INITIAL
    wait = timedelta(seconds=LEFT_TO_FIRST_TURN_SECONDS if first else 0)
    rows = [
        HookRun(
            topic=topic,
            stage=stage.value,
            hook=path,
            essential=hooks.essential(path),
            due_at=Now() + wait,
        )
        for path in hooks.paths(stage)
    ]
    made = HookRun.objects.bulk_create(rows)
    if made and not first:
        signals.tell_hooks_due([row.pk for row in made])


def due(*, limit: int = 100) -> list[int]:
    """Ids of runs that wait and may start, or whose worker was lost; oldest first."""
    rows = HookRun.objects.filter(_claimable()).order_by("due_at", "id")
    return list(rows.values_list("pk", flat=True)[:limit])


def hung(within: timedelta) -> dict[str, int]:
    """For how many topics each hook did not return in its time lately, and has not done it since."""
    rows = HookRun.objects.filter(
        seconds__gte=WAITED_SECONDS,
        status__in=[HookStatus.WAITING, HookStatus.FAILED],
        due_at__gte=Now() - within,
    )
    return dict(Counter(rows.order_by("hook").values_list("hook", flat=True)))


def run(hook_run_id: int) -> bool:
    """Run one hook if it is due and no one else runs it; says whether it did.

    Whatever the hook raises becomes an entry, and a later run unless it was the last.
    """
    return _run(hook_run_id, _claimable(), turn_id=None)


def at_first_turn(topic_id: int, *, turn_id: int, seconds: float = FIRST_TURN_SECONDS) -> None:
    """Run what waits since the topic's start, side by side, for at most `seconds`.

    What is ready in time is written under the turn, so that the turn sees it; a late hook goes on
    in its thread, and what it writes serves the next turn.
    """
    waiting = HookRun.objects.filter(
        topic=topic_id, stage=hooks.Stage.POST_TOPIC_INITIAL, status=HookStatus.WAITING, attempts=0
    )
    ids = list(waiting.order_by("id").values_list("pk", flat=True))
    if not ids:
        return
    deadline = time.monotonic() + seconds
    threads = [Thread(target=_run_apart, args=(pk, turn_id), daemon=True) for pk in ids]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(max(0.0, deadline - time.monotonic()))
    HookRun.objects.filter(pk__in=ids, status=HookStatus.RUNNING).update(turn=None)


def _run_apart(hook_run_id: int, turn_id: int) -> None:
    try:
        _run(hook_run_id, Q(status=HookStatus.WAITING), turn_id=turn_id)
    finally:
        connection.close()


def _run(hook_run_id: int, which: Q, *, turn_id: int | None) -> bool:
    claim = _claim(hook_run_id, which, turn_id=turn_id)
    if claim is None:
        return False
    try:
        if switches.skipped(claim.path, switches.off()):
            _succeed(claim, hooks.Effect(), how=figures.SWITCHED_OFF)
        else:
            _succeed(claim, aside.apart(claim.gives, path=claim.path, seconds=WAITED_SECONDS))
    except Exception as failure:
        logger.exception("post-hook %s failed for topic %s", claim.path, claim.context.topic_id)
        _fail(claim, entries.told(failure))
    return True


def _claimable() -> Q:
    return Q(status=HookStatus.WAITING, due_at__lte=Now()) | Q(
        status=HookStatus.RUNNING, lease_until__lt=Now()
    )


# No cycle, though a run's row is locked without the tape's lock: whoever has the tape's row or lock
# only inserts rows of runs, and whoever has a run's row waits for the tape's row at most.
@transaction.atomic
def _claim(hook_run_id: int, which: Q, *, turn_id: int | None) -> _Claim | None:
    rows = HookRun.objects.select_for_update(skip_locked=True, of=("self",))
    row = rows.filter(which, pk=hook_run_id).select_related("topic").first()
    if row is None:
        return None
    if row.status == HookStatus.RUNNING:
        _note_lost(row)
        if row.attempts >= MAX_ATTEMPTS:
            return None
    row.token += 1
    row.attempts += 1
    HookRun.objects.filter(pk=row.pk).update(
        status=HookStatus.RUNNING,
        token=row.token,
        attempts=row.attempts,
        turn=turn_id,
        lease_until=Now() + timedelta(seconds=LEASE_SECONDS),
    )
    return _Claim(row.pk, row.token, row.attempts, row.hook, _context(row), time.monotonic())


def _note_lost(row: HookRun) -> None:
    """Record the run whose worker was lost: no one else will."""
    last = row.attempts >= MAX_ATTEMPTS
    lost = entries.Run(row.hook, hooks.Stage(row.stage), LEASE_SECONDS, "lost", row.attempts)
    failure = "its worker was lost, for the last time" if last else ""
    _append(row.topic, entries.of(lost, failure=failure), turn_id=None)
    if last:
        HookRun.objects.filter(pk=row.pk).update(status=HookStatus.FAILED, outcome=failure)


@transaction.atomic
def _succeed(claim: _Claim, effect: hooks.Effect, *, how: str = "done") -> None:
    row = _held(claim)
    if row is None:
        return
    if effect.write:
        with guard.watched(WRITE_SECONDS, offline=False) as clock:
            aside.run(effect.write, path=claim.path, clock=clock)
    run = claim.ended(how)
    _append(row.topic, entries.of(run, effect=effect), turn_id=row.turn_id)
    HookRun.objects.filter(pk=row.pk).update(
        status=HookStatus.DONE,
        seconds=run.seconds,
        outcome=entries.plain(effect.outcome if how == "done" else how),
    )


@transaction.atomic
def _fail(claim: _Claim, failure: str) -> None:
    row = _held(claim)
    if row is None:
        return
    run = claim.ended("failed")
    _append(row.topic, entries.of(run, failure=failure), turn_id=None)
    last = claim.attempt >= MAX_ATTEMPTS
    wait = BACK_OFF_SECONDS[min(claim.attempt, len(BACK_OFF_SECONDS)) - 1]
    HookRun.objects.filter(pk=row.pk).update(
        status=HookStatus.FAILED if last else HookStatus.WAITING,
        due_at=F("due_at") if last else Now() + timedelta(seconds=wait),
        seconds=run.seconds,
        outcome=failure,
    )


def _held(claim: _Claim) -> HookRun | None:
    """The row, locked, if this claim still holds it; a worker that came too late changes nothing."""
    rows = HookRun.objects.select_for_update(of=("self",)).select_related("topic")
    row = rows.get(pk=claim.run_id)
    if row.status == HookStatus.RUNNING and row.token == claim.token:
        return row
    logger.warning("post-hook %s was overtaken; what it did is dropped", claim.path)
    return None


def _append(topic: Topic, left: Iterable[NewEntry], *, turn_id: int | None) -> None:
    belong = [replace(entry, topic_id=topic.pk, turn_id=turn_id) for entry in left]
    try:
        with transaction.atomic():
            store.append(topic.tape_id, belong)
    except store.TapeArchived:
        # A reset closed it with the topic: the run counts by its row alone.
        logger.warning("tape %s takes no more: a hook of topic %s", topic.tape_id, topic.pk)


def _context(row: HookRun) -> hooks.Context:
    topic = row.topic
    return hooks.Context(
        stage=hooks.Stage(row.stage),
        topic=hooks.Draft.of(topic),
        actor="system",
        topic_id=topic.pk,
        reason=topic.reason,
    )
