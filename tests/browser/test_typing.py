"""Typing as people type: composing Chinese, drafts that stay, keys that work."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect

if TYPE_CHECKING:
    from kb_agent.repositories.models import Repository
    from tests.browser.conftest import Visit
    from tests.flows.harness import Process


def test_enter_while_composing_does_not_send_and_enter_right_after_composition_does(
    visit: Visit,
) -> None:
    visitor = visit("zh")
    visitor.question.focus()
    keyboard = visitor.page.context.new_cdp_session(visitor.page)
    keyboard.send(
        "Input.imeSetComposition", {"text": "tuikuan", "selectionStart": 7, "selectionEnd": 7}
    )
    # What an input method lets through of the Enter that chooses a candidate.
    enter = {"key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 229}
    keyboard.send("Input.dispatchKeyEvent", {"type": "rawKeyDown", **enter})
    keyboard.send("Input.dispatchKeyEvent", {"type": "keyUp", **enter})
    visitor.page.wait_for_timeout(300)
    expect(visitor.page).to_have_url(re.compile(r"/$"))
    keyboard.send("Input.insertText", {"text": "退款会重试吗"})
    expect(visitor.question).to_have_value("退款会重试吗")
    visitor.page.keyboard.press("Enter")
    expect(visitor.page).to_have_url(re.compile(r"/topics/\d+"))
    expect(visitor.turns.locator("h2")).to_have_text("退款会重试吗")
    expect(visitor.turns.locator("h2")).to_have_attribute("lang", "zh-CN")


def test_shift_enter_breaks_the_line(visit: Visit) -> None:
    visitor = visit("en")
    visitor.question.fill("one")
    visitor.question.press("Shift+Enter")
    visitor.page.keyboard.type("two")
    expect(visitor.question).to_have_value("one\ntwo")


def test_chinese_typed_on_an_english_page_keeps_the_width_of_its_commas(visit: Visit) -> None:
    visitor = visit("en")
    visitor.question.fill("退款失败后，会自动重试吗？")
    widths = visitor.question.evaluate("field => getComputedStyle(field).fontVariantEastAsian")
    assert widths == "normal"


def test_a_draft_survives_a_reload_and_an_expired_sign_in(visit: Visit) -> None:
    visitor = visit("en")
    visitor.question.fill("half a thought")
    visitor.page.reload()
    expect(visitor.question).to_have_value("half a thought")
    visitor.page.context.clear_cookies()
    visitor.question.press("Enter")
    expect(visitor.page.locator(".notice")).to_contain_text("Your sign-in has expired")
    visitor.keep_picture("signed-out")
    visitor.page.get_by_role("link", name="Sign in again").click()
    expect(visitor.page).to_have_url(re.compile("/sign-in"))
    visitor.sign_in("product", "a-long-enough-one")
    expect(visitor.question).to_have_value("half a thought")


def test_a_double_press_asks_once(visit: Visit) -> None:
    visitor = visit("en")
    visitor.question.fill("Is it asked twice?")
    visitor.page.locator(".composer button[type=submit]").dblclick()
    expect(visitor.page).to_have_url(re.compile(r"/topics/\d+"))
    visitor.page.goto("/topics")
    expect(visitor.page.locator(".topic-row")).to_have_count(1)
    expect(visitor.page.locator(".topic-row")).to_contain_text("1 turn")


def test_keys_lead_everywhere_and_keep_still_while_one_types(visit: Visit) -> None:
    visitor = visit("en")
    visitor.page.locator("h1").click()
    visitor.page.keyboard.press("?")
    expect(visitor.page.get_by_role("dialog", name="Keyboard")).to_be_visible()
    visitor.keep_picture("keys")
    visitor.page.keyboard.press("Escape")
    expect(visitor.page.get_by_role("dialog")).to_have_count(0)
    visitor.page.keyboard.press("/")
    expect(visitor.question).to_be_focused()
    visitor.page.keyboard.type("n/?")
    expect(visitor.question).to_have_value("n/?")
    visitor.page.keyboard.press("Control+k")
    visitor.page.get_by_role("combobox").fill("repos")
    visitor.page.keyboard.press("Enter")
    expect(visitor.page).to_have_url(re.compile("/repositories"))
    expect(visitor.page.get_by_role("dialog")).to_have_count(0)
    expect(visitor.page.get_by_role("heading", level=1)).to_have_text("Repositories")
    visitor.page.keyboard.press("n")
    expect(visitor.question).to_be_focused()


def test_language_and_theme_switch_at_once_and_are_remembered(visit: Visit) -> None:
    visitor = visit("zh")
    visitor.page.get_by_role("button", name="English").click()
    expect(visitor.page.locator("h1")).to_have_text("How does our software really behave?")
    expect(visitor.page.locator("html")).to_have_attribute("lang", "en")
    light = visitor.page.evaluate("getComputedStyle(document.body).backgroundColor")
    visitor.page.get_by_role("button", name="Light / dark").click()
    assert visitor.page.evaluate("getComputedStyle(document.body).backgroundColor") != light
    visitor.page.reload()
    expect(visitor.page.locator("h1")).to_have_text("How does our software really behave?")
    expect(visitor.page.locator("html")).to_have_attribute("data-theme", "dark")


def test_the_panel_closes_on_escape_and_the_focus_is_back_at_its_citation(
    shop: Repository, worker: Process, visit: Visit
) -> None:
    visitor = visit("en", width=1000)
    visitor.ask("Is a failed refund retried?")
    visitor.read_answer()
    visitor.page.locator("h1").click()
    visitor.page.keyboard.press("1")
    expect(visitor.panel.locator("tr.cited").first).to_be_visible()
    visitor.page.keyboard.press("]")
    expect(visitor.panel).to_contain_text("Citation 2 of")
    visitor.page.keyboard.press("Escape")
    expect(visitor.panel).not_to_be_visible()
    visitor.citations.first.focus()
    visitor.page.keyboard.press("Enter")
    expect(visitor.panel.get_by_role("button", name="Close")).to_be_focused()
    visitor.page.keyboard.press("Escape")
    expect(visitor.citations.first).to_be_focused()
