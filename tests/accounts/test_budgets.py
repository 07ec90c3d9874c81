"""Budgets hold under any number of workers: reserved before a call, settled after it (P11)."""

from __future__ import annotations

import datetime
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest
from django.contrib.auth.models import Group
from django.db import connections
from django.utils import timezone

from kb_agent.accounts import budgets
from kb_agent.accounts.budget_models import Budget, Reservation
from kb_agent.accounts.models import User
from tapes import entries, store

if TYPE_CHECKING:
    from tapes.models import Tape

pytestmark = pytest.mark.usefixtures("committed_database")


@pytest.fixture
def mei() -> User:
    """Pays for calls."""
    return User.objects.create_user("mei")


@pytest.fixture
def tape() -> Tape:
    """Where calls end."""
    return store.create("calls")


def budget(limit: str = "10", unit: str = "tokens", **of: Any) -> Budget:
    """A budget, of the company unless said otherwise."""
    values = {"scope": "company", "warn_at": Decimal("0.8")} | of
    return Budget.objects.create(limit=Decimal(limit), unit=unit, **values)


def reserve(call: str, payer: int | None, tokens: int = 4, **more: Any) -> None:
    """Reserve for a call of model m."""
    values = {"amount": None, "currency": ""} | more
    budgets.reserve(
        call,
        payer=payer,
        model="m",
        estimate=budgets.Estimate(tokens=tokens, **values),
        seconds=60,
    )


def standing(held: Budget) -> tuple[int, int]:
    """Spent and reserved."""
    found = budgets.stands(held)
    return int(found.spent), int(found.reserved)


def end(tape: Tape, call: str, payer: int, **more: Any) -> None:
    """The call was made and has ended."""
    began = {"call": call, "purpose": "answer", "payer": payer, "model": "m"}
    usage = {"input": 2, "cached": 0, "output": 1, "reasoning": 0}
    ended = {"call": call, "status": "ok", "usage": usage, "price": None} | more
    store.append(tape.pk, [entries.event("model_call_started", began)])
    store.append(tape.pk, [entries.event("model_call_ended", ended)])


def test_P11_without_a_budget_nothing_is_written(mei: User) -> None:
    reserve("a", mei.pk)
    assert not Reservation.objects.exists()


def test_P11_a_call_is_reserved_before_and_settled_after_with_what_it_used(
    mei: User, tape: Tape
) -> None:
    held = budget()
    reserve("a", mei.pk)
    assert standing(held) == (0, 4)
    end(tape, "a", mei.pk)
    assert standing(held) == (3, 0)
    reserve("b", mei.pk, tokens=7)
    with pytest.raises(budgets.Reached):
        reserve("c", mei.pk, tokens=1)


@pytest.mark.parametrize("scope", ["company", "person", "group", "model"])
def test_P11_every_scope_binds_those_it_names_and_nobody_else(mei: User, scope: str) -> None:
    group = Group.objects.create(name="payments")
    mei.groups.add(group)
    chen = User.objects.create_user("chen")
    named: dict[str, dict[str, Any]] = {
        "company": {},
        "person": {"person": mei},
        "group": {"group": group},
        "model": {"model": "m"},
    }
    budget("1", scope=scope, **named[scope])
    with pytest.raises(budgets.Reached) as refused:
        reserve("a", mei.pk)
    assert refused.value.budget.scope == scope
    if scope in {"person", "group"}:
        reserve("b", chen.pk)
        reserve("c", None)


def test_P11_a_group_s_budget_counts_all_its_members(mei: User, tape: Tape) -> None:
    group = Group.objects.create(name="payments")
    chen = User.objects.create_user("chen")
    group.user_set.add(mei, chen)
    held = budget("9", scope="group", group=group)
    end(tape, "a", mei.pk)
    end(tape, "b", chen.pk)
    assert budgets.stands(held).spent == 6
    with pytest.raises(budgets.Reached):
        reserve("c", chen.pk)


