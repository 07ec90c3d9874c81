"""Budgets and prices: what administrators do with them, and what a person is told of their own (P11)."""

from __future__ import annotations

import calendar
import datetime
from dataclasses import dataclass
from decimal import ROUND_DOWN, Decimal
from typing import TYPE_CHECKING, Any

from django.contrib.auth.models import Group
from django.db import IntegrityError, transaction
from django.utils import timezone

from kb_agent.accounts import audit, budgets
from kb_agent.accounts.budget_models import TOKENS, Budget, Scope
from kb_agent.accounts.models import User
from kb_agent.llm import endpoints, price_list, repricing
from kb_agent.llm import prices as call_prices
from kb_agent.llm.price_models import Price
from kb_agent.llm.protocol import Usage
from kb_agent.usecases import refusals
from kb_agent.usecases.costs import administers
from kb_agent.usecases.people import person as shown_person
from topics import ledger
from topics.ledger import months
from topics.ledger.folding import day_of

if TYPE_CHECKING:
    from kb_agent.llm.models import Endpoint
    from kb_agent.llm.repricing import Repriced

MOST = Decimal(1_000_000_000_000)


@dataclass(frozen=True, kw_only=True)
class New:
    """A budget to be set; `target` is a person's or group's id, or a model's name."""

    scope: str
    target: str
    unit: str
    limit: Decimal
    warn_at: Decimal = Decimal("0.8")


@dataclass(frozen=True, kw_only=True)
class Warned:
    """A budget nearly or wholly used, as whoever falls under it may know it: no amount, no name."""

    scope: str
    state: str
    share: float | None
    """Of one's own budget; what a group or the company spends says something of other people."""


def warning(user: User) -> Warned | None:
    """The most pressing budget that a person's next question falls under, where a model can cost anything."""
    held = list(budgets.limiting(user.pk).select_related("group"))
    model = next(iter(endpoints.chosen())) if held else None
    if model is None or model.by_rule:
        return None
    pressing = [found for found in map(budgets.stands, held) if found.state != "within"]
    units = _units(model) if any(found.budget.unit != TOKENS for found in pressing) else {TOKENS}
    binding = [found for found in pressing if found.budget.unit in units]
    most = max(binding, key=lambda found: (found.state == "reached", found.share), default=None)
    if most is None:
        return None
    scope = most.budget.scope
    share = _whole_percents(most.share) if scope == Scope.PERSON else None
    return Warned(scope=scope, state=most.state, share=share)


def _units(model: Endpoint) -> set[str]:
    """Tokens, and the currency of its price: a budget in another one does not bind its calls."""
    price = call_prices.of(model, Usage(input=1, output=1))
    return {TOKENS, price.currency} if price else {TOKENS}


def _whole_percents(share: float) -> float:
    """Rounded down, so that nothing is called used up before it is."""
    return float(Decimal(str(share)).quantize(Decimal("0.01"), ROUND_DOWN))


def listed(user: User) -> list[dict[str, Any]]:
    """The budgets that hold, and how they stand this month. Raises `refusals.Forbidden`."""
    administers(user)
    found = budgets.under_way().select_related("person", "group").order_by("pk")
    return [_shown(budgets.stands(budget)) for budget in found]


def add(user: User, new: New) -> dict[str, Any]:
    """Set a budget. Raises `Forbidden`, `Invalid`, and `Conflict` where one holds for the same already."""
    administers(user)
    values = _target(new) | {"unit": _unit(new.unit), **_limits(new.limit, new.warn_at)}
    try:
        with transaction.atomic():
            budget = Budget.objects.create(scope=new.scope, created_by=user, **values)
            audit.note(user, "budget_set", f"budget:{budget.pk}", details=_said(budget))
    except IntegrityError as taken:
        raise refusals.Conflict(
            "There is a budget for the same already; change that one.", code="budget_exists"
        ) from taken
    return _shown(budgets.stands(budget))


def change(
    user: User, budget_id: int, *, limit: Decimal | None, warn_at: Decimal | None
) -> dict[str, Any]:
    """Raise or lower a budget. Raises `Forbidden`, `NotFound`, `Invalid`."""
    administers(user)
    with transaction.atomic():
        budget = _held(budget_id)
        before = _said(budget)
        wanted = _limits(
            budget.limit if limit is None else limit,
            budget.warn_at if warn_at is None else warn_at,
        )
        budget.limit, budget.warn_at = wanted["limit"], wanted["warn_at"]
        budget.save(update_fields=["limit", "warn_at"])
        details = {"before": before, "after": _said(budget)}
        audit.note(user, "budget_changed", f"budget:{budget.pk}", details=details)
    return _shown(budgets.stands(budget))


def end(user: User, budget_id: int) -> None:
    """Let a budget hold no longer. Raises `Forbidden`, `NotFound`."""
    administers(user)
    with transaction.atomic():
        budget = _held(budget_id)
        budget.ended_at = timezone.now()
        budget.save(update_fields=["ended_at"])
        audit.note(user, "budget_ended", f"budget:{budget.pk}", details=_said(budget))


def prices(user: User) -> list[dict[str, Any]]:
    """The company's own prices, the newest first. Raises `refusals.Forbidden`."""
    administers(user)
    return [_price(row) for row in Price.objects.order_by("-valid_from", "-pk")]


