"""The dashboard's figures are the sums of the calls themselves, whichever sums by day they are read from."""

from __future__ import annotations

import datetime
from collections import defaultdict
from decimal import Decimal
from itertools import product
from typing import TYPE_CHECKING, Any

import pytest

from kb_agent.accounts.models import User
from topics.ledger import figures, ranking, rolling
from topics.ledger.figures import Figures
from topics.ledger.reading import COMPANY, Asked
from topics.models.ledger import Call

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable

    from tapes.models import Tape

FIRST = datetime.date(2026, 11, 1)
NOON = datetime.datetime(2026, 11, 1, 12, tzinfo=datetime.UTC)
LIMITS: dict[str, tuple[Any, ...]] = {
    "person": (None, "mei", COMPANY),
    "members": (None, "both"),
    "repository": (None, 7),
    "model": ("", "large"),
    "purpose": ("", "answer"),
}


@pytest.fixture
def calls(person: User, tape: Tape) -> list[Call]:
    """Calls of two people and the company, over three days, of every kind."""
    other = User.objects.create_user("li")
    made = [
        Call(
            pk=f"call{number}",
            tape=tape,
            started_seq=number * 2 + 1,
            ended_seq=number * 2 + 2,
            payer=payer,
            model=model,
            purpose=purpose,
            repositories=repositories,
            day=FIRST + datetime.timedelta(days=number % 3),
            started_at=NOON,
            ended_at=NOON,
            input=100 + number,
            output=10,
            amount=None if number % 5 == 0 else Decimal(number) / 1000,
            currency="" if number % 5 == 0 else "CNY",
            unpriced=number % 5 == 0,
            status="ok" if number % 4 else "failed",
            attempt=1 + number % 2,
        )
        for number, (payer, model, purpose, repositories) in enumerate(
            product(
                [person, other, None], ["large", "small"], ["answer", "title"], [[], [7], [7, 9]]
            )
        )
    ]
    Call.objects.bulk_create(made)
    rolling.catch_up()
    return made


def test_P11_every_split_under_every_filter_equals_the_sum_of_its_calls(
    calls: list[Call], person: User
) -> None:
    for chosen in product(*LIMITS.values()):
        limits = dict(zip(LIMITS, chosen, strict=True))
        limits["person"] = person.pk if limits["person"] == "mei" else limits["person"]
        limits["members"] = (
            tuple({call.payer_id for call in calls} - {None}) if limits["members"] else None
        )
        check(calls, Asked(first=FIRST, last=FIRST + datetime.timedelta(days=1), **limits))


def check(calls: list[Call], asked: Asked) -> None:
    """Compare what is read from sums with what is added up here."""
    within = [call for call in calls if _asked_for(call, asked)]
    found = figures.split(asked)
    assert figures.total(asked) == found.total == _sum(within)
    assert found.days == _by(within, lambda call: [(call.day, call.purpose)])
    assert found.people == _by(within, lambda call: [call.payer_id or COMPANY])
    assert found.models == _by(within, lambda call: [call.model])
    assert found.purposes == _by(within, lambda call: [call.purpose])
    assert figures.repositories(asked) == _by(within, lambda call: _in_view(call, asked))
    unpriced = [call for call in within if call.unpriced]
    found_unpriced = figures.unpriced(asked)
    assert found_unpriced.keys() == {call.model for call in unpriced}
    for model, sums in found_unpriced.items():
        assert sums.counts["unpriced"] == sum(call.model == model for call in unpriced)
    _check_topics(within, asked)


def _check_topics(within: list[Call], asked: Asked) -> None:
    """The dearest, and those that used most where money is the same; the order is part of it."""
    sums = _by(within, lambda call: [call.topic_id] if call.topic_id else [])

    def rank(topic: Any) -> tuple[Decimal, int, int]:
        return -sums[topic].money.get("CNY", Decimal(0)), -sums[topic].tokens, topic

    first = sorted(sums, key=rank)[:3]
    assert list(ranking.topics(asked, currency="CNY", most=3).items()) == [
        (topic, sums[topic]) for topic in first
    ]


def _asked_for(call: Call, asked: Asked) -> bool:
    return (
        asked.first <= call.day <= asked.last
        and asked.person in {None, call.payer_id or COMPANY}
        and (asked.members is None or call.payer_id in asked.members)
        and (asked.repository is None or asked.repository in call.repositories)
        and asked.model in {"", call.model}
        and asked.purpose in {"", call.purpose}
    )


def _in_view(call: Call, asked: Asked) -> list[int]:
    return [one for one in call.repositories if asked.repository in {None, one}]


def _by(
    calls: Iterable[Call], keys: Callable[[Call], Iterable[Hashable]]
) -> dict[Hashable, Figures]:
    found: dict[Hashable, list[Call]] = defaultdict(list)
    for call in calls:
        for key in keys(call):
            found[key].append(call)
    return {key: _sum(of) for key, of in found.items()}


def _sum(calls: Iterable[Call]) -> Figures:
    found = Figures()
    for call in calls:
        row = {name: getattr(call, name, 0) or 0 for name in figures.NAMES}
        row |= {"calls": 1, "turns": int(call.opens_turn), "retries": int(call.attempt > 1)}
        row["failed"] = int(call.status in {"failed", "cut"})
        found.add(call.currency, row)
    return found
