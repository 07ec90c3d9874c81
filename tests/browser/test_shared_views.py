"""A named view in a browser: made on a tape, opened to somebody, read by them in part, closed again."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from kb_agent.usecases import people, sharing
from kb_agent.usecases.sharing import Subject
from tapes import store
from tests.browser.test_accessibility import findings
from topics import lifecycle
from topics.models import NamedView, Topic

if TYPE_CHECKING:
    from kb_agent.repositories.models import Repository
    from tests.browser.conftest import Visit
    from tests.browser.visitor import Visitor
    from tests.flows.harness import Process

QUESTION = "退款失败后会自动重试吗？"
KEPT = "还没公布的价格方案"
NAME = "退款的答案"
SLOW = 20_000
"""Milliseconds that a busy machine may take."""


def _kept_as_a_view(owner: Visitor) -> None:
    """The answer's entry, kept under a name on the tape's page, and a topic of the owner's beside it."""
    page = owner.page
    owner.ask(QUESTION)
    owner.read_answer()
    page.locator("nav.side a[href^='/tapes']").click()
    answer = page.locator(".entry").filter(
        has=page.locator(".entry-words", has_text=re.compile("^答："))
    )
    answer.first.hover()
    answer.first.locator("input[type=checkbox]").check()
    page.locator(".selection-bar button", has_text="存为视图").click()
    sheet = page.locator("dialog[open]")
    sheet.locator("[name=name]").fill(NAME)
    sheet.locator("button[type=submit]").click()
    expect(page.locator(".view-head h2")).to_have_text(NAME)
    # The page keeps one range; more parts come by the API and the command line.
    view = NamedView.objects.get(name=NAME)
    tape = store.create(f"person/{view.owner_id}/kept")
    other = lifecycle.start(tape_id=tape.pk, owner_id=view.owner_id, title=KEPT, actor="system")
    view.definition["parts"].append({"topic": other.pk})
    view.save()


def _opened_to_a_colleague(owner: Visitor) -> None:
    """By the dialog that topics have, on the view's own page."""
    page = owner.page
    page.locator(".view-head a", has_text="分享").click()
    expect(page.get_by_role("heading", name=NAME)).to_be_visible()
    expect(page.locator(".view-part .entry").first).to_be_visible()
    page.get_by_role("button", name="分享", exact=True).click()
    expect(page.get_by_role("heading", name="谁可以打开这个视图")).to_be_visible()
    field = page.get_by_role("combobox", name="同事和小组")
    field.fill("周")
    expect(page.get_by_role("option", name="周然")).to_be_visible()
    field.press("Enter")
    expect(page.locator(".share-list li")).to_contain_text(["周然"])
    owner.keep_picture("sheet-zh")


def _read_in_part(reader: Visitor) -> None:
    """By the ways that the pages show, for somebody who has no tape of their own."""
    page = reader.page
    page.get_by_role("navigation").first.get_by_role("link", name="Tape").click()
    page.get_by_role("link", name="All views").click()
    here = page.get_by_role("navigation").first.locator("a[aria-current]")
    expect(here).to_have_text("Tape")
    page.get_by_role("link", name=NAME).click()
    expect(here).to_have_text("Tape")
    parts = page.locator(".view-part")
    expect(parts).to_have_count(2)
    expect(parts.first.locator(".entry")).to_have_count(1)
    expect(parts.last).to_have_text("This part is withheld: it is not open to you.")
    expect(page.get_by_text("林悦 opened this view to you.")).to_be_visible()
    expect(page.get_by_role("button", name="Share", exact=True)).to_have_count(0)
    assert KEPT not in page.content()
    reader.keep_picture("reader-en")
    assert findings(reader) == []


def test_P9_a_view_is_made_shared_read_with_one_part_withheld_and_closed_again(
    shop: Repository, worker: Process, visit: Visit
) -> None:
    owner = visit("zh")
    _kept_as_a_view(owner)
    page = owner.page
    topic = Topic.objects.exclude(title=KEPT).get()
    reads = people.named("reviewer").pk
    sharing.share(None, Subject("topic", topic.pk), kind="person", person_id=reads)
    _opened_to_a_colleague(owner)
    reader = visit("en", name="reviewer")
    _read_in_part(reader)

    page.get_by_role("button", name="收回：周然").click()
    page.get_by_role("button", name="收回", exact=True).last.click()
    expect(page.locator(".share-list li")).to_have_count(0, timeout=SLOW)
    # The reader comes back to the page that stayed open.
    reader.page.evaluate("window.dispatchEvent(new Event('visibilitychange'))")
    expect(reader.page.get_by_role("heading", name="This view is not open to you")).to_be_visible()
    expect(reader.page.locator(".view-part")).to_have_count(0)
    reader.keep_picture("gone-en")
    reader.page.get_by_role("link", name="All views").click()
    expect(reader.page.get_by_role("heading", name="Views")).to_be_visible()
    expect(reader.page.get_by_role("link", name=NAME)).to_have_count(0)
    assert owner.complaints == []
