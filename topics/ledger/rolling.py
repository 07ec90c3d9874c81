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
_TOKENS = "coalesce(input, 0) + coalesce(cached, 0) + coalesce(output, 0) + coalesce(reasoning, 0)"
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
_RANKS = {"calls": "1", "tokens": _TOKENS, "amount": "coalesce(amount, 0)"}


class _Table(NamedTuple):
    """One table: its keys, where each comes from in a call, which calls it takes, what it adds up."""

    name: str
    keys: dict[str, str]
    calls: str = "taken"
    sums: dict[str, str] = _SUMS


def _same(*names: str) -> dict[str, str]:
    return {name: name for name in names}


_SPAN = {"span": "span", "day": "first_day"}
_USE = _same("payer_id", "model", "purpose")
# As `Span` says. Each call is in three of these, and so is every repository that was in view.
_SPANNED = """taken CROSS JOIN LATERAL (VALUES (1, day),
    (10, date_trunc('month', day)::date + least((extract(day FROM day)::int - 1) / 10, 2) * 10),
    (31, date_trunc('month', day)::date)) AS spans (span, first_day)"""
_IN_VIEW = "CROSS JOIN LATERAL unnest(repositories) AS repository"
_CODE = _SPAN | _same("repository")
_TABLES = (
    _Table("topics_costday", _SPAN | _USE, _SPANNED),
    _Table("topics_costmodelday", _SPAN | _same("model", "purpose"), _SPANNED),
    _Table("topics_costpayerday", _SPAN | _same("payer_id"), _SPANNED),
    _Table("topics_costcodeday", _CODE, f"{_SPANNED} {_IN_VIEW}"),
    _Table("topics_costcodemodelday", _CODE | _same("model", "purpose"), f"{_SPANNED} {_IN_VIEW}"),
    _Table("topics_costcodepayerday", _CODE | _same("payer_id"), f"{_SPANNED} {_IN_VIEW}"),
    _Table("topics_costrepositoryday", _same("day", "repository") | _USE, f"taken {_IN_VIEW}"),
    _Table(
        "topics_costtopicday",
        _same("day", "topic_id", "payer_id"),
        "taken WHERE topic_id IS NOT NULL",
    ),
    _Table(
        "topics_costmonth", {"day": "date_trunc('month', day)::date"} | _same("payer_id", "model")
    ),
    _Table(
        "topics_topicuseday",
        _same("day") | {"topic": "topic_id"} | _USE,
        "taken WHERE topic_id IS NOT NULL",
        _RANKS,
    ),
    _Table(
        "topics_topiccodeday",
        _same("day") | {"topic": "topic_id"} | _same("payer_id", "repository"),
        f"taken {_IN_VIEW} WHERE topic_id IS NOT NULL",
        _RANKS,
    ),
)


def _upsert(table: _Table, *, sign: str) -> str:
    """Add the calls in `taken` to one table of sums, a row a key."""
    keys = table.keys | {"currency": "currency"}
    places = ", ".join(str(place) for place in range(1, len(keys) + 1))
    sums = ", ".join(f"{sign} * sum({value})" for value in table.sums.values())
    added = ", ".join(f"{name} = {table.name}.{name} + EXCLUDED.{name}" for name in table.sums)
    return f"""
    INSERT INTO {table.name} ({", ".join([*keys, *table.sums])})
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
