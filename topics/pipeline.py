"""Pre-hooks: run in order inside the lifecycle's transaction, each in a savepoint of its own (P4)."""

from __future__ import annotations

import logging
import time
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from django.db import connection, transaction
from django.db.models import Q
from django.db.models.functions import Now

from tapes import exact_text
from topics import acts, hooks
from topics.hooks import aside, entries, figures, guard, switches
from topics.models.hooks import PreHookRun

if TYPE_CHECKING:
    from datetime import timedelta

    from tapes.entries import NewEntry

SECONDS = 2.0
"""What one pre-hook may take."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Ran:
    path: str
    context: hooks.Context
    started: float

    def leaves(
        self, outcome: str, effect: hooks.Effect | None = None, failure: str = ""
    ) -> list[NewEntry]:
        seconds = time.monotonic() - self.started
        run = entries.Run(self.path, self.context.stage, seconds, outcome)
        return entries.of(run, effect=effect, failure=failure)


def run(context: hooks.Context, *, refusable: bool) -> list[NewEntry]:
    """Run the stage's hooks on `context.topic`, which they may change; returns what to append.

    Raises acts.TopicRefused when a hook refuses, or when an essential one fails; neither stops
    what is not `refusable`. Raises acts.HookHung when a hook cost the whole transaction.
    """
    left: list[NewEntry] = []
    paths = hooks.paths(context.stage)
    off = switches.off() if paths else frozenset()
    for path in paths:
        ran = _Ran(path, context, time.monotonic())
        if path in acts.left_out():
            left += ran.leaves("left out", failure="hung when it was tried before")
        elif switches.skipped(path, off):
            left += ran.leaves(figures.SWITCHED_OFF)
        else:
            left += _one(ran, refusable=refusable)
    figures.note(left)
    return left


def hung(within: timedelta) -> dict[str, int]:
    """How often each hook did not return in its time lately; each of these keeps a thread until it does."""
    too_long = Q(outcome="failed", seconds__gte=SECONDS + guard.LEFT_ALONE_SECONDS)
    runs = PreHookRun.objects.filter(Q(outcome="left out") | too_long, at__gte=Now() - within)
    return dict(Counter(runs.order_by("hook").values_list("hook", flat=True)))


def _one(ran: _Ran, *, refusable: bool) -> list[NewEntry]:
    before = replace(ran.context.topic)
    try:
        effect = _called(ran)
    except hooks.Refused as refused:
        if refusable:
            raise _refusal(ran, refused.reason, "refused") from refused
        _restore(ran.context.topic, before)
        return ran.leaves(f"refused, which {ran.context.reason} does not heed: {refused.reason}")
    except acts.HookHung:
        raise
    except Exception as failure:
        logger.exception("pre-hook %s failed", ran.path)
        told = entries.told(failure)
        if refusable and hooks.essential(ran.path):
            raise _refusal(ran, f"{ran.path} failed: {told}", "failed") from failure
        if connection.needs_rollback:
            raise acts.HookHung(ran.path) from failure
        _restore(ran.context.topic, before)
        return ran.leaves("failed", failure=told)
    return ran.leaves("done", effect)


def _called(ran: _Ran) -> hooks.Effect | None:
    def does() -> hooks.Effect | None:
        effect = hooks.load(ran.path)(ran.context)
        if effect and effect.write:
            effect.write()
        _check(ran.context.topic, effect)
        return effect

    with transaction.atomic(), guard.watched(SECONDS) as clock:
        return aside.run(does, path=ran.path, clock=clock)


def _check(draft: hooks.Draft, effect: hooks.Effect | None) -> None:
    """Refuse, as the hook's own failure, what the tape would refuse of the whole act."""
    exact_text.check_plain(draft.title + draft.summary)
    for entry in effect.entries if effect else ():
        exact_text.check(entry)
        exact_text.of(entry.payload)
        exact_text.of(entry.meta)


def _refusal(ran: _Ran, reason: str, outcome: str) -> acts.TopicRefused:
    return acts.TopicRefused(
        reason,
        tape_id=ran.context.topic.tape_id,
        topic_id=ran.context.topic_id,
        left=ran.leaves(outcome),
    )


def _restore(draft: hooks.Draft, before: hooks.Draft) -> None:
    draft.title, draft.summary, draft.sources = before.title, before.summary, before.sources
