"""A topic that recalls an earlier one, in a browser: folded, linked, dismissed and taken back, in both languages."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from topics.models.recall import Recollection

if TYPE_CHECKING:
    from kb_agent.repositories.models import Repository
    from tests.browser.conftest import Visit
    from tests.browser.visitor import Visitor
    from tests.flows.harness import Process

CHINESE = "退款失败后会自动重试吗？"
ENGLISH = "Is a failed refund retried automatically?"


def _remembered() -> None:
    """Wait until the worker has kept what the finished topic is recalled by."""
    deadline = time.monotonic() + 30
    while not Recollection.objects.exists():
        assert time.monotonic() < deadline
        time.sleep(0.1)


def _asked_again(visitor: Visitor) -> str:
    """Ask and finish a topic, then ask the like in English; the address of the first."""
    visitor.ask(CHINESE)
    visitor.read_answer()
    earlier = visitor.page.url
    visitor.page.get_by_role("button", name="结束主题").click()
    expect(visitor.page.get_by_text("由主人结束")).to_be_visible()
    _remembered()
    visitor.new_topic()
    visitor.ask(ENGLISH)
    visitor.read_answer()
    return earlier


def test_P7_a_recalled_topic_is_shown_folded_opened_dismissed_and_taken_back(
    shop: Repository, worker: Process, visit: Visit
) -> None:
    visitor = visit("zh")
    page, earlier = visitor.page, _asked_again(visitor)
    row = page.locator(".recalled li")
    expect(row).to_be_hidden()
    page.get_by_text("召回了 1 个相关主题").click()
    expect(row).to_contain_text(CHINESE)
    assert earlier.endswith(row.get_by_role("link").get_attribute("href") or "none")
    visitor.keep_picture("zh")
    row.get_by_role("button").click()
    expect(row).to_contain_text("已不用")
    page.reload()
    page.get_by_text("召回了 1 个相关主题").click()
    expect(row).to_contain_text("已不用")
    visitor.keep_picture("dismissed")
    row.get_by_role("button", name="重新使用").click()
    expect(row).not_to_contain_text("已不用")

    english = visit("en", width=390, height=844)
    english.page.goto(page.url)
    english.page.get_by_text("1 earlier topic recalled").click()
    expect(english.page.locator(".recalled li")).to_contain_text(CHINESE)
    english.keep_picture("en-phone")
    english.page.get_by_role("button", name="Dismiss").click()
    expect(english.page.get_by_text("Dismissed")).to_be_visible()
    assert visitor.complaints == english.complaints == []
