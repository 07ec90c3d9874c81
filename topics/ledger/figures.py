"""What the sums by day say of a period, under filters: one query for each question a dashboard answers (P11)."""

from __future__ import annotations

import datetime
from collections import defaultdict
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django.db import connection

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping, Sequence

NAMES = (
    *("calls", "turns", "failed", "retries", "unpriced"),
    *("input", "cached", "output", "reasoning", "amount"),
)
COMPANY = 0
"""Stands for the company where people are named by their id."""


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A period, both days included, and what the calls are limited to; 0 as person is the company."""

    first: datetime.date
    last: datetime.date
    person: int | None = None
    members: tuple[int, ...] | None = None
    """The people of a group."""
    repository: int | None = None
    model: str = ""
    purpose: str = ""

    @property
    def days(self) -> int:
        """How many days the period has."""
        return (self.last - self.first).days + 1

    def before(self) -> Asked:
        """The same of the period before, as long as this one."""
        length = datetime.timedelta(days=self.days)
        return replace(self, first=self.first - length, last=self.last - length)


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


_SUMS = ", ".join(f"sum({name}) AS {name}" for name in NAMES)


def split(asked: Asked) -> Split:
    """The period by day and purpose, person, model and purpose; each from the smallest sums that know it."""
    found = Split()
    table, where, values = _rows_of(asked, "model", "purpose")
    for row in _read(
        f"""
        SELECT grouping(day) AS by_day, grouping(model) AS by_model,
               grouping(purpose) AS by_purpose, day, model, purpose, currency, {_SUMS}
        FROM {table} WHERE {where}
        GROUP BY GROUPING SETS ((currency), (day, purpose, currency),
                                (model, currency), (purpose, currency))""",  # noqa: S608 — constants
        values,
    ):
        _place(found, row).add(row["currency"], row)
    table, where, values = _rows_of(asked, "payer_id")
    found.people = _keyed(
        f"SELECT coalesce(payer_id, {COMPANY}) AS key, currency, {_SUMS} FROM {table}"  # noqa: S608
        f" WHERE {where} GROUP BY 1, 2",
        values,
    )
    return found


def _place(found: Split, row: Mapping[str, Any]) -> Figures:
    """Whose figures a row is part of; `grouping` is 0 for what it is told apart by."""
    if not row["by_day"]:
        return found.days[row["day"], row["purpose"]]
    if not row["by_model"]:
        return found.models[row["model"]]
    if not row["by_purpose"]:
        return found.purposes[row["purpose"]]
    return found.total


def total(asked: Asked) -> Figures:
    """The period as one."""
    table, where, values = _rows_of(asked)
    found = _keyed(
        f"SELECT 0 AS key, currency, {_SUMS} FROM {table} WHERE {where} GROUP BY 2",  # noqa: S608
        values,
    )
    return found.get(0, Figures())


def repositories(asked: Asked) -> dict[int, Figures]:
    """Calls with each repository in view; one with several in view stands at each of them."""
    table, where, values = _rows_of(asked, "repository")
    return _keyed(
        f"SELECT repository AS key, currency, {_SUMS} FROM {table}"  # noqa: S608
        f" WHERE {where} GROUP BY 1, 2",
        values,
    )


def topics(asked: Asked, *, currency: str, most: int) -> dict[int, Figures]:
    """The topics that cost most in a currency, then those that used most tokens."""
    table, where, values = _topics_of(asked)
    first = _read(
        f"""
        SELECT topic_id FROM {table} WHERE {where} GROUP BY topic_id
        ORDER BY sum(CASE WHEN currency = %s THEN amount ELSE 0 END) DESC,
                 sum(input + cached + output + reasoning) DESC, topic_id LIMIT %s""",  # noqa: S608
        [*values, currency, most],
    )
    ids = [row["topic_id"] for row in first]
    found = _keyed(
        f"SELECT topic_id AS key, currency, {_SUMS} FROM {table}"  # noqa: S608
        f" WHERE {where} AND topic_id = ANY (%s) GROUP BY 1, 2",
        [*values, ids],
    )
    return {topic: found[topic] for topic in ids}


def unpriced(asked: Asked) -> dict[str, Figures]:
    """The models with calls whose price is not known, and what these used."""
    table, where, values = _rows_of(asked, "model")
    return _keyed(
        f"SELECT model AS key, currency, {_SUMS} FROM {table}"  # noqa: S608
        f" WHERE {where} AND unpriced > 0 GROUP BY 1, 2",
        values,
    )


def by_day(asked: Asked) -> Iterator[dict[str, Any]]:
    """Every row of the sums in a period, for a file."""
    table, where, values = _rows_of(asked, "payer_id", "model", "purpose")
    yield from _read(
        f"SELECT day, payer_id, model, purpose, currency, {_SUMS} FROM {table}"  # noqa: S608
        f" WHERE {where} GROUP BY 1, 2, 3, 4, 5 HAVING sum(calls) > 0 ORDER BY 1, 2, 3, 4, 5",
        values,
    )


def lost(*, before: datetime.datetime) -> int:
    """Calls that began before an instant and that nobody has seen end."""
    (row,) = _read(
        "SELECT count(*) AS calls FROM topics_call WHERE status = 'started' AND started_at < %s",
        [before],
    )
    return int(row["calls"])


_ALL = frozenset({"payer_id", "model", "purpose"})
_KNOW = (
    ("topics_costmodelday", frozenset({"model", "purpose"})),
    ("topics_costpayerday", frozenset({"payer_id"})),
    ("topics_costday", _ALL),
)
_KNOW_CODE = (
    ("topics_costcodeday", frozenset({"repository"})),
    ("topics_costrepositoryday", _ALL | {"repository"}),
)


def _rows_of(asked: Asked, *told: str) -> tuple[str, str, list[Any]]:
    """The smallest sums that know what is asked for and what it is to be told apart by."""
    where, values = _where(asked)
    limited = {
        "payer_id": asked.person is not None or asked.members is not None,
        "model": bool(asked.model),
        "purpose": bool(asked.purpose),
        "repository": asked.repository is not None,
    }
    needed = {*told, *(name for name, limits in limited.items() if limits)}
    if asked.repository is not None:
        where, values = f"{where} AND repository = %s", [*values, asked.repository]
    tables = _KNOW_CODE if "repository" in needed else _KNOW
    return next(table for table, known in tables if needed <= known), where, values


def _topics_of(asked: Asked) -> tuple[str, str, list[Any]]:
    """The sums of topics know payers; for what else is asked, the calls themselves are read."""
    where, values = _where(asked)
    if not (asked.model or asked.purpose or asked.repository is not None):
        return "topics_costtopicday", where, values
    sums = """(SELECT *, 1 AS calls, opens_turn::int AS turns, (attempt > 1)::int AS retries,
        (status IN ('failed', 'cut'))::int AS failed FROM (SELECT day, topic_id, payer_id, model,
        purpose, currency, repositories, opens_turn, attempt, status, unpriced::int AS unpriced,
        coalesce(input, 0) AS input, coalesce(cached, 0) AS cached, coalesce(output, 0) AS output,
        coalesce(reasoning, 0) AS reasoning, coalesce(amount, 0) AS amount FROM topics_call
        WHERE ended_seq IS NOT NULL AND topic_id IS NOT NULL) AS ended) AS calls"""
    if asked.repository is not None:
        where, values = (
            f"{where} AND repositories @> ARRAY[%s]::bigint[]",
            [*values, asked.repository],
        )
    return sums, where, values


def _where(asked: Asked) -> tuple[str, list[Any]]:
    parts, values = ["day BETWEEN %s AND %s"], [asked.first, asked.last]
    limits: list[tuple[str, Any]] = []
    if asked.person is not None:
        if asked.person == COMPANY:
            parts.append("payer_id IS NULL")
        else:
            limits.append(("payer_id = %s", asked.person))
    if asked.members is not None:
        limits.append(("payer_id = ANY (%s)", list(asked.members)))
    if asked.model:
        limits.append(("model = %s", asked.model))
    if asked.purpose:
        limits.append(("purpose = %s", asked.purpose))
    return (
        " AND ".join([*parts, *(part for part, _ in limits)]),
        [*values, *(value for _, value in limits)],
    )


def _keyed(sql: str, values: Sequence[Any]) -> dict[Any, Figures]:
    found: dict[Hashable, Figures] = defaultdict(Figures)
    for row in _read(sql, values):
        found[row["key"]].add(row["currency"], row)
    return dict(found)


def _read(sql: str, values: Sequence[Any]) -> list[dict[str, Any]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        names = [column.name for column in cursor.description or ()]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
