"""What providers tell, to the last digit: whatever their habits, dashboard, ledger and tapes say the same (P11)."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, NamedTuple

import pytest
from django.utils import timezone

from kb_agent.accounts import budgets, roles
from kb_agent.accounts.budget_models import Budget
from kb_agent.accounts.models import User
from kb_agent.llm import endpoints, price_list, repricing, scripted
from kb_agent.llm.script import refuses, says
from kb_agent.usecases import costs
from kb_agent.usecases.costs import Wanted
from tapes import entries, store, views
from tapes.models import Tape
from tapes.views import View
from tests.topics.test_ledger import begin, end
from topics import ledger
from topics.ledger import rebuild

if TYPE_CHECKING:
    from kb_agent.llm.script import Turn as Scripted
    from tests.agent.conftest import Ask, Run
    from topics.models import Topic

ANSWER = says("会。")
PRICES = {"model_call_ended", "model_call_priced"}


class Case(NamedTuple):
    """What a provider sends, and what the turn costs."""

    sent: tuple[Scripted, ...]
    money: dict[str, str]
    tokens: tuple[int, int, int, int] = (0, 0, 0, 0)
    unknown: int = 0
    calls: int = 1


# A million tokens cost: input 2, cached 0.2, output 8, reasoning 9.
CASES = {
    "cached tokens inside the input": Case(
        (ANSWER.using(1_000, 50, cached=400),), {"USD": "0.00168"}, (600, 400, 50, 0)
    ),
    "cached tokens beside the input": Case(
        (ANSWER.using(600, 50, total_tokens=1_050, cache_read_input_tokens=400),),
        {"USD": "0.00168"},
        (600, 400, 50, 0),
    ),
    "reasoning inside the output": Case(
        (ANSWER.using(100, 20, total_tokens=120, reasoning=15),),
        {"USD": "0.000375"},
        (100, 0, 5, 15),
    ),
    "reasoning beside the output": Case(
        (ANSWER.using(100, 20, total_tokens=135, reasoning=15),),
        {"USD": "0.000495"},
        (100, 0, 20, 15),
    ),
    "usage repeated in every chunk": Case(
        (ANSWER.using(1_000, 50).repeating_usage(),), {"USD": "0.0024"}, (1_000, 0, 50, 0)
    ),
    "no usage at all": Case((ANSWER,), {}, unknown=1),
    "a stream cut off before its usage": Case(
        (says("会, 最多重试三次。").in_pieces(2).cut(3), ANSWER.using(1_000, 50)),
        {"USD": "0.0024"},
        (1_000, 0, 50, 0),
        unknown=1,
        calls=2,
    ),
    "a stream cut off that told its usage so far": Case(
        (
            says("会, 最多重试三次。").in_pieces(2).using(500, 9).repeating_usage().cut(3),
            ANSWER.using(1_000, 50),
        ),
        {"USD": "0.003424"},
        (1_500, 0, 53, 0),
        calls=2,
    ),
    "a refusal before anything was used, then a retry": Case(
        (refuses(429), ANSWER.using(1_000, 50)), {"USD": "0.0024"}, (1_000, 0, 50, 0), calls=2
    ),
}


def priced(model: str, currency: str = "USD", times: int = 1) -> None:
    """A price for a model."""
    terms = price_list.Terms(
        currency=currency,
        input=Decimal(2) * times,
        cached=Decimal("0.2") * times,
        output=Decimal(8) * times,
        reasoning=Decimal(9) * times,
    )
    price_list.add("", model, terms, by=None)


def on_tapes(*tapes: int) -> dict[str, Decimal]:
    """Money by currency, read from the events of tapes alone: what each call's last price says."""
    prices: dict[str, tuple[str, Decimal]] = {}
    for tape in tapes:
        for entry in views.read(tape, View.seqs(1, None).only("event")):
            data = entry.payload.get("data") or {}
            if entry.payload["name"] in PRICES and data["price"] and data["currency"]:
                prices[data["call"]] = data["currency"], Decimal(data["price"])
    sums: dict[str, Decimal] = {}
    for currency, price in prices.values():
        sums[currency] = sums.get(currency, Decimal(0)) + price
    return sums


def on_the_dashboard() -> dict[str, Decimal]:
    """The same from the administrator's page."""
    admin = User.objects.filter(username="root").first() or User.objects.create_user("root")
    roles.grant(admin, "administrator", by=None)
    shown = costs.show(admin, Wanted())["total"]["money"]
    return {each["currency"]: Decimal(each["amount"]) for each in shown}


