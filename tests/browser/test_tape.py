"""The tape in a browser: read it, search it, mark, correct, begin a phase, ask from an anchor, look inside a call."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Locator, expect

from kb_agent.usecases import people, tape_acts
from tests.browser.test_accessibility import findings

if TYPE_CHECKING:
    from kb_agent.repositories.models import Repository
    from tests.browser.conftest import Visit
    from tests.browser.visitor import Visitor
    from tests.flows.harness import Process

REFUNDS = "退款失败后会自动重试吗？"
ORDERS = "谁可以取消已付款的订单？"
SPENT_ON_WALKS = 300


def _open_tape(visitor: Visitor) -> int:
    """From a topic to its tape by the side bar."""
    visitor.page.locator("nav.side a[href^='/tapes']").click()
    expect(visitor.page.locator(".tape-head h1")).to_be_visible()
    expect(visitor.page.locator(".entry").first).to_be_visible()
    (number,) = re.findall(r"/tapes/(\d+)", visitor.page.url)
    return int(number)


def _line(visitor: Visitor, text: str | re.Pattern[str]) -> Locator:
    return visitor.page.locator(".entry").filter(
        has=visitor.page.locator(".entry-words", has_text=text)
    )


def _save(visitor: Visitor, **fields: str) -> None:
    """Fill the open sheet and press its act."""
    sheet = visitor.page.locator("dialog[open]")
    for name, text in fields.items():
        sheet.locator(f"[name={name}]").fill(text)
    sheet.locator("button[type=submit]").click()
    expect(sheet).to_have_count(0)


def _discard_a_try(name: str, tape: int) -> int:
    """A side line that came to nothing."""
    user = people.named(name)
    fork = tape_acts.fork(user, tape, note="试着在 promo 里找，没用上。").id
    tape_acts.note(user, tape, fork, "promo 里没有退款的代码。")
    tape_acts.discard(user, tape, fork)
    return fork


def _find_the_discarded_try(visitor: Visitor, tape: int) -> None:
    fork = _discard_a_try("product", tape)
    page = visitor.page
    page.reload()
    expect(page.locator(".entry.chosen")).to_be_visible()
    expect(page.locator(".forked")).to_have_count(0)
    page.locator(".fork-switch").click()
    inset = page.locator(f".forked[data-fork='{fork}']")
    expect(inset).to_contain_text("已丢弃")
    expect(inset).to_contain_text("promo 里没有退款的代码。")


def _verify(visitor: Visitor) -> None:
    visitor.page.locator(".tape-head > .button").click()
    expect(visitor.page.locator(".tape-head .good")).to_contain_text("哈希链完整", timeout=30_000)


def _two_topics(visitor: Visitor) -> int:
    visitor.ask(REFUNDS)
    visitor.read_answer()
    visitor.new_topic()
    visitor.ask(ORDERS)
    visitor.read_answer()
    return _open_tape(visitor)


@pytest.mark.timeout(SPENT_ON_WALKS)
def test_a_tape_is_read_verified_and_shows_what_the_model_saw_and_what_was_discarded(
    shop: Repository, worker: Process, visit: Visit
) -> None:
    visitor = visit("zh")
    tape = _two_topics(visitor)
    page = visitor.page
    folded = page.locator(".fold")
    expect(folded).to_have_count(1)
    expect(folded).to_contain_text(REFUNDS)
    expect(_line(visitor, ORDERS).first).to_be_visible()
    _verify(visitor)

    page.locator(".call-link", has_text=re.compile("^模型调用$")).last.click()
    saw = page.locator("aside.saw")
    expect(saw.locator("header .good")).to_have_text("由纸带重建，与发出时的哈希一致")
    expect(saw.locator("li").filter(has_text=ORDERS).first).to_be_visible()
    expect(saw.locator(".saw-end")).to_contain_text("窗口之前")
    expect(page.locator(".entry.chosen")).to_have_count(1)

    _find_the_discarded_try(visitor, tape)
    _verify(visitor)
    page.evaluate("window.scrollTo(0, 0)")
    visitor.settle()
    visitor.keep_picture("whole", full=True)

    folded.locator("[aria-expanded]").first.click()
    expect(_line(visitor, REFUNDS).first).to_be_visible()
    page.locator(".anchor-rail button").first.click()
    expect(page.locator(".entry[aria-current]")).to_have_attribute("id", "entry-1")
    assert findings(visitor) == []
    assert visitor.complaints == []


@pytest.mark.timeout(SPENT_ON_WALKS)
def test_search_finds_typos_on_the_whole_tape_and_kinds_narrow_it(
    shop: Repository, worker: Process, visit: Visit
) -> None:
    visitor = visit("zh", theme="dark")
    _two_topics(visitor)
    page = visitor.page
    page.locator(".tape-list input[type=search]").fill("退款失敗")
    expect(page.locator(".hits .tag").first).to_be_visible()
    visitor.keep_picture("hits")
    page.locator(".hit").last.click()
    expect(page.locator(".entry[aria-current]")).to_be_visible()
    page.locator(".tape-list .chip", has_text="消息").click()
    expect(_line(visitor, ORDERS)).to_have_count(1)
    expect(page.locator(".entry.event")).to_have_count(0)
    visitor.keep_picture("messages")
    assert findings(visitor) == []
    page.goto("/topics")
    page.get_by_role("searchbox").fill("退款失敗")
    found = page.get_by_role("region", name="纸带里找到的")
    expect(found.get_by_role("link").first).to_be_visible()
    visitor.keep_picture("everywhere")
    found.get_by_role("link").first.click()
    expect(page.locator(".entry[aria-current]")).to_be_visible()
    assert visitor.complaints == []


@pytest.mark.timeout(SPENT_ON_WALKS)
def test_entries_are_marked_corrected_kept_as_a_view_and_asked_from(
    shop: Repository, worker: Process, visit: Visit
) -> None:
    visitor = visit("en")
    visitor.ask("Is a failed refund retried?")
    visitor.read_answer()
    _open_tape(visitor)
    answer = _line(visitor, re.compile("^Answer:")).first
    mark = _mark(visitor, answer, "Channel settings win over defaults")
    _correct(answer, visitor, "For Alipay it is 5 times.")
    _keep_as_a_view(visitor, answer)
    _begin_a_phase(visitor)
    visitor.keep_picture("acts", full=True)
    _ask_from(visitor, mark)
    assert findings(visitor) == []
    assert visitor.complaints == []


def _mark(visitor: Visitor, entry: Locator, note: str) -> Locator:
    entry.hover()
    entry.locator("input[type=checkbox]").check()
    visitor.page.locator(".selection-bar button", has_text="Mark").click()
    _save(visitor, note=note)
    mark = _line(visitor, f"mark/lesson · {note}")
    expect(mark).to_be_visible()
    expect(visitor.page.locator(".anchor-rail")).to_contain_text(f"Mark: {note}")
    return mark


def _correct(entry: Locator, visitor: Visitor, text: str) -> None:
    entry.locator(".entry-words").click()
    entry.locator(".entry-acts button", has_text="Correct").click()
    _save(visitor, text=text)
    expect(entry.locator(".entry-correction")).to_contain_text(text)


def _keep_as_a_view(visitor: Visitor, entry: Locator) -> None:
    page = visitor.page
    entry.hover()
    entry.locator("input[type=checkbox]").check()
    page.locator(".selection-bar button", has_text="Keep as a view").click()
    _save(visitor, name="The answer")
    expect(page.locator(".view-head h2")).to_have_text("The answer")
    expect(page.locator(".entry")).to_have_count(1)
    page.locator(".view-head button").click()
    page.locator(".named-views button.icon-button").click()
    expect(page.locator(".named-views")).to_have_count(0)


def _begin_a_phase(visitor: Visitor) -> None:
    visitor.page.locator(".tape-head button", has_text="New phase").click()
    _save(visitor, name="after refunds", summary="Refunds are retried.")
    expect(_line(visitor, re.compile("^after refunds"))).to_be_visible()


def _ask_from(visitor: Visitor, mark: Locator) -> None:
    page = visitor.page
    mark.locator(".entry-words").click()
    mark.locator(".entry-acts button", has_text="Ask from here").click()
    expect(page.locator(".from-anchor")).to_contain_text("Mark: Channel settings win")
    expect(page.locator(".correction")).to_contain_text("For Alipay it is 5 times.")
    visitor.settle()
    visitor.keep_picture("ask-from-here")
    visitor.ask("And who is told?")
    visitor.read_answer(1)
    expect(page.locator(".from-anchor")).to_have_count(0)
    _open_tape(visitor)
    expect(_line(visitor, "And who is told?").first).to_be_visible()


@pytest.mark.timeout(SPENT_ON_WALKS)
def test_an_answer_is_corrected_and_asked_from_on_its_topics_page_and_the_tape_starts_over(
    shop: Repository, worker: Process, visit: Visit
) -> None:
    visitor = visit("en")
    visitor.ask("Is a failed refund retried?")
    visitor.read_answer()
    page = visitor.page
    page.locator(".turn-acts button", has_text="Correct").click()
    _save(visitor, text="For Alipay it is 5 times.")
    expect(page.locator(".correction")).to_contain_text("For Alipay it is 5 times.")
    page.locator(".turn-acts button", has_text="Ask from here").click()
    expect(page.locator(".from-anchor")).to_contain_text("Topic: ")
    page.locator(".from-anchor button").click()
    expect(page.locator(".from-anchor")).to_have_count(0)

    before = _open_tape(visitor)
    page.locator(".tape-head button", has_text="Start over").click()
    _save(visitor, why="A new quarter.")
    expect(page).to_have_url(re.compile(rf"/tapes/(?!{before}\b)\d+"))
    expect(page.locator(".entry")).to_have_count(1)
    page.goto(f"/tapes/{before}")
    expect(page.locator(".tape-head")).to_contain_text("closed")
    expect(page.locator(".tape-head button", has_text="New phase")).to_have_count(0)
    expect(_line(visitor, "tape closed")).to_be_visible()
    assert visitor.complaints == []


@pytest.mark.timeout(SPENT_ON_WALKS)
def test_on_a_phone_what_the_model_saw_is_a_sheet(
    shop: Repository, worker: Process, visit: Visit
) -> None:
    asking = visit("zh")
    tape = _two_topics(asking)
    visitor = visit("en", theme="dark", width=390, height=844)
    page = visitor.page
    page.goto(f"/tapes/{tape}")
    expect(page.locator(".entry").first).to_be_visible()
    visitor.settle()
    visitor.keep_picture("tape")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert findings(visitor) == []
    # What a call took stands beside its name: no line of its own begins with a dot.
    call = page.locator(".entry-line", has=page.locator(".call-link")).last
    link, figures = (call.locator(each).bounding_box() for each in (".call-link", ".entry-words"))
    assert link is not None
    assert figures is not None
    assert figures["x"] >= link["x"] + link["width"] - 8
    page.locator(".call-link", has_text=re.compile("^model call$")).last.click()
    expect(page.locator("aside.saw header .good")).to_be_visible()
    page.wait_for_timeout(300)
    visitor.keep_picture("sheet")
    assert findings(visitor) == []
    page.keyboard.press("Escape")
    expect(page.locator("aside.saw.open")).to_have_count(0)
    assert visitor.complaints == []
