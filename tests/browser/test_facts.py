"""Facts in the browser: proposed from an answer, edited, rejected with a reason, on a phone in the dark."""

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
    from tests.flows.harness import Process

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
    dialog.get_by_label("The fact").fill("A failed refund is retried three times at most.")
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
