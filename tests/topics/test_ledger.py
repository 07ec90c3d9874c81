"""The ledger follows from tapes: each call counted once, whatever the provider said and whatever broke (P11)."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest

from tapes import entries, store
from tests.topics import acting
from topics import asking, ledger, turns
from topics.ledger import rebuild, rolling
from topics.models.cost_sums import (
    RANKS,
    SUMS,
    CostCodeDay,
    CostCodeModelDay,
    CostCodePayerDay,
    CostDay,
    CostRepositoryDay,
    DaySums,
    Span,
    TopicUseDay,
)
from topics.models.ledger import Call, TopicCost

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.db.models import QuerySet

    from kb_agent.accounts.models import User
    from tapes.models import Tape
    from topics.models import Topic

USED = {"input": 70, "cached": 30, "output": 8, "reasoning": 2}
OF_CODE = {CostRepositoryDay, CostCodeDay, CostCodeModelDay, CostCodePayerDay}


@pytest.fixture
def topic(tape: Tape, person: User) -> Topic:
    """An open topic whose calls are counted."""
    return acting.start(tape, person, title="Refunds")


def begin(topic: Topic, call: str, **more: Any) -> int:
    """A call begins on the topic's tape; returns where."""
    columns = {name: more.pop(name) for name in ("turn_id", "sources") if name in more}
    data = {"call": call, "purpose": "answer", "payer": topic.owner_id, "model": "m", **more}
    event = entries.event("model_call_started", data, topic_id=topic.pk, **columns)
    return store.append(topic.tape_id, [event])[0].seq


def end(topic: Topic, call: str, price: str | None = "0.000012", **more: Any) -> None:
    """It ends there."""
    data = {
        "call": call,
        "status": "ok",
        "model": "m",
        "usage": USED,
        "price": price,
        "currency": "USD" if price else None,
        "seconds": 1.5,
        **more,
    }
    store.append(topic.tape_id, [entries.event("model_call_ended", data, topic_id=topic.pk)])


def everything() -> list[list[dict[str, Any]]]:
    """Every row of the ledger, without what only numbers rows."""
    kept = []
    for table in (Call, TopicCost, *SUMS, *RANKS):
        rows = [dict(row) for row in table.objects.values()]
        for row in rows:
            if table is not Call:
                row.pop("id")
        counted = [row for row in rows if table is Call or row["calls"]]
        kept.append(sorted(counted, key=str))
    return kept


def by_day() -> QuerySet[CostDay]:
    """The finest sums, each day by itself."""
    return CostDay.objects.filter(span=Span.DAY)


def money(rows: Iterable[Any]) -> dict[str, Decimal]:
    """Amounts by currency."""
    sums: dict[str, Decimal] = {}
    for row in rows:
        if row["amount"]:
            sums[row["currency"]] = sums.get(row["currency"], Decimal(0)) + row["amount"]
    return sums


def test_P11_a_call_is_counted_with_its_tokens_and_its_price(topic: Topic) -> None:
    begin(topic, "a")
    assert Call.objects.get(pk="a").status == "started"
    assert ledger.spent_by_topic([topic.pk]) == {}
    end(topic, "a")
    call = Call.objects.get(pk="a")
    assert (call.input, call.cached, call.output, call.reasoning) == (70, 30, 8, 2)
    assert (call.amount, call.currency, call.unpriced) == (Decimal("0.000012"), "USD", False)
    assert (call.topic_id, call.payer_id, call.purpose) == (topic.pk, topic.owner_id, "answer")
    spent = ledger.spent_by_topic([topic.pk])[topic.pk]
    assert spent.shown() == {
        "money": [{"amount": "0.000012", "currency": "USD"}],
        "tokens": USED,
        "unknown_calls": 0,
    }


