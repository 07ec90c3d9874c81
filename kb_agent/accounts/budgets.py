"""Budgets: what a call may cost is reserved before it is made, and what it did cost counts after (P11).

Reserving is one transaction that holds the rows of the budgets concerned: of any number of workers
asking at once, as many are let through as the limit allows. A killed worker's reservation expires.
"""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django.contrib.auth.models import Group
from django.db import transaction
from django.db.models import F, Q, Sum
from django.db.models.functions import Now
from django.dispatch import receiver

from kb_agent.accounts.budget_models import TOKENS, Budget, Reservation, Scope
from topics import signals
from topics.ledger import months
from topics.models.ledger import CallStatus

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.db.models import QuerySet

    from topics.models.ledger import Call

GRACE_SECONDS = 60
"""How long after its deadline a call that was not seen to end keeps its reservation."""


class Reached(Exception):
    """A call would pass a budget."""

    def __init__(self, budget: Budget) -> None:
        super().__init__(str(budget))
        self.budget = budget


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """What a call may cost at most, as far as that is known before; no amount where there is no price."""

    tokens: int
    amount: Decimal | None
    currency: str


@dataclass(frozen=True)
class Standing:
    """How a budget stands in a month."""

    budget: Budget
    spent: Decimal
    """What calls that ended used, `estimated` included."""

    reserved: Decimal
    estimated: Decimal = Decimal(0)
    """What was reserved for calls of which no provider told what they used."""

    @property
    def share(self) -> float:
        """Spent, as a share of the limit."""
        return float(self.spent / self.budget.limit) if self.budget.limit else 1.0

    @property
    def state(self) -> str:
        """`within`, `warned` or `reached`."""
        if self.spent >= self.budget.limit:
            return "reached"
        return "warned" if self.share >= self.budget.warn_at else "within"


def reserve(
    call: str, *, payer: int | None, model: str, estimate: Estimate, seconds: float
) -> None:
    """Reserve what a call may cost in every budget it falls under. Raises Reached; nothing is kept then.

    Without any budget nothing is written. The call's end takes the reservation away, or lets it stay as
    an estimate.
    """
    if not _binding(payer, model, estimate).exists():
        return
    with transaction.atomic():
        binding = _binding(payer, model, estimate).select_for_update(no_key=True).order_by("pk")
        for budget in list(binding):
            standing = stands(budget)
            asked = estimate.tokens if budget.unit == TOKENS else estimate.amount or 0
            if standing.spent + standing.reserved + asked > budget.limit:
                raise Reached(budget)
        Reservation.objects.create(
            call=call,
            payer=payer,
            model=model,
            tokens=estimate.tokens,
            amount=estimate.amount,
            currency=estimate.currency,
            expires_at=Now() + datetime.timedelta(seconds=seconds + GRACE_SECONDS),
        )


def release(call: str) -> None:
    """Take a reservation away whose call was not made."""
    Reservation.objects.filter(pk=call).delete()


def clear() -> int:
    """Delete reservations that have expired; returns how many."""
    return Reservation.objects.filter(month=None, expires_at__lt=Now()).delete()[0]


def stands(budget: Budget, *, month: datetime.date | None = None) -> Standing:
    """What is spent and reserved of a budget in a month (this one)."""
    payers, of = _payers(budget), month or months.this()
    spent = months.spent(of, unit=budget.unit, payers=payers, model=budget.model or None)
    reserved, estimated = _held(budget, payers, of)
    return Standing(budget, spent + estimated, reserved, estimated)


def under_way() -> QuerySet[Budget]:
    """The budgets that hold now."""
    return Budget.objects.filter(ended_at=None)


def limiting(person_id: int) -> QuerySet[Budget]:
    """Those that a person's questions fall under, whichever model answers."""
    return under_way().filter(_of_payer(person_id))


def _binding(payer: int | None, model: str, estimate: Estimate) -> QuerySet[Budget]:
    """The budgets a call falls under; one in money binds only calls with a price in its currency."""
    units = [TOKENS, *([estimate.currency] if estimate.amount is not None else [])]
    return under_way().filter(_of_payer(payer) | Q(scope=Scope.MODEL, model=model), unit__in=units)


def _of_payer(payer: int | None) -> Q:
    everyone = Q(scope=Scope.COMPANY)
    if payer is None:
        return everyone
    groups = Group.objects.filter(user=payer).values("pk")
    return everyone | Q(scope=Scope.PERSON, person=payer) | Q(scope=Scope.GROUP, group__in=groups)


def _payers(budget: Budget) -> list[int] | None:
    """The people whose calls count; None for all, and for what no person asked for."""
    if budget.scope == Scope.PERSON:
        return [budget.person_id or 0]
    if budget.scope == Scope.GROUP and budget.group is not None:
        return list(budget.group.user_set.values_list("pk", flat=True))
    return None


def _held(
    budget: Budget, payers: Iterable[int] | None, month: datetime.date
) -> tuple[Decimal, Decimal]:
    """What is reserved for calls under way, and what stays of calls of a month."""
    under_way, stays = Q(month=None, expires_at__gte=Now()), Q(month=month)
    rows = Reservation.objects.filter(under_way | stays)
    if payers is not None:
        rows = rows.filter(payer__in=payers)
    if budget.model:
        rows = rows.filter(model=budget.model)
    if budget.unit != TOKENS:
        rows = rows.filter(currency=budget.unit)
    what = F("tokens") if budget.unit == TOKENS else F("amount")
    found = rows.aggregate(reserved=Sum(what, filter=under_way), estimated=Sum(what, filter=stays))
    return Decimal(found["reserved"] or 0), Decimal(found["estimated"] or 0)


@receiver(signals.call_ended, dispatch_uid="budgets")
def _settle(*, call: Call, **_: Any) -> None:
    """From here on the call itself counts: in the same transaction its reservation goes.

    Of a call that was not refused and whose usage nobody told, the reservation is what counts.
    """
    if call.input is None and call.status != CallStatus.FAILED:
        Reservation.objects.filter(pk=call.pk).update(month=call.day.replace(day=1))
    else:
        release(call.pk)