def in_all_places(topic: Topic) -> dict[str, Decimal]:
    """What the tapes say, having seen that everything else says the same, rebuilt too."""
    told = on_tapes(topic.tape_id)
    for _ in range(2):
        spent = ledger.spent_by_topic([topic.pk])[topic.pk]
        assert spent.money == told
        assert on_the_dashboard() == told
        rebuild.everything()
    return told


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_P11_every_habit_of_a_provider_is_counted_to_the_last_digit(
    case: Case, ask: Ask, run: Run, topic: Topic, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kb_agent.llm.calls.BACKOFF_SECONDS", (0.0,))
    priced("m")
    with scripted.serve(*case.sent) as server:
        endpoints.add("scripted", base_url=server.url, model="m")
        turn = run(ask())
    assert turn.status == "done"
    assert in_all_places(topic) == {key: Decimal(value) for key, value in case.money.items()}
    spent = ledger.spent_by_turn([turn.pk])[turn.pk]
    assert tuple(spent.tokens.values()) == case.tokens
    assert (spent.unknown, spent.calls) == (case.unknown, case.calls)


def test_P11_another_model_after_one_that_failed_has_its_own_price_and_currency(
    ask: Ask, run: Run, topic: Topic, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kb_agent.llm.calls.BACKOFF_SECONDS", ())
    priced("first")
    priced("second", "CNY", times=7)
    cut = says("会, 最多").using(500, 9).repeating_usage().failing(2, "bad", code="content")
    with scripted.serve(cut) as one, scripted.serve(ANSWER.using(1_000, 50)) as two:
        endpoints.add("one", base_url=one.url, model="first", terms=endpoints.Terms(position=1))
        endpoints.add("two", base_url=two.url, model="second")
        run(ask())
    assert in_all_places(topic) == {"USD": Decimal("0.001016"), "CNY": Decimal("0.0168")}


def test_P11_a_price_changed_in_the_middle_of_a_topic_leaves_earlier_calls_as_they_were(
    ask: Ask, run: Run, topic: Topic
) -> None:
    priced("m")
    with scripted.serve(ANSWER.using(1_000, 50), ANSWER.using(1_000, 50)) as server:
        endpoints.add("scripted", base_url=server.url, model="m")
        run(ask())
        priced("m", times=10)
        run(ask("那么优惠券呢？"))
    assert in_all_places(topic) == {"USD": Decimal("0.0264")}


def test_R3_a_call_whose_worker_was_lost_is_counted_once_and_stays_unknown(
    ask: Ask, run: Run, topic: Topic
) -> None:
    priced("m")
    begin(topic, "lost")
    end(topic, "lost", price=None, usage=None, status="unknown")
    with scripted.serve(ANSWER.using(1_000, 50)) as server:
        endpoints.add("scripted", base_url=server.url, model="m")
        run(ask())
    assert in_all_places(topic) == {"USD": Decimal("0.0024")}
    assert ledger.spent_by_topic([topic.pk])[topic.pk].unknown == 1


def test_P11_the_dashboard_of_a_company_is_the_sum_over_all_its_tapes(
    ask: Ask, run: Run, topic: Topic, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Topics, hidden calls and system tapes; retries, two models, a price set late: nothing is left out."""
    monkeypatch.setattr("kb_agent.llm.calls.BACKOFF_SECONDS", (0.0,))
    priced("m")
    late, begun = says("会。").using(700, 30), timezone.now()
    with scripted.serve(refuses(429), ANSWER.using(1_000, 50), late) as server:
        endpoints.add("scripted", base_url=server.url, model="m")
        run(ask())
        endpoints.add("scripted", base_url=server.url, model="new")
        run(ask("那么优惠券呢？"))
    system = store.in_use("system/indexing").pk
    for call, purpose, price in (("s1", "index", "0.000123456789"), ("s2", "index", None)):
        began = {"call": call, "purpose": purpose, "payer": "company", "model": "new"}
        usage = {"input": 9, "cached": 0, "output": 0, "reasoning": 0}
        ended = {"call": call, "status": "ok", "usage": usage, "price": price, "currency": "CNY"}
        store.append(system, [entries.event("model_call_started", began)])
        store.append(system, [entries.event("model_call_ended", ended)])
    begin(topic, "hidden", purpose="summary")
    end(topic, "hidden", price="0.000000000001", currency="CNY")
    tapes = Tape.objects.values_list("pk", flat=True)
    assert on_the_dashboard() == on_tapes(*tapes)
    terms = price_list.Terms(currency="EUR", input=Decimal(3), output=Decimal(7), valid_from=begun)
    price_list.add("", "new", terms, by=None)
    assert repricing.reprice().priced == 2
    told = on_tapes(*tapes)
    assert told.keys() == {"USD", "CNY", "EUR"}
    assert on_the_dashboard() == told
    rebuild.everything()
    assert on_the_dashboard() == told


def test_P11_a_budget_in_tokens_holds_a_provider_that_tells_no_usage(
    ask: Ask, run: Run, topic: Topic
) -> None:
    held = Budget.objects.create(
        scope="company", unit="tokens", limit=10**6, warn_at=Decimal("0.8")
    )
    with scripted.serve(ANSWER, ANSWER) as server:
        endpoints.add("scripted", base_url=server.url, model="m")
        assert run(ask()).status == "done"
        standing = budgets.stands(held)
        assert standing.spent == standing.estimated > 1_000
        Budget.objects.update(limit=standing.spent)
        refused = run(ask("那么优惠券呢？"))
        assert (refused.status, refused.reason) == ("done", "budget_company")
        assert len(server.requests) == 1
