"""A common topic in the browser: two questions, its owner ends it, and what it cost stands wherever it is shown."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from kb_agent.llm import endpoints, price_list, scripted
from kb_agent.llm.script import calls, says

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kb_agent.repositories.models import Repository
    from tests.browser.conftest import Visit
    from tests.browser.visitor import Visitor
    from tests.flows.harness import StartWorker

TITLE = "退款失败后的重试"
TURN = (
    calls("search_code", queries=["退款 重试"]).using(1_000, 20),
    says("**会**，最多重试 3 次。[e1]").using(2_000, 30),
)
DESCRIBED = says(f'{{"title": "{TITLE}", "summary": "退款失败最多重试 3 次。"}}').using(1_000, 0)
CONCLUDED = says('{"facts": []}').using(1_000, 0)


@pytest.fixture
def priced_model(shop: Repository, start_worker: StartWorker) -> Iterator[None]:
    """A worker whose model takes 2 and 8 yuan a million, for two turns and what comes after the end."""
    rate = price_list.Terms(currency="CNY", input=Decimal(2), output=Decimal(8))
    with scripted.serve(*TURN, *TURN) as server:
        server.add_beside("You name and sum up", DESCRIBED)
        server.add_beside("You draw business facts", CONCLUDED)
        endpoints.add("scripted", base_url=server.url, model="m")
        price_list.add("", "m", rate, by=None)
        start_worker()
        yield


def _ended_after_two_turns(owner: Visitor) -> None:
    owner.ask("退款失败后会自动重试吗？")
    owner.read_answer()
    owner.ask("之后由谁处理？")
    owner.read_answer(1)
    expect(owner.turns.nth(1)).to_contain_text("3,050 个 token")
    expect(owner.turns.nth(1)).to_contain_text("¥0.0064")
    owner.page.get_by_role("button", name="结束主题").click()
    expect(owner.page.locator(".topic-end")).to_contain_text("由主人结束")


@pytest.mark.usefixtures("priced_model")
def test_P5_P11_a_topic_its_owner_ends_shows_what_it_cost_and_its_title_as_they_come(
    visit: Visit,
) -> None:
    owner = visit()
    _ended_after_two_turns(owner)
    # Two turns, and behind the page's back a title and a search for facts.
    head = owner.page.locator(".topic-head")
    expect(head).to_contain_text("¥0.0168", timeout=30_000)
    expect(head).to_contain_text(TITLE)
    owner.keep_picture("ended")
    owner.page.get_by_role("navigation").first.get_by_role("link", name="主题", exact=True).click()
    row = owner.page.locator(".topic-row")
    for words in (TITLE, "已结束", "2 轮", "¥0.0168"):
        expect(row).to_contain_text(words)
    looking = visit("en", name="admin")
    looking.page.goto("/costs")
    expect(looking.page.locator(".headline-value").first).to_have_text("¥0.0168")
    looking.keep_picture("costs", full=True)
    assert owner.complaints == looking.complaints == []
