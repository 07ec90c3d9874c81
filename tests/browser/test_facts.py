"""Facts in the browser: proposed, edited, rejected with a reason; or accepted and said to somebody else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.contrib.auth.models import Group
from playwright.sync_api import expect

from tests.agent import shops

if TYPE_CHECKING:
    from pathlib import Path

    from kb_agent.repositories.models import Repository
    from tests.browser.conftest import Visit
    from tests.browser.visitor import Visitor
    from tests.flows.harness import Process

QUESTION = "退款失败后会自动重试吗？"
SAID = "退款失败后自动重试，最多三次，之后转人工处理。"
EDITED = "退款失败后系统自动重试，最多三次，用尽后转人工处理。"
RETRY = '''\
"""How failed refunds are tried again."""

MAX_ATTEMPTS = 3


def retry_failed(refund, now):
    """退款失败后自动重试，最多三次，之后转人工处理。"""
    if refund.attempts >= MAX_ATTEMPTS:
        return to_manual(refund, reason="exhausted")
    refund.attempts += 1
    return send(refund)
'''


@pytest.fixture
def shop(committed_database: None, tmp_path: Path) -> Repository:
    """A shop that says itself how refunds are retried."""
    group, _ = Group.objects.get_or_create(name="product")
    files = {"payments/retry.py": RETRY}
    return shops.indexed("shop", files, group=group, place=tmp_path / "shop")


def test_P10_an_answer_is_proposed_edited_and_rejected_with_a_reason(
    visit: Visit, shop: Repository, worker: Process
) -> None:
    lead = visit("en", name="lead", theme="dark", width=390, height=844)
    lead.ask("Is a failed refund retried?")
    lead.read_answer()
    lead.page.get_by_role("button", name="Propose as a fact").click()
    dialog = lead.page.get_by_role("dialog")
    # What the answer concludes: the code's own sentence, without the words around it.
    expect(dialog.get_by_label("The fact")).to_have_value("How failed refunds are tried again.")
    dialog.get_by_label("The fact").fill("A failed refund is retried three times at most.")
    box = dialog.get_by_role("checkbox").bounding_box()
    assert box is not None
    assert box["width"] == box["height"]
    lead.keep_picture("propose")
    dialog.get_by_role("button", name="Propose as a fact").click()
    expect(dialog).to_have_count(0)
    lead.page.goto("/facts")
    card = lead.page.locator(".fact-card")
    card.get_by_role("button", name="Edit").click()
    dialog.get_by_label("The fact").fill("A failed refund is retried at most three times.")
    dialog.get_by_label("Rest it on the lines as the code stands now").check()
    lead.keep_picture("edit")
    dialog.get_by_role("button", name="Save").click()
    expect(card).to_contain_text("version 2")
    lead.keep_picture("phone")
    card.get_by_role("button", name="Reject").click()
    dialog.get_by_label("Why").fill("It is said in the handbook.")
    dialog.get_by_role("button", name="Reject").click()
    expect(card).to_contain_text("It is said in the handbook.")
    card.get_by_role("link", name="Fact 1").click()
    expect(lead.page.get_by_role("list", name="Versions")).to_contain_text("three times at most")
    lead.keep_picture("fact", full=True)
    assert lead.complaints == []


def _taught(asking: Visitor) -> None:
    """Ask, finish, open the topic to everyone; its conclusion is proposed as a fact."""
    asking.ask(QUESTION)
    expect(asking.read_answer()).to_contain_text(SAID)
    asking.page.get_by_role("button", name="结束主题").click()
    taught = asking.page.get_by_role("region", name="这个主题得出的事实")
    expect(taught).to_contain_text("已提出", timeout=30_000)
    asking.keep_picture("taught")
    asking.page.get_by_role("button", name="分享", exact=True).click()
    open_to_all = asking.page.get_by_role("switch", name="向全公司公开")
    open_to_all.click()
    expect(open_to_all).to_be_checked(timeout=20_000)


def _reviewed(reviewing: Visitor) -> None:
    """Open the queue, look at the lines, edit the fact and accept it by its key."""
    page = reviewing.page
    page.get_by_role("navigation").first.get_by_role("link", name="事实").click()
    page.get_by_role("button", name="待审核").click()
    card = page.locator(".fact-card")
    expect(card).to_contain_text(SAID)
    card.get_by_role("button", name="shop/payments/retry.py").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("def retry_failed(refund, now):")
    reviewing.keep_picture("lines")
    page.keyboard.press("Escape")
    card.get_by_role("button", name="修改").click()
    dialog.get_by_label("事实").fill(EDITED)
    dialog.get_by_role("button", name="保存").click()
    expect(card).to_contain_text("第 2 版")
    reviewing.keep_picture("queue")
    page.keyboard.press("j")
    page.keyboard.press("a")
    expect(card).to_have_count(0)


def test_P10_a_conclusion_is_drawn_reviewed_and_said_to_somebody_else_with_its_origin(
    visit: Visit, shop: Repository, worker: Process
) -> None:
    asking, reviewing, reading = visit(), visit(name="reviewer"), visit(name="lead")
    _taught(asking)
    _reviewed(reviewing)
    reading.ask("退款失败以后还会再自动重试几次？")
    expect(reading.read_answer()).to_contain_text("这是已采纳的事实")
    used = reading.page.get_by_role("region", name="回答之前已知的事实")
    expect(used).to_contain_text(EDITED)
    expect(used).to_contain_text("周然 采纳，")
    expect(used.get_by_role("link", name="林悦")).to_be_visible()
    reading.open_citation()
    expect(reading.panel).to_contain_text("def retry_failed(refund, now):")
    reading.keep_picture("used")
    used.get_by_role("link", name=EDITED).click()
    expect(reading.page.get_by_role("list", name="版本")).to_contain_text(SAID)
    reading.page.get_by_role("button", name="shop/payments/retry.py").first.click()
    expect(reading.page.get_by_role("dialog")).to_contain_text("MAX_ATTEMPTS")
    reading.page.keyboard.press("Escape")
    reading.keep_picture("origin", full=True)
    reading.page.get_by_role("link", name=QUESTION).first.click()
    expect(reading.page.get_by_role("heading", level=1)).to_have_text(QUESTION)
    assert [each.complaints for each in (asking, reviewing, reading)] == [[], [], []]