def test_P11_money_binds_only_where_the_model_has_a_price_in_that_currency(
    mei: User, tape: Tape
) -> None:
    held = budget("1", "USD")
    reserve("a", mei.pk, amount=Decimal("0.4"), currency="USD")
    end(tape, "a", mei.pk, price="0.5", currency="USD")
    assert budgets.stands(held).spent == Decimal("0.5")
    with pytest.raises(budgets.Reached):
        reserve("b", mei.pk, amount=Decimal("0.500001"), currency="USD")
    reserve("c", mei.pk, amount=Decimal(40), currency="CNY")
    reserve("d", mei.pk, tokens=1_000_000)


def test_P11_the_reservation_of_a_killed_worker_lapses(mei: User) -> None:
    held = budget("4")
    reserve("a", mei.pk)
    with pytest.raises(budgets.Reached):
        reserve("b", mei.pk)
    past = timezone.now() - datetime.timedelta(seconds=1)
    Reservation.objects.update(expires_at=past)
    reserve("b", mei.pk)
    assert budgets.clear() == 1
    assert budgets.stands(held).reserved == 4


def test_P11_a_provider_that_tells_no_usage_is_held_by_the_estimate(mei: User, tape: Tape) -> None:
    tokens, money = budget(), budget("1", "USD")
    for call in ("a", "b"):
        reserve(call, mei.pk, amount=Decimal("0.25"), currency="USD")
        end(tape, call, mei.pk, usage=None)
    assert standing(tokens) == (8, 0)
    assert budgets.stands(tokens).estimated == 8
    assert budgets.stands(money).spent == budgets.stands(money).estimated == Decimal("0.5")
    with pytest.raises(budgets.Reached):
        reserve("c", mei.pk)
    Reservation.objects.update(expires_at=timezone.now() - datetime.timedelta(days=1))
    assert budgets.clear() == 0
    assert standing(tokens) == (8, 0)
    assert budgets.stands(tokens, month=datetime.date(2099, 1, 1)).spent == 0


def test_P11_an_estimate_gives_way_to_a_usage_that_was_seen_after_all(
    mei: User, tape: Tape
) -> None:
    held = budget()
    reserve("a", mei.pk)
    end(tape, "a", mei.pk, usage=None, status="unknown")
    assert (standing(held), budgets.stands(held).estimated) == ((4, 0), 4)
    usage = {"input": 2, "cached": 0, "output": 1, "reasoning": 0}
    seen = {"call": "a", "status": "ok", "usage": usage, "price": None}
    store.append(tape.pk, [entries.event("model_call_ended", seen)])
    assert (standing(held), budgets.stands(held).estimated) == ((3, 0), 0)


def test_P11_a_call_refused_before_it_used_anything_leaves_no_estimate(
    mei: User, tape: Tape
) -> None:
    held = budget()
    reserve("a", mei.pk)
    end(tape, "a", mei.pk, usage=None, status="failed")
    assert standing(held) == (0, 0)
    assert not Reservation.objects.exists()


def test_P11_a_new_month_begins_with_nothing_spent(mei: User, tape: Tape) -> None:
    held = budget()
    end(tape, "a", mei.pk)
    later = datetime.date(2099, 1, 1)
    assert budgets.stands(held, month=later).spent == 0
    assert budgets.stands(held).spent == 3


def test_P11_a_budget_that_was_ended_binds_no_more(mei: User) -> None:
    held = budget("1")
    held.ended_at = timezone.now()
    held.save()
    reserve("a", mei.pk)


def test_P11_of_many_workers_at_once_as_many_pass_as_the_limit_allows(mei: User) -> None:
    budget("40")
    budget("24", scope="person", person=mei)

    def attempt(number: int) -> bool:
        try:
            reserve(f"call {number}", mei.pk)
        except budgets.Reached:
            return False
        finally:
            connections.close_all()
        return True

    with ThreadPoolExecutor(8) as workers:
        passed = sum(workers.map(attempt, range(40)))
    assert passed == 6
    assert Reservation.objects.count() == 6


def test_P11_people_are_warned_at_a_share_of_the_limit(mei: User, tape: Tape) -> None:
    held = budget("4")
    assert budgets.stands(held).state == "within"
    end(tape, "a", mei.pk)
    standing = budgets.stands(held)
    assert (standing.state, standing.share) == ("within", 0.75)
    held.warn_at = Decimal("0.7")
    assert budgets.stands(held).state == "warned"
    end(tape, "b", mei.pk)
    assert budgets.stands(held).state == "reached"
