"""The dearest topics of a long period: few are looked at where that is enough, all where it is not (P11)."""

from __future__ import annotations

import datetime
from decimal import Decimal
from typing import TYPE_CHECKING

import pytest

from tapes import store
from tests.topics import acting
from topics.ledger import ranking, reading, rolling
from topics.ledger.reading import Asked
from topics.models.ledger import Call

if TYPE_CHECKING:
    from kb_agent.accounts.models import User
    from topics.models import Topic

FIRST = datetime.date(2026, 11, 1)
NOON = datetime.datetime(2026, 11, 1, 12, tzinfo=datetime.UTC)
YEAR = Asked(first=FIRST, last=FIRST + datetime.timedelta(days=364))


@pytest.fixture
def topics(person: User, monkeypatch: pytest.MonkeyPatch) -> list[Topic]:
    """Ten topics, of which five are looked at first; no more where these are not enough."""
    monkeypatch.setattr(ranking, "LOOKED_AT", (5,))
    return [
        acting.start(store.create(f"topic {number}"), person, title=str(number))
        for number in range(10)
    ]


def _calls(topic: Topic, *costs: tuple[int, str], currency: str = "CNY") -> None:
    """A call for each day of the period, counted from its first, and price."""
    Call.objects.bulk_create(
        Call(
            pk=f"{topic.pk} {day} {price} {currency}",
            tape_id=topic.tape_id,
            topic=topic,
            started_seq=number,
            ended_seq=number + 100,
            purpose="answer",
            model="large",
            status="ok",
            input=1,
            amount=Decimal(price),
            currency=currency,
            day=FIRST + datetime.timedelta(days=day),
            started_at=NOON,
            ended_at=NOON,
        )
        for number, (day, price) in enumerate(costs)
    )


def _dearest(asked: Asked, topics: list[Topic]) -> list[int]:
    rolling.of_topics([topic.pk for topic in topics])
    rolling.catch_up()
    return list(ranking.topics(asked, currency="CNY", most=3))


def test_P11_where_the_dearest_ever_are_the_dearest_of_a_year_no_other_is_looked_at(
    topics: list[Topic], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "ranks", None)
    for number, topic in enumerate(topics):
        _calls(topic, (number, f"0.{number}"), (number + 20, "0.01"))
    assert _dearest(YEAR, topics) == [topic.pk for topic in topics[:-4:-1]]


@pytest.mark.parametrize("before", ["7", "0.6"])
def test_P11_topics_that_were_dear_before_a_year_hide_none_of_its_own(
    topics: list[Topic], before: str
) -> None:
    for topic in topics[:5]:
        _calls(topic, (-3, before), (3, "0.01"))
    for number, topic in enumerate(topics[5:], start=5):
        _calls(topic, (number, f"0.{number - 4}"))
    assert _dearest(YEAR, topics) == [topic.pk for topic in topics[:-4:-1]]


def test_P11_a_topic_as_dear_as_the_last_that_was_looked_at_is_not_left_out(
    topics: list[Topic],
) -> None:
    for topic in topics:
        _calls(topic, (1, "0.5"))
    assert _dearest(YEAR, topics) == [topic.pk for topic in topics[:3]]


def test_P11_topics_of_another_currency_come_after_those_with_money_in_this(
    topics: list[Topic],
) -> None:
    _calls(topics[7], (1, "0.5"))
    for topic in topics[:3]:
        _calls(topic, (1, "9"), currency="USD")
    assert _dearest(YEAR, topics) == [topics[7].pk, topics[0].pk, topics[1].pk]
