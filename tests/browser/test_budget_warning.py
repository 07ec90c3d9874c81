"""A budget that is nearly used is said under the composer, in words, before it stops anybody (P11)."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from kb_agent.accounts.budget_models import Budget
from kb_agent.accounts.models import User
from kb_agent.llm import endpoints
from tapes import entries, store

if TYPE_CHECKING:
    from kb_agent.repositories.models import Repository
    from tests.browser.conftest import Visit


def _used(payer: User, tokens: int) -> None:
    """A call of theirs, made this month."""
    tape = store.create("calls").pk
    began = {"call": "a", "purpose": "answer", "payer": payer.pk, "model": "m"}
    usage = {"input": tokens, "cached": 0, "output": 0, "reasoning": 0}
    ended = {"call": "a", "status": "ok", "usage": usage, "price": None}
    store.append(tape, [entries.event("model_call_started", began)])
    store.append(tape, [entries.event("model_call_ended", ended)])


def test_P11_people_read_under_the_composer_that_a_budget_is_nearly_and_then_wholly_used(
    shop: Repository, visit: Visit
) -> None:
    person = visit("en")
    expect(person.page.get_by_role("textbox")).to_be_visible()
    expect(person.page.locator(".budget-warning")).to_have_count(0)
    endpoints.add("main", base_url="https://models.example/v1", model="m")
    product = User.objects.get(username="product")
    held = Budget.objects.create(
        scope="person",
        person=product,
        limit=Decimal(100),
        unit="tokens",
        warn_at=Decimal("0.8"),
    )
    _used(product, 84)
    person.page.reload()
    warning = person.page.locator(".budget-warning")
    expect(warning).to_have_text("Your budget for this month is 84% used.")
    person.keep_picture("nearly")
    held.limit = Decimal(84)
    held.save()
    phone = visit("zh", theme="dark", width=390)
    expect(phone.page.locator(".budget-warning")).to_contain_text("你这个月的预算用完了")
    phone.keep_picture("used-up")
    assert person.complaints == phone.complaints == []
