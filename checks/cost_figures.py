"""The figures of `bench-costs`: rows made in SQL, then the product's own answers, timed."""

from __future__ import annotations

import os
import statistics
import time
from decimal import Decimal
from functools import partial
from typing import TYPE_CHECKING, Any

from django.contrib.auth.models import Group
from django.db import connection
from django.test import Client

from kb_agent.accounts import budgets, roles
from kb_agent.accounts.budget_models import Budget
from kb_agent.accounts.models import User
from tapes import entries, store
from topics.ledger import rolling
from topics.models.cost_sums import RANKS, SUMS
from topics.models.ledger import Call

if TYPE_CHECKING:
    from collections.abc import Callable

PEOPLE, GROUPS, TOPICS_A_CALL, LONG_TOPICS = 400, 12, 10, 50
RECENT, OLDER = 90, 275
"""Nine calls in ten are of the last 90 days, the tenth of the 275 days before."""

PERIODS = (7, 30, 90, 365)
ROUNDS, FILE_ROUNDS, APPENDS = 9, 3, 300

TOPICS = """
INSERT INTO topics_topic (tape_id, owner_id, title, summary, status, reason, initial_seq,
    finalized_seq, sources, started_at, finalized_at, last_activity_at, finalize_requested,
    finalize_actor)
SELECT %s, 1 + n %% %s, 'Topic ' || n, '', 'finalized', 'owner', n * 2, n * 2 + 1, '{}', now(), now(), now(), '', ''
FROM generate_series(1, %s) AS n
"""
CALLS = """
INSERT INTO topics_call (id, tape_id, topic_id, started_seq, ended_seq, purpose, payer_id, asker_id,
    endpoint, model, repositories, attempt, opens_turn, input, cached, output, reasoning, amount,
    currency, unpriced, status, error, seconds, day, started_at, ended_at, spilled, of_topics, rolled)
SELECT 'call' || n, %(tape)s, CASE WHEN kind < 9 THEN topic END, n * 2, n * 2 + 1,
    (ARRAY['answer','answer','answer','answer','search','summary','recall','facts','title','index'])[kind + 1],
    CASE WHEN kind < 9 THEN 1 + topic %% %(people)s END, NULL, 'e' || model, 'model-' || model,
    ARRAY[1 + n %% 14, 1 + n %% 5]::bigint[], CASE WHEN n %% 40 = 0 THEN 2 ELSE 1 END, kind = 0,
    2000 + n %% 900, 4000, 300, 50, CASE WHEN model = 4 THEN NULL ELSE (2350 + n %% 900) * 0.0000013 END,
    CASE WHEN model = 4 THEN '' WHEN model = 3 THEN 'USD' ELSE 'CNY' END, model = 4, 'ok', '', 1.2,
    current_date - ago::int, now() - ago * interval '1 day', now(), '{}', '{}', false
FROM (
    SELECT n, n %% 10 AS kind, (n / 7) %% 5 AS model,
        CASE WHEN n %% 97 = 0 THEN 1 + (n / 97) %% %(long)s ELSE 1 + n / %(per)s END AS topic,
        CASE WHEN share < 0.1 THEN %(recent)s + %(older)s * (1 - share * 10)
             ELSE %(recent)s * (1 - (share - 0.1) / 0.9) END AS ago
    FROM (SELECT n, n::float8 / %(size)s AS share FROM generate_series(1, %(size)s) AS n) AS numbered
) AS made
"""