def set_price(user: User, endpoint: str, model: str, terms: price_list.Terms) -> dict[str, Any]:
    """Set a price from a date on. Raises `Forbidden`, `Invalid`."""
    administers(user)
    try:
        with transaction.atomic():
            price = price_list.add(endpoint, model, terms, by=user)
            shown = _price(price)
            audit.note(user, "price_set", f"price:{price.pk}", details=_plain(shown))
    except price_list.BadPrice as bad:
        raise refusals.Invalid(str(bad), code=bad.code) from bad
    return shown


def end_price(user: User, price_id: int) -> dict[str, Any]:
    """Let a price hold no longer; calls made under it keep it. Raises `Forbidden`, `NotFound`."""
    administers(user)
    try:
        with transaction.atomic():
            price = price_list.end(price_id)
            audit.note(user, "price_ended", f"price:{price.pk}")
    except Price.DoesNotExist as unknown:
        raise refusals.NotFound("price") from unknown
    return _price(price)


def reprice(user: User, *, model: str = "") -> Repriced:
    """Price past calls whose price was unknown, by the prices that held then. Raises `Forbidden`."""
    administers(user)
    done = repricing.reprice(model=model, actor=f"person:{user.pk}")
    audit.note(user, "calls_repriced", f"model:{model}", details=done.as_dict())
    return done


def _held(budget_id: int) -> Budget:
    rows = budgets.under_way().select_for_update(no_key=True, of=("self",))
    found = rows.select_related("person", "group").filter(pk=budget_id).first()
    if found is None:
        raise refusals.NotFound("budget")
    return found


def _target(new: New) -> dict[str, Any]:
    if new.scope == Scope.COMPANY:
        return {}
    if new.scope == Scope.MODEL and new.target.strip():
        return {"model": new.target.strip()[:200]}
    if new.scope in {Scope.PERSON, Scope.GROUP} and new.target.isdecimal():
        rows = User.objects if new.scope == Scope.PERSON else Group.objects
        found = rows.filter(pk=int(new.target[:18])).first()
        if found is not None:
            return {new.scope: found}
    raise refusals.Invalid("Say whose budget it is.", code="bad_budget")


def _unit(unit: str) -> str:
    stated = unit.strip()
    if stated == TOKENS:
        return stated
    if len(stated) == 3 and stated.isascii() and stated.isalpha():
        return stated.upper()
    raise refusals.Invalid("A budget is in tokens or in a currency such as CNY.", code="bad_budget")


def _limits(limit: Decimal, warn_at: Decimal) -> dict[str, Decimal]:
    if not 0 <= limit <= MOST:
        raise refusals.Invalid("A limit is a number from 0 up.", code="bad_budget")
    if not 0 < warn_at <= 1:
        raise refusals.Invalid("Warn at a share above 0 and up to 1.", code="bad_budget")
    return {"limit": limit, "warn_at": warn_at}


def _shown(standing: budgets.Standing) -> dict[str, Any]:
    budget = standing.budget
    expected = _expected(standing.spent)
    return {
        "id": budget.pk,
        "scope": budget.scope,
        "person": shown_person(budget.person) if budget.person else None,
        "group": {"id": budget.group.pk, "name": budget.group.name} if budget.group else None,
        "model": budget.model,
        "unit": budget.unit,
        "limit": _number(budget.limit),
        "warn_at": float(budget.warn_at),
        "spent": _number(standing.spent),
        "estimated": _number(standing.estimated),
        "reserved": _number(standing.reserved),
        "state": standing.state,
        "expected": _number(expected),
        "enough": expected <= budget.limit,
    }


def _expected(spent: Decimal) -> Decimal:
    """What a month comes to at the pace so far."""
    today = day_of(timezone.now())
    length = calendar.monthrange(today.year, today.month)[1]
    passed = (today - months.this()) // datetime.timedelta(days=1) + 1
    return (spent * length / passed).quantize(Decimal("0.000001"))


def _number(amount: Decimal) -> str:
    return ledger.written(amount) if amount % 1 else f"{amount:.0f}"


def _said(budget: Budget) -> dict[str, Any]:
    return {
        "scope": budget.scope,
        "person": budget.person_id,
        "group": budget.group_id,
        "model": budget.model,
        "unit": budget.unit,
        "limit": str(budget.limit),
        "warn_at": str(budget.warn_at),
    }


def _price(row: Price) -> dict[str, Any]:
    now = timezone.now()
    ended = row.valid_until is not None and row.valid_until <= now
    return {
        "id": row.pk,
        "endpoint": row.endpoint,
        "model": row.model,
        "currency": row.currency,
        "input": _million(row.input),
        "cached": _million(row.cached),
        "output": _million(row.output),
        "reasoning": _million(row.reasoning),
        "valid_from": row.valid_from,
        "valid_until": row.valid_until,
        "state": "ended" if ended else "planned" if row.valid_from > now else "holds",
    }


def _million(amount: Decimal | None) -> str | None:
    return None if amount is None else f"{Decimal(amount).normalize():f}"


def _plain(shown: dict[str, Any]) -> dict[str, Any]:
    return {name: str(value) for name, value in shown.items() if value not in {None, ""}}
