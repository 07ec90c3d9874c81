"""How hooks have done lately: counts and medians of their newest runs, without reading tapes (P4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING

from django.db import connection

from topics import hooks
from topics.models import HookRun, HookStatus
from topics.models.hooks import PreHookRun

if TYPE_CHECKING:
    from datetime import datetime

    from tapes.entries import NewEntry

NEWEST = 100
"""How many runs of a hook its figures are of."""
KEPT = 1000
"""How many rows of a pre-hook's runs are left when old ones are dropped."""
SWITCHED_OFF = "switched off"
AGAIN = "again"
"""A run that failed and waits to be tried again."""
_PRE = (hooks.Stage.PRE_TOPIC_INITIAL, hooks.Stage.PRE_TOPIC_FINALIZED)
_OUTCOMES = (
    "done", "failed", "refused", "not heeded", "left out", SWITCHED_OFF, "lost", "waiting", "running",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Figures:
    """The newest runs of a hook at one stage."""

    runs: int
    outcomes: dict[str, int]
    """How many ended with which outcome, the most frequent first."""
    median_seconds: float | None
    """Of the runs that took place; None without one."""
    last_outcome: str
    last_at: datetime | None
    """When the newest began; None where only the tape knows."""


def note(left: Iterable[NewEntry]) -> None:
    """Write rows for the runs of pre-hooks whose events are among `left`."""
    told = [
        entry.payload["data"]
        for entry in left
        if entry.payload.get("name") == "hook" and entry.payload["data"]["stage"] in _PRE
    ]
    PreHookRun.objects.bulk_create(
        PreHookRun(
            stage=data["stage"],
            hook=data["hook"],
            outcome=_word(data["outcome"]),
            seconds=data["seconds"],
        )
        for data in told
    )


def of(stage: hooks.Stage, path: str) -> Figures:
    """The figures of one hook at one stage."""
    if stage in _PRE:
        runs = PreHookRun.objects.filter(stage=stage.value, hook=path).order_by("-id")[:NEWEST]
        return _figures([(run.outcome, run.seconds, run.at) for run in runs])
    rows = HookRun.objects.filter(stage=stage.value, hook=path).order_by("-id")[:NEWEST]
    return _figures([(_stands(row), row.seconds, row.due_at) for row in rows])


def forget_old() -> int:
    """Drop rows of pre-hooks' runs but for the newest of each; returns how many."""
    with connection.cursor() as cursor:
        cursor.execute(
            "DELETE FROM topics_prehookrun WHERE id IN (SELECT id FROM (SELECT id, row_number()"
            " OVER (PARTITION BY stage, hook ORDER BY id DESC) AS place FROM topics_prehookrun)"
            " AS numbered WHERE place > %s)",
            [KEPT],
        )
        return int(cursor.rowcount)


def _figures(runs: Sequence[tuple[str, float | None, datetime]]) -> Figures:
    took = [seconds for outcome, seconds, _ in runs if seconds is not None and _ran(outcome)]
    return Figures(
        runs=len(runs),
        outcomes=dict(Counter(outcome for outcome, _, _ in runs).most_common()),
        median_seconds=median(took) if took else None,
        last_outcome=runs[0][0] if runs else "",
        last_at=runs[0][2] if runs else None,
    )


def _ran(outcome: str) -> bool:
    return outcome not in {SWITCHED_OFF, "left out", "waiting", "running", AGAIN}


def _stands(row: HookRun) -> str:
    if row.status == HookStatus.DONE:
        return SWITCHED_OFF if row.outcome == SWITCHED_OFF else "done"
    return AGAIN if row.status == HookStatus.WAITING and row.attempts else row.status


def _word(outcome: str) -> str:
    """The outcome without what the hook told of it, which may quote someone."""
    if outcome.startswith("refused, which"):
        return "not heeded"
    return next((word for word in _OUTCOMES if outcome.startswith(word)), "done")