def test_P11_an_unknown_price_is_unknown_and_counted_as_such(topic: Topic) -> None:
    begin(topic, "a")
    end(topic, "a", price=None)
    begin(topic, "b")
    end(topic, "b", price=None, usage=None, status="cut")
    spent = ledger.spent_by_topic([topic.pk])[topic.pk]
    assert (spent.money, spent.unknown, spent.tokens["input"]) == ({}, 2, 70)


def test_P11_a_call_refused_before_it_used_anything_costs_nothing(topic: Topic) -> None:
    begin(topic, "a")
    end(topic, "a", price=None, usage=None, status="failed", error={"code": "provider_busy"})
    assert ledger.spent_by_topic([topic.pk])[topic.pk].unknown == 0
    assert Call.objects.get(pk="a").error == "provider_busy"


def test_P11_currencies_are_never_summed(topic: Topic) -> None:
    for call, currency in (("a", "USD"), ("b", "CNY"), ("c", "USD")):
        begin(topic, call)
        end(topic, call, price="0.1", currency=currency)
    shown = ledger.spent_by_topic([topic.pk])[topic.pk].shown()
    assert shown["money"] == [
        {"amount": "0.100000", "currency": "CNY"},
        {"amount": "0.200000", "currency": "USD"},
    ]


def test_P11_an_append_that_is_undone_counts_nothing(topic: Topic) -> None:
    begin(topic, "a")
    with pytest.raises(store.WrongHead):
        store.append(
            topic.tape_id,
            [entries.event("model_call_ended", {"call": "a", "status": "ok"})],
            expected_head=1,
        )
    assert Call.objects.get(pk="a").status == "started"


def test_P11_an_end_told_twice_counts_once(topic: Topic) -> None:
    begin(topic, "a")
    end(topic, "a")
    end(topic, "a", price="5")
    rolling.catch_up()
    end(topic, "a", price="7")
    assert money(TopicCost.objects.values()) == {"USD": Decimal("0.000012")}


def test_R3_an_end_nobody_saw_stays_visible_and_gives_way_to_one_that_was_seen(
    topic: Topic,
) -> None:
    begin(topic, "a")
    end(topic, "a", price=None, usage=None, status="unknown")
    rolling.catch_up()
    assert ledger.spent_by_topic([topic.pk])[topic.pk].unknown == 1
    end(topic, "a")
    rolling.catch_up()
    spent = ledger.spent_by_topic([topic.pk])[topic.pk]
    assert (spent.unknown, spent.money) == (0, {"USD": Decimal("0.000012")})
    assert [row["unpriced"] for row in by_day().values() if row["calls"]] == [0]


def test_P11_a_price_set_later_changes_every_sum_by_one_more_event(topic: Topic) -> None:
    begin(topic, "a")
    end(topic, "a", price=None)
    rolling.catch_up()
    priced = {"call": "a", "price": "0.5", "currency": "CNY"}
    for _ in range(2):
        store.append(topic.tape_id, [entries.event("model_call_priced", priced)])
    rolling.catch_up()
    assert ledger.spent_by_topic([topic.pk])[topic.pk].unknown == 0
    for table in (TopicCost, TopicUseDay, *set(SUMS) - OF_CODE):
        every = table.objects.all()
        rows = list(
            (every.filter(span=Span.MONTH) if issubclass(table, DaySums) else every).values()
        )
        assert money(rows) == {"CNY": Decimal("0.5")}
        assert sum(row["calls"] for row in rows) == 1
        assert sum(row.get("unpriced", 0) for row in rows) == 0


def test_P11_repositories_are_those_of_the_entries_that_were_shown(topic: Topic) -> None:
    shown = entries.message("assistant", "from code", sources=[7, 9])
    hidden = entries.message("assistant", "from other code", sources=[11])
    first, second = store.append(topic.tape_id, [shown, hidden])
    begin(topic, "a", seqs=[first.seq, second.seq], withheld=[second.seq], sources=[3])
    end(topic, "a")
    assert Call.objects.get(pk="a").repositories == [3, 7, 9]
    rolling.catch_up()
    rows = CostRepositoryDay.objects.order_by("repository")
    assert [(row.repository, row.calls) for row in rows] == [(3, 1), (7, 1), (9, 1)]
    assert by_day().get().calls == 1


