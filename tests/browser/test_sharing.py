"""A topic is shared in a browser, read by somebody else, taken back; links, and names in a question."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import Page, expect

if TYPE_CHECKING:
    from kb_agent.repositories.models import Repository
    from tests.browser.conftest import Visit
    from tests.browser.visitor import Visitor
    from tests.flows.harness import Process

CHINESE = "退款失败后会自动重试吗？"
SHARE = "分享"
SLOW = 20_000
"""Milliseconds that a busy machine may take."""


def _asked(visitor: Visitor) -> str:
    """A topic with its answer; its address."""
    visitor.ask(CHINESE)
    visitor.read_answer()
    return visitor.page.url


def _opened(page: Page) -> None:
    """The sheet that says who may read the topic."""
    page.get_by_role("button", name=SHARE, exact=True).click()
    expect(page.get_by_role("heading", name="谁可以读这个主题")).to_be_visible()


def test_P9_a_topic_is_shared_with_somebody_who_reads_it_and_goes_on_and_then_no_longer(
    shop: Repository, worker: Process, visit: Visit
) -> None:
    owner = visit("zh")
    address, page = _asked(owner), owner.page
    _opened(page)
    field = page.get_by_role("combobox", name="同事和小组")
    field.fill("周")
    expect(page.get_by_role("option", name="周然")).to_be_visible()
    field.press("Enter")
    expect(page.locator(".share-list li")).to_contain_text(["周然"])
    owner.keep_picture("sheet-zh")

    reader = visit("en", name="reviewer")
    reader.page.goto(address)
    expect(reader.page.get_by_text("shares this topic with you")).to_be_visible()
    expect(reader.answers).to_be_visible()
    expect(reader.page.get_by_role("button", name="Finish topic")).to_have_count(0)
    expect(reader.page.get_by_text("starts a topic of your own that goes on")).to_be_visible()
    reader.keep_picture("reader-en")
    expect(reader.page.get_by_role("button", name="Share", exact=True)).to_have_count(0)

    page.get_by_role("button", name="收回：周然").click()
    page.get_by_role("button", name="收回", exact=True).last.click()
    expect(page.locator(".share-list li")).to_have_count(0, timeout=SLOW)
    # The page that is open loses it too, without being loaded anew.
    expect(reader.page.get_by_role("heading", level=1)).not_to_have_text(CHINESE, timeout=SLOW)
    reader.page.reload()
    expect(reader.answers).to_have_count(0)
    reader.keep_picture("gone-en")
    assert owner.complaints == []


def test_P9_a_link_leads_in_and_once_taken_back_nowhere(
    shop: Repository, worker: Process, visit: Visit
) -> None:
    owner = visit("zh", theme="dark")
    address, page = _asked(owner), owner.page
    _opened(page)
    page.get_by_role("button", name="生成链接").click()
    link = page.get_by_role("textbox", name="链接").input_value()
    assert "/s/" in link
    owner.keep_picture("link-dark-zh")

    visitor = visit("en", name="reviewer", width=390, height=844)
    visitor.page.goto(link)
    expect(visitor.page).to_have_url(re.compile(re.escape(address) + "$"))
    expect(visitor.answers).to_be_visible()
    visitor.keep_picture("by-link-phone-en")

    page.get_by_role("button", name="收回：有链接的人").click()
    page.get_by_role("button", name="收回", exact=True).last.click()
    expect(page.locator(".share-list li")).to_have_count(0, timeout=SLOW)
    visitor.page.goto(link)
    expect(visitor.page.get_by_role("heading", name="This link leads nowhere")).to_be_visible()
    visitor.keep_picture("no-link-phone-en")


def _open_to_everyone(owner: Visitor) -> str:
    """A finished topic that everyone may read; its number."""
    address, page = _asked(owner), owner.page
    page.get_by_role("button", name="结束主题").click()
    expect(page.get_by_text("由主人结束")).to_be_visible()
    _opened(page)
    page.get_by_role("switch", name="向全公司公开").click()
    expect(page.get_by_role("switch", name="向全公司公开")).to_be_checked(timeout=SLOW)
    owner.keep_picture("open-zh")
    return address.rsplit("/", 1)[-1]


def test_P9_a_name_is_completed_in_the_composer_and_brings_what_was_opened(
    shop: Repository, worker: Process, visit: Visit
) -> None:
    number = _open_to_everyone(visit("zh"))
    asker = visit("zh", name="reviewer")
    box = asker.question
    box.press_sequentially("@林")
    expect(asker.page.get_by_role("option", name="林悦")).to_be_visible()
    asker.keep_picture("complete-person")
    asker.page.locator(".composer button.primary").click(trial=True)
    box.press("Enter")
    expect(box).to_have_value("@林悦 ")
    box.press_sequentially("和 topic:退款")
    expect(asker.page.get_by_role("option", name=CHINESE)).to_be_visible()
    asker.keep_picture("complete-topic")
    box.press("ArrowDown")
    box.press("Tab")
    expect(box).to_have_value(f"@林悦 和 topic:{number} ")
    box.press("Backspace")
    box.press_sequentially("#1-9 里，退款失败重试几次？")
    box.press("Enter")
    asker.read_answer()
    named = asker.page.locator(".references li")
    expect(named).to_have_count(2)
    expect(named.first).to_contain_text(CHINESE)
    ranged = named.filter(has_text=f"topic:{number}#1-9")
    expect(ranged.get_by_role("link", name=CHINESE)).to_be_visible()
    expect(asker.page.locator(f"h2 a[href='/topics/{number}']")).to_be_visible()
    asker.keep_picture("references-zh")
    assert asker.complaints == []
