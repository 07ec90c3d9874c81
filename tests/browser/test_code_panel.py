"""Beside the cited lines: outline, blame, uses of a name, and what has become of the file since."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.contrib.auth.models import Group
from playwright.sync_api import expect

from kb_agent.usecases import upkeep
from tests.browser import code

if TYPE_CHECKING:
    from pathlib import Path

    from tests.browser.conftest import Visit
    from tests.browser.visitor import Visitor
    from tests.flows.harness import Process

RETRY = '''\
"""Refunds that failed are tried again."""

MAX_ATTEMPTS = 3


def retry_failed_refund(refund, now):
    """Try a failed refund again, at most MAX_ATTEMPTS times, then hand it to a person."""
    if refund.attempts >= MAX_ATTEMPTS:
        return hand_to_person(refund)
    refund.attempts += 1
    return refund.send()


def hand_to_person(refund):
    """Nobody tries again by itself."""
    refund.state = "manual"
    return refund
'''
NIGHTLY = '''\
from refunds.retry import retry_failed_refund


def every_night(refunds, now):
    """Go through whatever failed during the day."""
    for refund in refunds:
        retry_failed_refund(refund, now)
'''


def _index() -> None:
    (run,) = upkeep.index(["billing"])
    assert run.status == "done", run.error


@pytest.fixture
def billing(committed_database: None, tmp_path: Path) -> Path:
    """A git repository of two commits, indexed, read by the group `product`."""
    place = tmp_path / "billing"
    earlier = RETRY.replace("MAX_ATTEMPTS = 3", "MAX_ATTEMPTS = 2")
    code.commit(place, {"refunds/retry.py": earlier}, summary="Retry refunds.")
    files: dict[str, str | None] = {"refunds/retry.py": RETRY, "jobs/nightly.py": NIGHTLY}
    code.commit(place, files, summary="重试改为三次")
    Group.objects.get_or_create(name="product")
    upkeep.add("billing", str(place), groups=["product"])
    _index()
    return place


def _asked(visit: Visit, language: str = "en") -> Visitor:
    visitor = visit(language)
    visitor.ask("How often is a failed refund retried?")
    visitor.read_answer()
    visitor.page.locator(".sources button", has_text="retry.py").first.click()
    expect(visitor.panel.locator("tr.cited").first).to_be_visible()
    return visitor


def test_outline_and_blame_stand_beside_the_cited_lines(
    billing: Path, worker: Process, visit: Visit
) -> None:
    visitor = _asked(visit)
    visitor.panel.get_by_role("tab", name="Outline").click()
    outline = visitor.panel.locator(".outline")
    expect(outline).to_contain_text("retry_failed_refund")
    expect(outline.locator("li.cited")).not_to_have_count(0)
    visitor.keep_picture("outline")
    visitor.page.keyboard.press("ArrowRight")
    blame = visitor.panel.get_by_role("list", name="Who last changed these lines")
    expect(blame).to_contain_text("周然")
    log = visitor.panel.get_by_role("list", name="Commits that changed these lines")
    expect(log).to_contain_text("Retry refunds.")
    visitor.keep_picture("blame")
    assert visitor.complaints == []


def test_a_name_pressed_in_the_code_leads_to_its_uses_and_back(
    billing: Path, worker: Process, visit: Visit
) -> None:
    visitor = _asked(visit)
    name = visitor.panel.locator("[data-name='retry_failed_refund']").first
    expect(name).to_be_visible()
    name.click()
    definitions = visitor.panel.get_by_role("list", name="Defined in")
    expect(definitions).to_contain_text("retry.py")
    uses = visitor.panel.get_by_role("list", name="Used in")
    expect(uses).to_contain_text("nightly.py")
    visitor.keep_picture("uses")
    uses.locator("button", has_text="nightly.py").first.click()
    expect(visitor.panel.locator("h2")).to_contain_text("nightly.py")
    marked = visitor.panel.locator("tr.cited", has_text="retry_failed_refund")
    expect(marked).to_be_visible()
    visitor.keep_picture("further-place")
    visitor.panel.get_by_role("button", name="Back").click()
    expect(uses).to_be_visible()
    visitor.panel.get_by_role("button", name="Back").click()
    expect(visitor.panel.get_by_role("tab", name="Code")).to_be_visible()
    assert visitor.complaints == []


def test_C3_a_deleted_file_still_opens_at_its_commit_and_says_so(
    billing: Path, worker: Process, visit: Visit
) -> None:
    visitor = _asked(visit)
    code.commit(billing, {"refunds/retry.py": None}, summary="Retries moved elsewhere.")
    _index()
    visitor.page.reload()
    changed = visitor.panel.locator(".changed")
    expect(changed).to_contain_text("This file is gone from main")
    expect(visitor.panel.locator("tr.cited").first).to_be_visible()
    visitor.keep_picture("gone")
    assert visitor.complaints == []
