"""A question asked as an experiment: read once it has ended, and asked as usual when it was worth it (T11)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from kb_agent.llm.script import calls, says
from tests.browser.test_live_turns import model

if TYPE_CHECKING:
    from kb_agent.repositories.models import Repository
    from tests.browser.conftest import Visit
    from tests.browser.test_live_turns import Model

__all__ = ["model"]


def test_T11_an_experiment_is_read_by_its_asker_and_asked_again_as_usual(
    shop: Repository, model: Model, visit: Visit
) -> None:
    search = calls("search_code", queries=["refund retry"])
    model(search, says("If it were five, **five times**. [e1]"), search, says("**Three**. [e1]"))
    visitor = visit("en")
    page = visitor.page
    page.get_by_label("As an experiment").check()
    visitor.ask("What if a failed refund were retried five times?")
    expect(page.locator(".answer")).to_contain_text("five times", timeout=30_000)
    told = page.locator(".experiment")
    expect(told).to_contain_text("later questions are not told of it", timeout=20_000)
    visitor.keep_picture("discarded")
    page.reload()
    expect(page.locator(".answer")).to_contain_text("five times")
    expect(page.get_by_label("As an experiment")).not_to_be_checked()
    told.get_by_role("button", name="Ask as usual").click()
    expect(visitor.turns).to_have_count(2, timeout=20_000)
    expect(page.locator(".answer").nth(1)).to_contain_text("Three", timeout=30_000)
    expect(page.locator(".experiment")).to_have_count(1)
    visitor.keep_picture("asked-as-usual")
    assert visitor.complaints == []