def test_P11_a_turn_is_counted_with_its_first_answering_call(topic: Topic, person: User) -> None:
    asked = asking.ask(topic.pk, asker_id=person.pk, content="Who?", idempotency_key="1")
    claimed = turns.claim(asked.pk, "worker")
    assert claimed
    for call, purpose in (("a", "recall"), ("b", "answer"), ("c", "answer")):
        begin(topic, call, purpose=purpose, turn_id=asked.pk)
        end(topic, call)
    rolling.catch_up()
    assert sum(row.turns for row in by_day()) == 1
    assert ledger.spent_by_turn([asked.pk])[asked.pk].calls == 3
    assert Call.objects.get(pk="b").asker_id == person.pk


def test_P11_a_segment_has_the_calls_that_began_in_it(topic: Topic) -> None:
    first = begin(topic, "a")
    end(topic, "a")
    second = begin(topic, "b")
    end(topic, "b", price="2")
    ranges = [(1, first), (first + 1, second), (second + 1, None)]
    spent = ledger.spent_between(topic.tape_id, topic.pk, ranges)
    assert [each.money for each in spent] == [
        {"USD": Decimal("0.000012")},
        {"USD": Decimal(2)},
        {},
    ]


def test_P11_rebuilt_from_tapes_every_row_and_sum_is_the_same(topic: Topic, person: User) -> None:
    asked = asking.ask(topic.pk, asker_id=person.pk, content="Who?", idempotency_key="1")
    turns.claim(asked.pk, "worker")
    begin(topic, "a", turn_id=asked.pk, sources=[4, 5])
    end(topic, "a")
    begin(topic, "b", turn_id=asked.pk, attempt=2, payer="company", purpose="indexing")
    end(topic, "b", price=None)
    begin(topic, "c", turn_id=asked.pk)
    end(topic, "c", price="0.1", currency="CNY", status="cut", model="other")
    begin(topic, "lost")
    priced = {"call": "b", "price": "0.5", "currency": "CNY"}
    store.append(topic.tape_id, [entries.event("model_call_priced", priced)])
    rolling.catch_up()
    before = everything()
    assert len(before[0]) == 4
    rebuilt = rebuild.everything()
    assert (rebuilt.calls, rebuilt.kept) == (4, 0)
    assert everything() == before
    for table in (*SUMS, *RANKS, TopicCost, Call):
        table.objects.all().delete()
    rebuild.everything()
    assert everything() == before


def test_what_is_no_call_of_ours_is_left_alone(topic: Topic) -> None:
    for data in (None, {}, {"call": 7}, {"call": "x" * 65}, {"call": ""}):
        for name in ("model_call_started", "model_call_ended", "model_call_priced"):
            store.append(topic.tape_id, [entries.event(name, data)])
    odd = {"call": "a", "purpose": None, "payer": "nobody", "seqs": ["x"], "attempt": "2"}
    store.append(topic.tape_id, [entries.event("model_call_started", odd)])
    end(topic, "a", price="much", usage=["x"], seconds="long", status="great")
    assert [(call.pk, call.status, call.amount) for call in Call.objects.all()] == [
        ("a", "unknown", None)
    ]


@pytest.mark.parametrize("price", ["much", "NaN", "sNaN", "Infinity", "-0.1", "1e40", [], {"a": 1}])
def test_P11_what_is_no_price_is_an_unknown_price(topic: Topic, price: Any) -> None:
    begin(topic, "a")
    end(topic, "a", price=price)
    call = Call.objects.get()
    assert (call.amount, call.currency, call.unpriced) == (None, "", True)
    priced = {"call": "a", "price": price, "currency": "CNY"}
    store.append(topic.tape_id, [entries.event("model_call_priced", priced)])
    call.refresh_from_db()
    assert (call.amount, call.unpriced) == (None, True)
