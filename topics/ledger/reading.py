"""Which sums a question about costs is read from: the smallest that know all it asks, in the widest spans (P11)."""

from __future__ import annotations

import datetime
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from topics.ledger import spans

if TYPE_CHECKING:
    from collections.abc import Sequence

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


@dataclass(frozen=True)
class Rows:
    """Where to read, and which rows."""

    table: str
    where: str
    values: list[Any]
    topic: str = "topic_id"
    tokens: str = "input + cached + output + reasoning"


_USE = frozenset({"payer_id", "model", "purpose"})
_TABLES = (
    ("topics_costmodelday", frozenset({"model", "purpose"})),
    ("topics_costpayerday", frozenset({"payer_id"})),
    ("topics_costday", _USE),
)
_CODE_TABLES = (
    ("topics_costcodeday", frozenset({"repository"})),
    ("topics_costcodemodelday", frozenset({"repository", "model", "purpose"})),
    ("topics_costcodepayerday", frozenset({"repository", "payer_id"})),
    ("topics_costrepositoryday", _USE | {"repository"}),
)
_DAYS_ONLY = "topics_costrepositoryday"


def rows(asked: Asked, *told: str, daily: bool = False) -> Rows:
    """The sums that know what is asked for and what it is to be told apart by; `daily`, each day by itself."""
    limits = _limits(asked)
    needed = {*told, *limits}
    tables = _CODE_TABLES if "repository" in needed else _TABLES
    table = next(table for table, known in tables if needed <= known)
    if table == _DAYS_ONLY:
        period, values = _days(asked)
    elif daily:
        period, values = spans.days(asked.first, asked.last)
    else:
        period, values = spans.within(asked.first, asked.last)
    return _limited(table, period, values, limits)


def ranks(asked: Asked) -> Rows:
    """What topics are ranked by: sums where one filter stands, the calls themselves for code and a model."""
    limits = _limits(asked)
    period, values = _days(asked)
    if not limits.keys() - {"payer_id"}:
        return _limited("topics_costtopicday", period, values, limits)
    if "repository" not in limits:
        found = _limited("topics_topicuseday", period, values, limits)
    elif not limits.keys() - {"payer_id", "repository"}:
        found = _limited("topics_topiccodeday", period, values, limits)
    else:
        return _calls(asked)
    return replace(found, topic="topic", tokens="tokens")


def of_topics(asked: Asked, ids: Sequence[int]) -> Rows:
    """What some topics cost: from their sums where these know what is asked for, else from their calls."""
    limits = _limits(asked)
    if limits.keys() - {"payer_id"}:
        read = _calls(asked)
    else:
        read = _limited("topics_costtopicday", *_days(asked), limits)
    return replace(
        read, where=f"{read.where} AND topic_id = ANY (%s)", values=[*read.values, list(ids)]
    )


def _calls(asked: Asked) -> Rows:
    """The calls that the sums hold, each as if it were a sum."""
    table = """(SELECT *, 1 AS calls, opens_turn::int AS turns, (attempt > 1)::int AS retries,
        (status IN ('failed', 'cut'))::int AS failed FROM (SELECT day, topic_id, payer_id, model,
        purpose, currency, repositories, opens_turn, attempt, status, unpriced::int AS unpriced,
        coalesce(input, 0) AS input, coalesce(cached, 0) AS cached, coalesce(output, 0) AS output,
        coalesce(reasoning, 0) AS reasoning, coalesce(amount, 0) AS amount FROM topics_call
        WHERE rolled AND topic_id IS NOT NULL) AS ended) AS calls"""
    limits = _limits(asked)
    if "repository" in limits:
        limits["repository"] = ("repositories @> ARRAY[%s]::bigint[]", [asked.repository])
    return _limited(table, *_days(asked), limits)


def _days(asked: Asked) -> tuple[str, list[Any]]:
    return "day BETWEEN %s AND %s", [asked.first, asked.last]


def _limited(
    table: str, period: str, values: list[Any], limits: dict[str, tuple[str, list[Any]]]
) -> Rows:
    where = " AND ".join([period, *(part for part, _ in limits.values())])
    return Rows(table, where, [*values, *(one for _, of in limits.values() for one in of)])


def _limits(asked: Asked) -> dict[str, tuple[str, list[Any]]]:
    """By column, the conditions of its filters."""
    limits: dict[str, tuple[str, list[Any]]] = {}
    payers: list[tuple[str, list[Any]]] = []
    if asked.person is not None:
        company = asked.person == COMPANY
        payers.append(("payer_id IS NULL", []) if company else ("payer_id = %s", [asked.person]))
    if asked.members is not None:
        payers.append(("payer_id = ANY (%s)", [list(asked.members)]))
    if payers:
        limits["payer_id"] = (
            " AND ".join(part for part, _ in payers),
            [one for _, of in payers for one in of],
        )
    if asked.model:
        limits["model"] = ("model = %s", [asked.model])
    if asked.purpose:
        limits["purpose"] = ("purpose = %s", [asked.purpose])
    if asked.repository is not None:
        limits["repository"] = ("repository = %s", [asked.repository])
    return limits
