"""Sums are the sums of their calls, whatever happens to the calls, and wherever a day or a month ends (P11)."""

from __future__ import annotations

import datetime
import importlib
import random
from decimal import Decimal
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import pytest
from django.conf import settings
from django.db import connection

from kb_agent.accounts.models import User
from tapes import entries, signals, store
from tests.topics import acting
from tests.topics.test_ledger import everything
from tests.topics.test_ledger_figures import check
from topics import ledger
from topics.ledger import figures, folding, ranking, rolling, spans
from topics.ledger.reading import COMPANY, Asked
from topics.models.cost_sums import (
    CostCodeDay,
    CostCodeModelDay,
    CostCodePayerDay,
    CostDay,
    CostModelDay,
    CostPayerDay,
    Span,
    TopicCodeDay,
    TopicUseDay,
)
from topics.models.ledger import Call

if TYPE_CHECKING:
    from tapes.models import Tape
    from topics.models import Topic

ZONES = ("UTC", "Asia/Shanghai", "America/Los_Angeles", "Pacific/Kiritimati")
# Ends of months and of thirds of months, in a leap year too, and a year's end.
BORDERS = [
    datetime.datetime.fromisoformat(f"{day}T00:00:00+00:00")
    for day in (
        *("2026-12-31", "2027-01-01", "2027-02-01", "2027-02-11", "2027-02-21"),
        *("2027-03-01", "2028-02-29", "2028-03-01", "2028-03-11", "2028-04-01"),
    )
]
CALLS, QUESTIONS = 60, 25


@pytest.fixture
def topics(person: User) -> list[Topic]:
    """Topics that share the calls."""
    return [
        acting.start(store.create(f"topic {number}"), person, title=str(number))
        for number in range(4)
    ]


@pytest.fixture
def people(person: User) -> list[User]:
    """Who pays."""
    return [person, User.objects.create_user("li"), User.objects.create_user("wang")]


