"""A business question, answered from real code: this project's own, by the evidence model."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import Locator, expect

if TYPE_CHECKING:
    from kb_agent.repositories.models import Repository
    from tests.browser.conftest import Visit
    from tests.browser.visitor import Visitor
    from tests.flows.harness import Process

CODE_FILE = re.compile(r"\.(py|tsx?|css|mjs|js|html|sql)$")
CHINESE = "一轮提问最多会尝试几次，之后算失败？"
ENGLISH = "How many times is a turn attempted before it fails?"


def test_a_chinese_and_an_english_question_are_answered_with_citations_that_open_at_their_lines(
    own_source: Repository, worker: Process, visit: Visit
) -> None:
    visitor = visit("zh")
    visitor.settle()
    visitor.keep_picture("ask")

    visitor.ask(CHINESE)
    visitor.read_answer()
    expect(visitor.page.locator(".routing b")).to_have_text(own_source.name)
    marked = visitor.open_citation()
    head = visitor.panel.locator("h2").inner_text()
    assert CODE_FILE.search(head), f"the first citation is code, not prose: {head}"
    _panel_shows_the_lines_that_the_source_names(visitor, marked)
    expect(visitor.panel.locator("footer .good")).to_have_text("已与提交里的内容核对")
    visitor.keep_picture("answer-zh")

    visitor.ask(ENGLISH)
    visitor.read_answer(1)
    visitor.turns.last.locator(".answer .citation").first.click()
    expect(visitor.panel.locator("tr.cited").first).to_be_visible()
    visitor.keep_picture("answer-en")
    assert visitor.complaints == []


def _panel_shows_the_lines_that_the_source_names(visitor: Visitor, marked: Locator) -> None:
    numbers = [row.get_attribute("data-line") for row in marked.all()]
    place, _, lines = visitor.page.locator(".sources .path").first.inner_text().rpartition(" ")
    assert lines == (f"{numbers[0]}–{numbers[-1]}" if len(numbers) > 1 else numbers[0])
    assert visitor.panel.locator("h2").inner_text().replace(" / ", "/") == place


def test_a_permanent_link_opens_the_same_lines_on_a_page_of_their_own(
    own_source: Repository, worker: Process, visit: Visit
) -> None:
    visitor = visit("en")
    visitor.ask(ENGLISH)
    visitor.read_answer()
    visitor.open_citation()
    evidence = visitor.citations.first.get_attribute("data-evidence")
    lines = visitor.panel.locator("tr.cited").all_inner_texts()
    visitor.page.goto(f"/evidence/{evidence}")
    expect(visitor.page.locator("tr.cited").first).to_be_visible()
    assert visitor.page.locator("tr.cited").all_inner_texts() == lines


def test_a_question_that_fits_nothing_is_said_to_have_found_nothing(
    shop: Repository, worker: Process, visit: Visit
) -> None:
    visitor = visit("en")
    visitor.ask("zyxwvut qqqjjj xkcdfgh")
    visitor.read_answer()
    expect(visitor.page.locator(".not-found")).to_contain_text("Nothing in the code for “zyxwvut")
    assert visitor.citations.count() == 0
    visitor.keep_picture("nothing-found")
