"""The topics that cost most in a period, under filters (P11).

A topic costs no more in a period, or under a filter, than it ever cost. So of a long period the topics that ever cost most
are looked at first; once enough of these cost more there than the next one ever did, no other can be among the first.
Where that does not come out, and for short periods, which have few rows, all topics with calls there are ranked.
"""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING

from django.db import connection, transaction

from topics.ledger import reading
from topics.ledger.figures import ANY, Figures, keyed
from topics.models.ledger import TopicCost

if TYPE_CHECKING:
    from django.db.backends.utils import CursorWrapper

    from topics.ledger.reading import Asked

LONG_DAYS = 45
LOOKED_AT = (60, 400)
"""How many of the topics that ever cost most are looked at, and how many when these were too few."""


def topics(asked: Asked, *, currency: str, most: int) -> dict[int, Figures]:
    """The topics that cost most in a currency, then those that used most tokens, then the oldest."""
    if currency and asked.days >= LONG_DAYS and asked.person is None and asked.members is None:
        for many in LOOKED_AT:
            found = _of_the_dearest_ever(asked, currency, many=many, most=most)
            if found:
                return found
    ids = _ranked(reading.ranks(asked), currency, most)
    if not ids:
        return {}
    found = keyed("topic_id", reading.of_topics(asked, ids))
    return {topic: found[topic] for topic in ids if topic in found}


def _of_the_dearest_ever(
    asked: Asked, currency: str, *, many: int, most: int
) -> dict[int, Figures] | None:
    """The first topics, if those that ever cost most are enough to know them; else None."""
    costs = TopicCost.objects.filter(currency=currency, amount__gt=0).order_by("-amount")
    bounds = dict(costs.values_list("topic_id", "amount")[:many])
    others_at_most = min(bounds.values()) if len(bounds) == many else Decimal(0)
    found = keyed("topic_id", reading.of_topics(asked, list(bounds)))
    first = sorted(found.items(), key=lambda each: _rank(each[0], each[1], currency))[:most]
    if len(first) < most or first[-1][1].money.get(currency, Decimal(0)) <= others_at_most:
        return None
    return dict(first)


def _rank(topic: int, figures: Figures, currency: str) -> tuple[Decimal, int, int]:
    return -figures.money.get(currency, Decimal(0)), -figures.tokens, topic


def _ranked(read: reading.Rows, currency: str, most: int) -> list[int]:
    """The first topics by sums that hold nothing else. Sorting so many needs room for a moment."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL work_mem = '32MB'")
        # By money alone first, which is less to add up; tokens matter only among these.
        dearest = _dearest(cursor, read, currency, most) if currency else []
        if len(dearest) >= most:
            where = f"{read.where} AND {read.topic} = ANY (%s)"
            read = replace(read, where=where, values=[*read.values, dearest])
        cursor.execute(
            f"""
            SELECT {read.topic} FROM {read.table} WHERE {read.where} GROUP BY 1 {ANY}
            ORDER BY sum(CASE WHEN currency = %s THEN amount ELSE 0 END) DESC,
                     sum({read.tokens}) DESC, 1 LIMIT %s""",  # noqa: S608 — constants
            [*read.values, currency, most],
        )
        return [topic for (topic,) in cursor.fetchall()]


def _dearest(cursor: CursorWrapper, read: reading.Rows, currency: str, most: int) -> list[int]:
    """The topics that cost most in a currency, with all that cost as much as the last of them."""
    cursor.execute(
        f"""
        SELECT {read.topic} FROM {read.table} WHERE {read.where} AND currency = %s
        GROUP BY 1 HAVING sum(amount) > 0
        ORDER BY sum(amount) DESC FETCH FIRST %s ROWS WITH TIES""",  # noqa: S608 — constants
        [*read.values, currency, most],
    )
    return [topic for (topic,) in cursor.fetchall()]
