"""What the sums say of a period, under filters: one query for each question a dashboard answers (P11)."""

from __future__ import annotations

import datetime
from collections import defaultdict
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django.db import close_old_connections, connection

from topics.ledger import reading
from topics.ledger.reading import COMPANY, Asked

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping, Sequence

NAMES = (
    *("calls", "turns", "failed", "retries", "unpriced"),
    *("input", "cached", "output", "reasoning", "amount"),
)


@dataclass
class Figures:
    """What calls used and cost; money by currency."""

    money: dict[str, Decimal] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(NAMES[:-1], 0))

    def add(self, currency: str, row: Mapping[str, Any]) -> None:
        """Count in the sums of one currency."""
        if currency:
            self.money[currency] = self.money.get(currency, Decimal(0)) + row["amount"]
        for name in self.counts:
            self.counts[name] += int(row[name])

    def join(self, other: Figures) -> None:
        """Count in other figures."""
        for currency, amount in other.money.items():
            self.money[currency] = self.money.get(currency, Decimal(0)) + amount
        for name, count in other.counts.items():
            self.counts[name] += count

    @property
    def tokens(self) -> int:
        """All tokens."""
        return sum(self.counts[name] for name in ("input", "cached", "output", "reasoning"))


@dataclass
class Split:
    """A period by everything it can be told apart by."""

    total: Figures = field(default_factory=Figures)
    days: dict[tuple[datetime.date, str], Figures] = field(
        default_factory=lambda: defaultdict(Figures)
    )
    """By day and purpose."""
    people: dict[int, Figures] = field(default_factory=dict)
    models: dict[str, Figures] = field(default_factory=lambda: defaultdict(Figures))
    purposes: dict[str, Figures] = field(default_factory=lambda: defaultdict(Figures))


_SUMS = ", ".join(
    f"sum({name}) AS {name}" if name == "amount" else f"sum({name})::bigint AS {name}"
    for name in NAMES
)
ANY = "HAVING sum(calls) > 0"
"""Without rows whose calls were all taken out again."""


def split(asked: Asked) -> Split:
    """The period by day and purpose, person, model and purpose; each from the smallest sums that know it."""
    found = Split()
    read = reading.rows(asked, "purpose", daily=True)
    for row in _read(
        f"SELECT day, purpose, currency, {_SUMS} FROM {read.table}"  # noqa: S608 — constants
        f" WHERE {read.where} GROUP BY 1, 2, 3 {ANY}",
        read.values,
    ):
        found.days[row["day"], row["purpose"]].add(row["currency"], row)
    read = reading.rows(asked, "model", "purpose")
    for row in _read(
        f"""
        SELECT grouping(model) AS by_model, grouping(purpose) AS by_purpose,
               model, purpose, currency, {_SUMS}
        FROM {read.table} WHERE {read.where}
        GROUP BY GROUPING SETS ((currency), (model, currency), (purpose, currency)) {ANY}""",  # noqa: S608
        read.values,
    ):
        _place(found, row).add(row["currency"], row)
    read = reading.rows(asked, "payer_id")
    found.people = keyed(f"coalesce(payer_id, {COMPANY})", read)
    return found


def _place(found: Split, row: Mapping[str, Any]) -> Figures:
    """Whose figures a row is part of; `grouping` is 0 for what it is told apart by."""
    if not row["by_model"]:
        return found.models[row["model"]]
    if not row["by_purpose"]:
        return found.purposes[row["purpose"]]
    return found.total


def total(asked: Asked) -> Figures:
    """The period as one."""
    return keyed("0", reading.rows(asked)).get(0, Figures())


def repositories(asked: Asked) -> dict[int, Figures]:
    """Calls with each repository in view; one with several in view stands at each of them."""
    return keyed("repository", reading.rows(asked, "repository"))


def unpriced(asked: Asked) -> dict[str, Figures]:
    """The models with calls whose price is not known, and what these used."""
    return keyed("model", reading.rows(asked, "model", daily=True), "unpriced > 0")


def by_day(asked: Asked) -> Iterator[tuple[Any, ...]]:
    """Every row of the sums in a period, for a file, read a day at a time: day, payer, model, purpose,
    currency, then what `NAMES` says."""
    for number in range(asked.days):
        day = asked.first + datetime.timedelta(days=number)
        read = reading.rows(
            replace(asked, first=day, last=day), "payer_id", "model", "purpose", daily=True
        )
        yield from _tuples(
            f"SELECT day, payer_id, model, purpose, currency, {', '.join(NAMES)} FROM {read.table}"  # noqa: S608
            f" WHERE {read.where} AND calls > 0 ORDER BY payer_id, model, purpose, currency",
            read.values,
        )
        # A caller's transaction keeps its connection: closing it would end that.
        if not connection.in_atomic_block:
            close_old_connections()


def lost(*, before: datetime.datetime) -> int:
    """Calls that began before an instant and that nobody has seen end."""
    (row,) = _read(
        "SELECT count(*) AS calls FROM topics_call WHERE status = 'started' AND started_at < %s",
        [before],
    )
    return int(row["calls"])


def keyed(key: str, read: reading.Rows, *more: str) -> dict[Any, Figures]:
    """The sums of rows by a key, in SQL; `more` are further conditions."""
    where = " AND ".join([read.where, *more])
    found: dict[Hashable, Figures] = defaultdict(Figures)
    for row in _read(
        f"SELECT {key} AS key, currency, {_SUMS} FROM {read.table}"  # noqa: S608
        f" WHERE {where} GROUP BY 1, 2 {ANY}",
        read.values,
    ):
        found[row["key"]].add(row["currency"], row)
    return dict(found)


def _read(sql: str, values: Sequence[Any]) -> list[dict[str, Any]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        names = [column.name for column in cursor.description or ()]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def _tuples(sql: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        return list(cursor.fetchall())