@pytest.mark.parametrize("seed", range(6))
def test_P11_random_calls_filters_and_changes_leave_every_figure_the_sum_of_its_calls(
    seed: int, topics: list[Topic], people: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(seed)  # noqa: S311 — makes cases, guards nothing
    monkeypatch.setattr(settings, "COST_TIME_ZONE", chance.choice(ZONES))
    monkeypatch.setattr(ranking, "LONG_DAYS", chance.choice([1, 45]))
    monkeypatch.setattr(ranking, "LOOKED_AT", chance.choice([(1, 3), (60, 400)]))
    Call.objects.bulk_create(_call(chance, number, topics, people) for number in range(CALLS))
    rolling.of_topics([topic.pk for topic in topics])
    for change in (_nothing, _price_some, _end_some, _forget_some):
        change(chance)
        rolling.catch_up()
        for _ in range(QUESTIONS):
            check(list(Call.objects.filter(ended_seq__isnull=False)), _asked(chance, people))


def _call(chance: random.Random, number: int, topics: list[Topic], people: list[User]) -> Call:
    """Any call, begun around a border; its day is reckoned here as a calendar would."""
    topic = chance.choice(topics)
    began = chance.choice(BORDERS) + datetime.timedelta(minutes=chance.randint(-1_600, 1_600))
    payer = chance.choice([*people, None])
    call = Call(
        pk=f"call{number}",
        tape_id=topic.tape_id,
        topic=chance.choice([topic, topic, None]),
        started_seq=number * 2 + 1,
        payer=payer,
        model=chance.choice(["large", "small", "local"]),
        purpose=chance.choice(["answer", "summary", "index"]),
        repositories=chance.choice([[], [7], [7, 9], [9]]),
        attempt=chance.choice([1, 1, 2]),
        opens_turn=chance.random() < 0.3,
        day=folding.day_of(began),
        started_at=began,
    )
    assert call.day == began.astimezone(ZoneInfo(settings.COST_TIME_ZONE)).date()
    if chance.random() < 0.9:
        _end(chance, call, number * 2 + 2)
    return call


def _end(chance: random.Random, call: Call, seq: int) -> None:
    call.ended_seq, call.ended_at = seq, call.started_at
    call.status = chance.choice(["ok", "ok", "failed", "cut", "unknown"])
    told = call.status != "unknown" and chance.random() < 0.8
    if told:
        for name in folding.COUNTS:
            setattr(call, name, chance.randint(0, 2_000))
    kind = chance.choice(["unpriced", "free", "CNY", "CNY", "USD"]) if told else "unpriced"
    call.unpriced = kind == "unpriced"
    if kind != "unpriced":
        call.amount = Decimal(0) if kind == "free" else Decimal(chance.randint(1, 10**9)) / 10**12
        call.currency = "" if kind == "free" else kind


def _nothing(chance: random.Random) -> None:
    """The calls as they ended."""


def _price_some(chance: random.Random) -> None:
    """Some whose price was unknown get one, among sums that hold them already."""
    for call in Call.objects.filter(unpriced=True).order_by("pk")[: chance.randint(1, 8)]:
        data = {"call": call.pk, "price": f"0.00000{chance.randint(1, 999)}", "currency": "CNY"}
        store.append(call.tape_id, [entries.event(folding.PRICED, data, topic_id=call.topic_id)])


def _end_some(chance: random.Random) -> None:
    """Somebody saw ends that nobody had seen; calls that were under way end."""
    for call in Call.objects.filter(status__in=["started", "unknown"]).order_by("pk"):
        usage = dict.fromkeys(folding.COUNTS, chance.randint(0, 50))
        data = {"call": call.pk, "status": "ok", "usage": usage, "price": "0.25", "currency": "USD"}
        if chance.random() < 0.8:
            store.append(call.tape_id, [entries.event("model_call_ended", data)])


def _forget_some(chance: random.Random) -> None:
    """An erasure takes words, never figures."""
    call = Call.objects.exclude(topic=None).order_by("pk")[chance.randint(0, 5)]
    signals.erased.send(
        sender=None,
        tape_id=call.tape_id,
        first_seq=1,
        last_seq=10**6,
        topic_ids=[call.topic_id],
        turn_ids=[],
        actor="system",
        entries=1,
        using="default",
    )


def _asked(chance: random.Random, people: list[User]) -> Asked:
    """Any question: a period of a day to more than a year, and any filters together."""
    first = chance.choice(BORDERS).date() + datetime.timedelta(days=chance.randint(-12, 12))
    limits: dict[str, Any] = {
        "person": chance.choice([COMPANY, people[0].pk, people[1].pk]),
        "members": (people[0].pk, people[2].pk),
        "repository": chance.choice([7, 9]),
        "model": chance.choice(["large", "local"]),
        "purpose": chance.choice(["answer", "index"]),
    }
    chosen = chance.sample(sorted(limits), chance.choice([0, 1, 1, 2, 3]))
    return Asked(
        first=first,
        last=first + datetime.timedelta(days=chance.choice([0, 1, 6, 29, 89, 400])),
        **{name: limits[name] for name in chosen},
    )


def test_P11_an_existing_installation_has_every_sum_once_it_is_migrated(
    topics: list[Topic], people: list[User]
) -> None:
    chance = random.Random(9)  # noqa: S311 — as above
    Call.objects.bulk_create(_call(chance, number, topics, people) for number in range(CALLS))
    rolling.catch_up()
    # One that was under way when the server was stopped is added by the first who asks.
    Call.objects.bulk_create([_call(chance, CALLS, topics, people)])
    kept = everything()
    for table in (CostCodeModelDay, CostCodePayerDay, TopicUseDay, TopicCodeDay):
        table._base_manager.all().delete()
    for spanned in (CostDay, CostModelDay, CostPayerDay, CostCodeDay):
        spanned._base_manager.exclude(span=Span.DAY).delete()
    assert everything() != kept
    migration = importlib.import_module("topics.migrations.0011_spans")
    with connection.cursor() as cursor:
        for statement in migration.FILLED:
            cursor.execute(statement)
    assert everything() == kept


def test_P11_a_price_changed_to_another_currency_leaves_no_empty_money_behind(
    topics: list[Topic], people: list[User]
) -> None:
    topic = topics[0]
    call = Call(
        pk="a",
        tape=topic.tape,
        topic=topic,
        started_seq=1,
        ended_seq=2,
        model="m",
        purpose="answer",
        day=datetime.date(2027, 1, 1),
        started_at=BORDERS[0],
        unpriced=True,
        status="unknown",
    )
    Call.objects.bulk_create([call])
    for name, price, currency in ((folding.PRICED, "1", "CNY"), ("model_call_ended", "2", "USD")):
        rolling.catch_up()
        data = {"call": "a", "price": price, "currency": currency, "status": "ok", "usage": {}}
        store.append(topic.tape_id, [entries.event(name, data, topic_id=topic.pk)])
    rolling.catch_up()
    day = Asked(first=call.day, last=call.day)
    assert figures.total(day).money == {"USD": Decimal(2)}
    assert ledger.spent_by_topic([topic.pk])[topic.pk].money == {"USD": Decimal(2)}


def test_P11_a_period_is_cut_into_months_thirds_and_days_that_hold_each_day_once() -> None:
    chance = random.Random(5)  # noqa: S311 — as above
    for _ in range(200):
        first = datetime.date(2027, 1, 1) + datetime.timedelta(days=chance.randint(0, 800))
        last = first + datetime.timedelta(days=chance.randint(0, 400))
        held: list[datetime.date] = []
        for span, day in spans.cut(first, last):
            following = {
                Span.DAY: day + datetime.timedelta(days=1),
                Span.TEN_DAYS: day + datetime.timedelta(days=10),
                Span.MONTH: (day + datetime.timedelta(days=31)).replace(day=1),
            }[span]
            if span == Span.TEN_DAYS and day.day == 21:
                following = (day + datetime.timedelta(days=11)).replace(day=1)
            held += [day + datetime.timedelta(days=n) for n in range((following - day).days)]
        assert held == [first + datetime.timedelta(days=n) for n in range((last - first).days + 1)]


def test_P11_a_year_is_read_from_few_spans() -> None:
    found = list(spans.cut(datetime.date(2027, 1, 2), datetime.date(2028, 1, 12)))
    assert len(found) == 9 + 2 + 11 + 1 + 2


def test_P11_each_call_stands_once_in_every_span(tape: Tape, person: User) -> None:
    days = [datetime.date(2027, 2, day) for day in (10, 11, 20, 21, 28)]
    Call.objects.bulk_create(
        Call(
            pk=f"call{day}",
            tape=tape,
            started_seq=number,
            ended_seq=number,
            payer=person,
            model="m",
            purpose="answer",
            day=day,
            started_at=BORDERS[0],
            amount=1,
            currency="CNY",
            status="ok",
        )
        for number, day in enumerate(days)
    )
    rolling.catch_up()
    rows = CostPayerDay.objects.exclude(span=Span.DAY).order_by("span", "day")
    assert [(row.span, row.day.day, row.calls) for row in rows] == [
        (Span.TEN_DAYS, 1, 1),
        (Span.TEN_DAYS, 11, 2),
        (Span.TEN_DAYS, 21, 2),
        (Span.MONTH, 1, 5),
    ]
    assert CostDay.objects.filter(span=Span.DAY).count() == 5
