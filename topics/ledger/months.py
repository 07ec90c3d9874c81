"""What was spent in a month, to the last call that has ended: what budgets are held against."""

from __future__ import annotations

import datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django.db.models import F, QuerySet, Sum
from django.utils import timezone

from topics.ledger.folding import day_of
from topics.models.cost_sums import CostMonth
from topics.models.ledger import Call

if TYPE_CHECKING:
    from collections.abc import Collection

TOKENS = "tokens"
_ALL = F("input") + F("cached") + F("output") + F("reasoning")


def this() -> datetime.date:
    """The first day of the month it is where the company is."""
    return day_of(timezone.now()).replace(day=1)


def after(month: datetime.date) -> datetime.date:
    """The first day of the next month."""
    return (month + datetime.timedelta(days=32)).replace(day=1)


def spent(
    month: datetime.date,
    *,
    unit: str,
    payers: Collection[int] | None = None,
    model: str | None = None,
) -> Decimal:
    """Tokens, or money of one currency, in a month: of some payers or all, of one model or all."""
    summed = CostMonth.objects.filter(day=month)
    left = Call.objects.filter(
        rolled=False, ended_seq__isnull=False, day__gte=month, day__lt=after(month)
    )
    return sum(
        (_sum(rows, unit=unit, payers=payers, model=model) for rows in (summed, left)), Decimal(0)
    )


def _sum(
    rows: QuerySet[Any], *, unit: str, payers: Collection[int] | None, model: str | None
) -> Decimal:
    if payers is not None:
        rows = rows.filter(payer__in=payers)
    if model is not None:
        rows = rows.filter(model=model)
    if unit != TOKENS:
        rows = rows.filter(currency=unit)
    what = _ALL if unit == TOKENS else F("amount")
    return Decimal(rows.aggregate(sum=Sum(what))["sum"] or 0)
