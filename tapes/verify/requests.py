"""Checking tapes when people ask for it: a request is a row, a worker checks, the finding stays."""

from __future__ import annotations

import datetime
from collections.abc import Collection
from dataclasses import dataclass
from functools import partial

from django.db import transaction
from django.db.models import F, Q
from django.db.models.functions import Now

from tapes import heads, signals, verify
from tapes.models import Verification


@dataclass(frozen=True, slots=True)
class Check:
    """What the last check of a tape found; everything but `pending` is None before the first."""

    at: datetime.datetime | None
    ok: bool | None
    first_bad_seq: int | None
    reason: str
    entries: int | None
    pending: bool
    """Whether a newer check was asked for and has not ended."""


_WAITING = Q(at=None) | Q(requested_at__gt=F("at"))


def request(tape_id: int) -> Check:
    """Let a worker check a tape; asked again while one waits, nothing more happens."""
    Verification.objects.get_or_create(tape_id=tape_id, defaults={"requested_at": Now()})
    Verification.objects.filter(~_WAITING, tape_id=tape_id).update(requested_at=Now())
    transaction.on_commit(partial(signals.check_due.send_robust, sender=None, tape_id=tape_id))
    return last([tape_id])[tape_id]


def due() -> list[int]:
    """Ids of tapes whose check waits, the longest wait first."""
    waiting = Verification.objects.filter(_WAITING).order_by("requested_at", "tape_id")
    return list(waiting.values_list("tape_id", flat=True)[:100])


def run(tape_id: int) -> None:
    """Check a tape against the log of heads and keep what was found; doing it twice does no harm."""
    if not Verification.objects.filter(_WAITING, tape_id=tape_id).exists():
        return
    verdict = verify.verify(tape_id, heads.of(heads.log_path(), tape_id))
    Verification.objects.filter(tape_id=tape_id).update(
        at=Now(),
        ok=verdict.ok,
        first_bad_seq=verdict.first_bad_seq,
        reason=verdict.reason,
        entries=verdict.entries,
    )


def last(tape_ids: Collection[int]) -> dict[int, Check]:
    """What was found of each of these tapes; those never asked about are left out."""
    rows = Verification.objects.filter(tape_id__in=tape_ids)
    return {row.tape_id: _check(row) for row in rows}


def _check(row: Verification) -> Check:
    pending = row.at is None or row.requested_at > row.at
    return Check(row.at, row.ok, row.first_bad_seq, row.reason, row.entries, pending)
