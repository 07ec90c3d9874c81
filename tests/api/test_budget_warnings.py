"""People are warned of a budget before it stops them, and learn nothing of what others spend (P11)."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest
from django.contrib.auth.models import Group
from django.db import connection
from django.test.utils import CaptureQueriesContext

from kb_agent.accounts.budget_models import Budget
from kb_agent.llm import endpoints
from tapes import entries, store
from tests.api.company import browser

if TYPE_CHECKING:
    from kb_agent.accounts.models import User
    from tests.api.company import Company


@pytest.fixture
def asking(small: Company) -> Company:
    """The company, with a model that costs something: 1 CNY for a million tokens."""
    one = Decimal(1)
    terms = endpoints.Terms(input_price=one, output_price=one, currency="CNY")
    endpoints.add("main", base_url="https://models.example/v1", model="m", terms=terms)
    return small


def use(payer: User, tokens: int, *, price: str | None = None, currency: str | None = None) -> None:
    """A call of somebody's that took so many tokens."""
    tape = store.create(f"calls {payer.pk} {tokens} {currency}").pk
    call = f"call {tape}"
    began = {"call": call, "purpose": "answer", "payer": payer.pk, "model": "m"}
    usage = {"input": tokens, "cached": 0, "output": 0, "reasoning": 0}
    ended = {"call": call, "status": "ok", "usage": usage, "price": price, "currency": currency}
    store.append(tape, [entries.event("model_call_started", began)])
    store.append(tape, [entries.event("model_call_ended", ended)])


def limit(scope: str, amount: int = 100, unit: str = "tokens", **of: Any) -> Budget:
    """A budget of this month that warns from four fifths on."""
    values = {"scope": scope, "warn_at": Decimal("0.8"), "unit": unit} | of
    return Budget.objects.create(limit=Decimal(amount), **values)


def told(person: User) -> dict[str, Any] | None:
    """What the preview of a question says of budgets."""
    answer = browser(person).get("/api/questions/preview")
    assert answer.status_code == 200, answer.content
    found: dict[str, Any] | None = answer.json()["budget"]
    return found


@pytest.mark.parametrize(
    ("tokens", "state", "share"),
    [(79, None, None), (84, "warned", 0.84), (100, "reached", 1.0), (250, "reached", 2.5)],
)
def test_P11_people_are_warned_of_their_own_budget_before_it_stops_them(
    asking: Company, tokens: int, state: str | None, share: float | None
) -> None:
    limit("person", person=asking.owner)
    use(asking.owner, tokens)
    expected = {"scope": "person", "state": state, "share": share} if state else None
    assert told(asking.owner) == expected


def test_P11_a_share_is_rounded_down_so_that_nothing_is_called_used_up_before_it_is(
    asking: Company,
) -> None:
    limit("person", 1000, person=asking.owner)
    use(asking.owner, 999)
    assert told(asking.owner) == {"scope": "person", "state": "warned", "share": 0.99}


def test_C10_of_a_group_s_or_the_company_s_budget_only_the_state_is_told(asking: Company) -> None:
    group = Group.objects.get(name="product")
    held = limit("group", group=group)
    use(asking.colleague, 90)
    expected = {"scope": "group", "state": "warned", "share": None}
    assert told(asking.owner) == told(asking.colleague) == expected
    assert told(asking.stranger) is None
    held.delete()
    limit("company")
    expected = {"scope": "company", "state": "warned", "share": None}
    assert told(asking.owner) == told(asking.stranger) == expected


def test_C10_another_person_s_budget_is_shown_to_nobody_else(asking: Company) -> None:
    limit("person", person=asking.owner)
    use(asking.owner, 100)
    people = [asking.colleague, asking.stranger, asking.administrator, asking.auditor]
    assert [told(person) for person in people] == [None] * 4


def test_P11_the_most_pressing_one_is_told_used_up_before_nearly_then_by_its_share(
    asking: Company,
) -> None:
    limit("company", 105)
    use(asking.owner, 99)
    assert (told(asking.owner) or {})["scope"] == "company"
    limit("person", person=asking.owner)
    assert (told(asking.owner) or {})["scope"] == "person"
    limit("group", 99, group=Group.objects.get(name="product"))
    assert told(asking.owner) == {"scope": "group", "state": "reached", "share": None}


def test_P11_with_the_evidence_model_alone_nothing_is_spent_and_nothing_warned_of(
    small: Company,
) -> None:
    limit("company")
    use(small.owner, 100)
    assert told(small.owner) is None


def test_P11_a_budget_in_money_counts_only_where_the_model_has_a_price_in_its_currency(
    asking: Company,
) -> None:
    use(asking.owner, 1, price="9", currency="EUR")
    limit("company", 9, unit="EUR")
    assert told(asking.owner) is None
    use(asking.owner, 1, price="9", currency="CNY")
    limit("person", 10, unit="CNY", person=asking.owner)
    assert told(asking.owner) == {"scope": "person", "state": "warned", "share": 0.9}


def test_P11_one_that_was_ended_warns_nobody(asking: Company) -> None:
    held = limit("company")
    use(asking.owner, 100)
    held.ended_at = held.created_at
    held.save()
    assert told(asking.owner) is None


def test_P11_the_questions_to_the_database_grow_neither_with_calls_nor_with_people(
    asking: Company,
) -> None:
    without = counted(asking.owner)
    group = Group.objects.get(name="product")
    limit("company")
    limit("person", person=asking.owner)
    limit("group", group=group)
    use(asking.owner, 90)
    few = counted(asking.owner)
    # The model, and for each budget two sums and what is reserved; who is in the group.
    assert few - without == 1 + 3 * 3 + 1
    asking.stranger.groups.add(group)
    for tokens in range(1, 8):
        use(asking.stranger, tokens)
    assert counted(asking.owner) == few


def counted(person: User) -> int:
    """How many questions a preview asks the database."""
    client = browser(person)
    with CaptureQueriesContext(connection) as queries:
        assert client.get("/api/questions/preview").status_code == 200
    return len(queries)
