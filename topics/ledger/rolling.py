"""Sums of calls by day: each ended call is added once, and taken out again before it changes.

Dashboards and budgets read these instead of calls. Adding is done a batch at a time, by whoever
needs the sums or by the sweep; a call that has not been added yet says so in its row.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from django.db import connection, transaction

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.db.backends.utils import CursorWrapper

    from topics.models.ledger import Call

BATCH = 20_000
_LOCK = "topics.ledger.rolling"
_SUMS = {
    "calls": "1",
    "turns": "opens_turn::int",
    "failed": "(status IN ('failed', 'cut'))::int",
    "retries": "(attempt > 1)::int",
    "unpriced": "unpriced::int",
    "input": "coalesce(input, 0)",
    "cached": "coalesce(cached, 0)",
    "output": "coalesce(output, 0)",
    "reasoning": "coalesce(reasoning, 0)",
    "amount": "coalesce(amount, 0)",
}


class _Table(NamedTuple):
    """One table of sums: its keys, where each comes from in a call, and which calls it takes."""

    name: str
    keys: dict[str, str]
    calls: str = "taken"


_DAY = {"day": "day", "payer_id": "payer_id", "model": "model", "purpose": "purpose"}
_IN_VIEW = "taken, unnest(repositories) AS repository"
_TABLES = (
    _Table("topics_costday", _DAY),
    _Table("topics_costmodelday", {"day": "day", "model": "model", "purpose": "purpose"}),
    _Table("topics_costpayerday", {"day": "day", "payer_id": "payer_id"}),
    _Table("topics_costcodeday", {"day": "day", "repository": "repository"}, _IN_VIEW),
    _Table("topics_costrepositoryday", _DAY | {"repository": "repository"}, _IN_VIEW),
    _Table(
        "topics_costtopicday",
        {"day": "day", "topic_id": "topic_id", "payer_id": "payer_id"},
        "taken WHERE topic_id IS NOT NULL",
    ),
    _Table(
        "topics_costmonth",
        {"day": "date_trunc('month', day)::date", "payer_id": "payer_id", "model": "model"},
    ),
)


def _upsert(table: _Table, *, sign: str) -> str:
    """Add the calls in `taken` to one table of sums, a row a key."""
    keys = table.keys | {"currency": "currency"}
    places = ", ".join(str(place) for place in range(1, len(keys) + 1))
    sums = ", ".join(f"{sign} * sum({value})" for value in _SUMS.values())
    added = ", ".join(f"{name} = {table.name}.{name} + EXCLUDED.{name}" for name in _SUMS)
    return f"""
    INSERT INTO {table.name} ({", ".join([*keys, *_SUMS])})
    SELECT {", ".join(keys.values())}, {sums} FROM {table.calls}
    GROUP BY {places} ORDER BY {places}
    ON CONFLICT ({", ".join(keys)}) DO UPDATE SET {added}"""  # noqa: S608 — constants of this module


def _statement(chosen: str, *, rolled: str, sign: str) -> str:
    steps = ",\n".join(
        f"at_{number} AS ({_upsert(table, sign=sign)})" for number, table in enumerate(_TABLES)
    )
    return f"""
    WITH taken AS (
        UPDATE topics_call SET rolled = {rolled} WHERE id IN ({chosen}) RETURNING *
    ), {steps}
    SELECT count(*) FROM taken"""  # noqa: S608 — constants of this module


_ADD = _statement(
    # A row that is being changed is left for the next time: nobody waits here.
    "SELECT id FROM topics_call WHERE NOT rolled AND ended_seq IS NOT NULL ORDER BY id LIMIT %s"
    " FOR NO KEY UPDATE SKIP LOCKED",
    rolled="true",
    sign="1",
)
_TAKE_BACK = _statement(
    "SELECT id FROM topics_call WHERE rolled AND id = ANY (%s)", rolled="false", sign="-1"
)
_LEFT = "SELECT EXISTS (SELECT FROM topics_call WHERE NOT rolled AND ended_seq IS NOT NULL)"
_TOPICS = _Table("topics_topiccost", {"topic_id": "topic_id"})
_OF_TOPIC = f"""
WITH taken AS (SELECT * FROM topics_call WHERE id = %s)
{_upsert(_TOPICS, sign="%s")}"""  # noqa: S608 — constants of this module
_OF_TOPICS = f"""
WITH taken AS (SELECT * FROM topics_call WHERE topic_id = ANY (%s) AND ended_seq IS NOT NULL)
{_upsert(_TOPICS, sign="1")}"""  # noqa: S608 — constants of this module


def catch_up() -> int:
    """Add every ended call that the sums lack; returns how many."""
    added = 0
    with connection.cursor() as cursor:
        cursor.execute(_LEFT)
        (left,) = cursor.fetchone()
    while left:
        with transaction.atomic(), connection.cursor() as cursor:
            _alone(cursor)
            cursor.execute(_ADD, [BATCH])
            (count,) = cursor.fetchone()
        added += count
        left = count == BATCH
    return added


def take_back(ids: Sequence[str]) -> None:
    """Take calls out of the sums again, in the caller's transaction."""
    with connection.cursor() as cursor:
        _alone(cursor)
        cursor.execute(_TAKE_BACK, [list(ids)])


def of_topic(call: Call, *, sign: int) -> None:
    """Count a call, as its row stands, in what its topic cost, or out of it."""
    if call.topic_id is None:
        return
    with connection.cursor() as cursor:
        cursor.execute(_OF_TOPIC, [call.pk, *[sign] * len(_SUMS)])


def of_topics(ids: Sequence[int]) -> None:
    """Count all calls of these topics, whose sums were thrown away before."""
    with connection.cursor() as cursor:
        cursor.execute(_OF_TOPICS, [list(ids)])


def _alone(cursor: CursorWrapper) -> None:
    """One adds at a time, so that no two wait for each other's rows."""
    cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [_LOCK])
