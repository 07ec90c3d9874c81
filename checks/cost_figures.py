"""The figures of `bench-costs`: rows made in SQL, then the product's own functions, timed."""

from __future__ import annotations

import statistics
import time
from decimal import Decimal
from functools import partial
from typing import TYPE_CHECKING

from django.contrib.auth.models import Group
from django.db import connection
from django.db.models import Sum

from kb_agent.accounts import budgets, roles
from kb_agent.accounts.budget_models import Budget
from kb_agent.accounts.models import User
from kb_agent.usecases import costs
from kb_agent.usecases.costs import Wanted
from tapes import store
from topics.ledger import rolling
from topics.models.ledger import Call, CostDay, CostTopicDay

if TYPE_CHECKING:
    from collections.abc import Callable

PEOPLE, GROUPS, TOPICS_A_CALL, DAYS = 400, 12, 10, 90
ROUNDS = 9

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
SELECT 'call' || n, %(tape)s, CASE WHEN kind < 9 THEN 1 + n / %(per)s END, n * 2, n * 2 + 1,
    (ARRAY['answer','answer','answer','answer','search','summary','recall','facts','title','index'])[kind + 1],
    CASE WHEN kind < 9 THEN 1 + (n / %(per)s) %% %(people)s END, NULL, 'e' || model, 'model-' || model,
    ARRAY[1 + n %% 14, 1 + n %% 5]::bigint[], CASE WHEN n %% 40 = 0 THEN 2 ELSE 1 END, kind = 0,
    2000 + n %% 900, 4000, 300, 50, CASE WHEN model = 4 THEN NULL ELSE (2350 + n %% 900) * 0.0000013 END,
    CASE WHEN model = 4 THEN '' WHEN model = 3 THEN 'USD' ELSE 'CNY' END, model = 4, 'ok', '', 1.2,
    current_date - (%(days)s * (1 - n::float8 / %(size)s))::int, now(), now(), '{}', '{}', false
FROM (SELECT n, n %% 10 AS kind, (n / 7) %% 5 AS model FROM generate_series(1, %(size)s) AS n) AS made
"""


def report(size: int) -> None:
    """Fill the ledger and print what takes how long."""
    admin = _people()
    _say(f"{size:,} calls of {PEOPLE} people over {DAYS} days, {size // TOPICS_A_CALL:,} topics")
    _fill(size)
    _row("adding all of them up, once", [_timed(rolling.catch_up)])
    _prove()
    _say(
        f"rows by day: {CostDay.objects.count():,}; by topic and day: {CostTopicDay.objects.count():,}"
    )
    person, group = User.objects.get(username="p7").pk, Group.objects.order_by("pk")[0].pk
    for name, wanted in (
        ("dashboard, 30 days", Wanted(days=30)),
        ("dashboard, 90 days", Wanted(days=DAYS)),
        ("dashboard, 30 days, one person", Wanted(days=30, person=person)),
        ("dashboard, 30 days, one group", Wanted(days=30, group=group)),
        ("dashboard, 30 days, one repository", Wanted(days=30, repository=3)),
        ("dashboard, 30 days, one model", Wanted(days=30, model="model-1")),
        ("dashboard, 30 days, one purpose", Wanted(days=30, purpose="answer")),
    ):
        _row(name, [_timed(partial(costs.show, admin, wanted)) for _ in range(ROUNDS)])
    _budgets(person)


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


def _fill(size: int) -> None:
    tape = store.create("bench").pk
    with connection.cursor() as cursor:
        cursor.execute(TOPICS, [tape, PEOPLE, size // TOPICS_A_CALL + 1])
        places = {"tape": tape, "per": TOPICS_A_CALL, "people": PEOPLE, "days": DAYS, "size": size}
        cursor.execute(CALLS, places)
        cursor.execute("ANALYZE topics_call")


def _prove() -> None:
    """The sums by day are the sums of the calls, to the last digit."""
    raw = dict(Call.objects.values_list("currency").annotate(sum=Sum("amount")))
    summed = dict(CostDay.objects.values_list("currency").annotate(sum=Sum("amount")))
    for currency, amount in raw.items():
        if (amount or 0) != summed[currency]:
            raise AssertionError(f"{currency}: {amount} in calls, {summed[currency]} by day")
    _say(f"sums by day equal the calls: {', '.join(f'{raw[c]} {c}' for c in sorted(raw) if c)}")


def _timed(act: Callable[[], object]) -> float:
    began = time.perf_counter()
    act()
    return time.perf_counter() - began


def _row(name: str, seconds: list[float]) -> None:
    middle = statistics.median(seconds) * 1000
    _say(f"| {name} | {middle:,.0f} ms | {max(seconds) * 1000:,.0f} ms |")


def _say(line: str) -> None:
    print(line, flush=True)
