"""Asks the budgets before a provider is called: with an estimate of what the call may cost (P11)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kb_agent.accounts import budgets
from kb_agent.llm import prices, usage
from kb_agent.llm.protocol import BudgetReached, Usage

if TYPE_CHECKING:
    from kb_agent.llm.models import Endpoint
    from kb_agent.llm.protocol import Request

ANSWER_TOKENS = 1_000
"""What an answer is thought to take where nobody limits it."""


def for_question(call: str, endpoint: Endpoint, request: Request, *, seconds: float) -> None:
    """Reserve for a chat call. Raises BudgetReached; the evidence model is free and never refused."""
    if endpoint.by_rule:
        return
    sent = usage.estimate(str(list(request.messages))) + usage.estimate(str(list(request.tools)))
    room = request.max_tokens or endpoint.max_tokens or ANSWER_TOKENS
    _reserve(call, endpoint, Usage(input=sent, output=room), request.payer, seconds)


def for_texts(
    call: str, endpoint: Endpoint, texts: int, *, payer: int | str, seconds: float
) -> None:
    """Reserve for an embedding call over so many tokens. Raises BudgetReached."""
    _reserve(call, endpoint, Usage(input=texts), payer, seconds)


def _reserve(
    call: str, endpoint: Endpoint, wanted: Usage, payer: int | str, seconds: float
) -> None:
    price = prices.of(endpoint, wanted)
    estimate = budgets.Estimate(
        tokens=wanted.total,
        amount=price.amount if price else None,
        currency=price.currency if price else "",
    )
    try:
        budgets.reserve(
            call,
            payer=payer if isinstance(payer, int) else None,
            model=endpoint.model,
            estimate=estimate,
            seconds=seconds,
        )
    except budgets.Reached as reached:
        budget = reached.budget
        raise BudgetReached(budget=budget.pk, scope=budget.scope, unit=budget.unit) from reached
