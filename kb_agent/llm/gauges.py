"""Learns from calls how a model counts and how much it takes: our estimate, corrected by its usage (P8).

The ratio rises at once and falls slowly: a call that is refused costs more than one that is a
little shorter than it could be.
"""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils import timezone

from kb_agent.llm.gauge_models import Gauge

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from kb_agent.llm.models import Endpoint

UNMEASURED = 1.1
"""The estimate is up to a tenth below a tokenizer's count; so much is added before anything is known."""
FEWEST_TOKENS = 400
"""Shorter calls tell little: what a provider adds by itself weighs too much in them."""
REMEMBERED = datetime.timedelta(days=1)
"""A refusal counts so long: a server may be started anew with a larger window."""
_LOWEST, _HIGHEST = 0.6, 3.0
_WEIGHT = 0.2
_SHORTER = 0.8


@dataclass(frozen=True)
class Reading:
    """What is known of a model: tokens for each one estimated, and the window a refusal taught."""

    ratio: float = UNMEASURED
    window: int | None = None


def of(endpoint: Endpoint) -> Reading:
    """What calls have taught so far."""
    row = _rows(endpoint).first()
    if row is None:
        return Reading()
    fresh = row.refused_at is not None and timezone.now() - row.refused_at < REMEMBERED
    return Reading(row.ratio, row.window if fresh else None)


def measured(endpoint: Endpoint, estimated: int, counted: int) -> None:
    """Note that a model counted `counted` tokens where we had estimated `estimated`."""
    if estimated < FEWEST_TOKENS or not counted:
        return
    new = _within(counted / estimated)
    row = _rows(endpoint).first()
    if row is None:
        Gauge.objects.get_or_create(
            base_url=endpoint.base_url, model=endpoint.model, defaults={"ratio": new}
        )
        return
    ratio = new if new > row.ratio else row.ratio + _WEIGHT * (new - row.ratio)
    if abs(ratio - row.ratio) > 0.005:
        Gauge.objects.filter(pk=row.pk).update(ratio=ratio)


def refused(endpoint: Endpoint, estimated: int, limit: int | None) -> None:
    """Note that so many tokens, by our estimate, were too many; `limit` is what the refusal named.

    Afterwards the same messages are known not to fit.
    """
    ratio = of(endpoint).ratio
    if limit is None:
        window = int(estimated * ratio * _SHORTER)
    else:
        window, ratio = limit, max(ratio, _within(1.05 * limit / max(estimated, 1)))
    Gauge.objects.update_or_create(
        base_url=endpoint.base_url,
        model=endpoint.model,
        defaults={"ratio": ratio, "window": window, "refused_at": timezone.now()},
    )


def _within(ratio: float) -> float:
    return min(max(ratio, _LOWEST), _HIGHEST)


def _rows(endpoint: Endpoint) -> QuerySet[Gauge]:
    return Gauge.objects.filter(base_url=endpoint.base_url, model=endpoint.model)
