"""A period as whole months, thirds of months and days: each day of it once, in as few rows as it takes (P11)."""

from __future__ import annotations

import datetime
from itertools import groupby
from typing import TYPE_CHECKING, Any

from topics.models.cost_sums import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

_ONE = datetime.timedelta(days=1)


def within(first: datetime.date, last: datetime.date) -> tuple[str, list[Any]]:
    """The condition for the widest spans that lie wholly in a period, and its values."""
    parts: list[str] = []
    values: list[Any] = []
    for span, run in groupby(cut(first, last), key=lambda each: each[0]):
        starts = [day for _, day in run]
        parts.append("(span = %s AND day BETWEEN %s AND %s)")
        values += [int(span), starts[0], starts[-1]]
    return f"({' OR '.join(parts)})", values


def days(first: datetime.date, last: datetime.date) -> tuple[str, list[Any]]:
    """The condition for a period day by day."""
    return "span = %s AND day BETWEEN %s AND %s", [int(Span.DAY), first, last]


def cut(first: datetime.date, last: datetime.date) -> Iterator[tuple[Span, datetime.date]]:
    """The spans in order, each with its first day."""
    day = first
    while day <= last:
        span, next_day = next(
            (span, following)
            for span, following in (
                (Span.MONTH, _month(day)),
                (Span.TEN_DAYS, _third(day)),
                (Span.DAY, day + _ONE),
            )
            if following is not None and following - _ONE <= last
        )
        yield span, day
        day = next_day


def _month(day: datetime.date) -> datetime.date | None:
    """The day after the month that begins on a day, if one does."""
    return (day + 31 * _ONE).replace(day=1) if day.day == 1 else None


def _third(day: datetime.date) -> datetime.date | None:
    """The day after the third of a month that begins on a day, if one does."""
    if day.day == 21:
        return (day + 11 * _ONE).replace(day=1)
    return day + 10 * _ONE if day.day in {1, 11} else None