def report(size: int) -> None:
    """Fill the ledger and print what takes how long."""
    admin = _people()
    _say(
        f"{size:,} calls of {PEOPLE} people, {size // TOPICS_A_CALL:,} topics; {_load()}\n\n"
        "| what | median | slowest |\n|---|---|---|"
    )
    fill(size)
    _row("adding all of them up, once", [_timed(rolling.catch_up)])
    rolling.of_topics(list(range(1, size // TOPICS_A_CALL + 2)))
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    _write()
    _budgets(User.objects.get(username="p7").pk)
    _rooms()
    dashboards(admin)
    files(admin)
    _prove()


def dashboards(admin: User) -> None:
    """The whole answer as the browser gets it: under each filter, for each period."""
    browser = _browser(admin)
    _say(f"\n{_load()}\n\n| dashboard | {' | '.join(f'{days} days' for days in PERIODS)} |")
    _say("|---|" + "---|" * len(PERIODS))
    for name, query in _filters():
        cells = []
        for days in PERIODS:
            asked = partial(_asks, browser, "/api/costs", {**query, "days": days})
            asked()
            cells.append(_cell([_timed(asked) for _ in range(ROUNDS)]))
        _say(f"| {name} | {' | '.join(cells)} |")
    _say(f"\n{_load()}")


def files(admin: User) -> None:
    """The file: until its first line is there, and until its last is."""
    browser = _browser(admin)
    _say("\n| file | first line | whole | lines |\n|---|---|---|---|")
    for days in PERIODS:
        firsts, wholes, lines = [], [], 0
        for _ in range(FILE_ROUNDS):
            began = time.perf_counter()
            answer: Any = browser.get("/api/costs/file", {"days": days})
            parts = iter(answer.streaming_content)
            lines = next(parts).count(b"\r\n") + next(parts).count(b"\r\n")
            firsts.append(time.perf_counter() - began)
            lines += sum(part.count(b"\r\n") for part in parts)
            wholes.append(time.perf_counter() - began)
        _say(f"| {days} days | {_cell(firsts)} | {_cell(wholes)} | {lines:,} |")


def fill(size: int) -> None:
    """Topics and ended calls, none of them added up yet."""
    tape = store.create("bench").pk
    with connection.cursor() as cursor:
        cursor.execute(TOPICS, [tape, PEOPLE, size // TOPICS_A_CALL + 1])
        places = {"tape": tape, "per": TOPICS_A_CALL, "people": PEOPLE, "size": size}
        places |= {"recent": RECENT, "older": OLDER, "long": LONG_TOPICS}
        cursor.execute(CALLS, places)
        cursor.execute("ANALYZE topics_call")


def _filters() -> list[tuple[str, dict[str, Any]]]:
    person, group = User.objects.get(username="p7").pk, Group.objects.order_by("pk")[0].pk
    return [
        ("no filter", {}),
        ("one person", {"person": person}),
        ("the company", {"person": 0}),
        ("one group", {"group": group}),
        ("one repository", {"repository": 3}),
        ("one model", {"model": "model-1"}),
        ("one purpose", {"purpose": "answer"}),
        ("a model and a purpose", {"model": "model-1", "purpose": "answer"}),
        ("a repository and a model", {"repository": 3, "model": "model-1"}),
        ("a group and a purpose", {"group": group, "purpose": "answer"}),
    ]


def _write() -> None:
    """What a call costs to write down, and to add up."""
    person, tape = User.objects.order_by("pk")[0].pk, store.create("writes").pk

    def one(number: int) -> None:
        began = {"call": f"w{number}", "purpose": "answer", "payer": person, "model": "model-1"}
        usage = {"input": 2_000, "cached": 4_000, "output": 300, "reasoning": 50}
        ended = {"call": f"w{number}", "status": "ok", "usage": usage, "price": "0.01"}
        topic = 1 + number // TOPICS_A_CALL
        store.append(
            tape, [entries.event("model_call_started", began, topic_id=topic, sources=[1, 2])]
        )
        ends = entries.event("model_call_ended", ended | {"currency": "CNY"}, topic_id=topic)
        store.append(tape, [ends])

    _row("a call's two events, appended", [_timed(partial(one, n)) for n in range(APPENDS)])
    added = _timed(rolling.catch_up)
    _say(f"| adding these {APPENDS} up, each | {added / APPENDS * 1000:.2f} ms | |")


def _budgets(person: int) -> None:
    warn = Decimal("0.8")
    Budget.objects.create(scope="company", unit="CNY", limit=10**9, warn_at=warn)
    Budget.objects.create(
        scope="person", person_id=person, unit="tokens", limit=10**9, warn_at=warn
    )
    for group in Group.objects.all()[:3]:
        Budget.objects.create(scope="group", group=group, unit="CNY", limit=10**9, warn_at=warn)
    estimate = budgets.Estimate(tokens=3_000, amount=Decimal("0.01"), currency="CNY")

    def reserve(number: int) -> None:
        budgets.reserve(f"x{number}", payer=person, model="model-1", estimate=estimate, seconds=60)

    found = [_timed(partial(reserve, number)) for number in range(ROUNDS)]
    _row("reserving a call in every budget it falls under", found)


def _people() -> User:
    User.objects.bulk_create(User(username=f"p{number}") for number in range(PEOPLE))
    people = list(User.objects.order_by("pk"))
    for number in range(GROUPS):
        group = Group.objects.create(name=f"group {number}")
        group.user_set.add(*people[number::GROUPS], *people[number : number + 30])
    admin = User.objects.create_user("admin")
    roles.grant(admin, "administrator", by=None)
    return admin


def _browser(admin: User) -> Client:
    browser = Client(headers={"host": "localhost"})
    browser.force_login(admin)
    return browser


def _asks(browser: Client, path: str, query: dict[str, Any]) -> None:
    answer = browser.get(path, query)
    if answer.status_code != 200:
        raise AssertionError(answer.content)


def _rooms() -> None:
    """How many rows the sums have, and what room they take with their indexes."""
    _say("\n| rows | | with indexes |\n|---|---|---|")
    tables: tuple[Any, ...] = (Call, *SUMS, *RANKS)
    for table in tables:
        name = table._meta.db_table  # noqa: SLF001 - Django's documented way
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_total_relation_size(%s)", [name])
            (size,) = cursor.fetchone()
        _say(f"| {name} | {table.objects.count():,} | {size / 1e6:,.0f} MB |")


def _prove() -> None:
    """Every table of sums holds the money of its calls, to the last digit."""
    with connection.cursor() as cursor:
        for table in SUMS:
            columns = {field.name for field in table._meta.fields}  # noqa: SLF001 - Django's documented way
            calls = "topics_call"
            if "repository" in columns:
                calls += " CROSS JOIN LATERAL unnest(repositories) AS repository"
            if "topic" in columns:
                calls += " WHERE topic_id IS NOT NULL"
            summed = f"{table._meta.db_table}{' WHERE span = 31' if 'span' in columns else ''}"  # noqa: SLF001 - as above
            sums = "SELECT currency, sum(coalesce(amount, 0)) AS amount"
            cursor.execute(
                f"({sums} FROM {calls} GROUP BY 1) EXCEPT ({sums} FROM {summed} GROUP BY 1)"
            )
            if wrong := cursor.fetchall():
                raise AssertionError(f"{table.__name__}: {wrong}")
    _say("\nEvery table of sums equals its calls, to the last digit.")


def _load() -> str:
    return f"load {' '.join(f'{load:.1f}' for load in os.getloadavg())}"


def _timed(act: Callable[[], object]) -> float:
    began = time.perf_counter()
    act()
    return time.perf_counter() - began


def _cell(seconds: list[float]) -> str:
    return f"{statistics.median(seconds) * 1000:,.0f} ({max(seconds) * 1000:,.0f})"


def _row(name: str, seconds: list[float]) -> None:
    middle = statistics.median(seconds) * 1000
    _say(f"| {name} | {middle:,.1f} ms | {max(seconds) * 1000:,.1f} ms |")


def _say(line: str) -> None:
    print(line, flush=True)
