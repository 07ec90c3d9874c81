"""The vocabulary in the browser: corrected by a reviewer, it lets a Chinese question find code."""

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

GREENWAY = '''\
"""Consignments that pass the depot first."""

DEADLINE_HOURS = 4


def expedited_consignment_deadline(consignment):
    """Hours until an expedited consignment has to have left the depot."""
    return consignment.received_at + DEADLINE_HOURS
'''
LEDGER = '''\
def close_month(ledger):
    """Close the books of one month."""
    return ledger.totals()
'''
LABELS = """\
from django.db import models


class Status(models.TextChoices):
    AWAITING_SETTLEMENT = "awaiting_settlement", "待清算"
    REVERSED = "reversed", "已冲正"
"""
QUESTION = "绿通单要在几点之前发走？"


@pytest.fixture
def depot(committed_database: None, tmp_path: Path) -> Repository:
    """Code whose own words nobody in the office uses."""
    files = {
        "depot/consignments.py": GREENWAY,
        "depot/ledger.py": LEDGER,
        "depot/status.py": LABELS,
    }
    group, _ = Group.objects.get_or_create(name="product")
    return shops.indexed("depot", files, group=group, place=tmp_path / "depot")


def _add(reviewer: Visitor, word: str, code: str) -> None:
    reviewer.page.get_by_role("button", name="添加词汇").click()
    reviewer.page.get_by_label("业务词", exact=True).fill(word)
    reviewer.page.get_by_label("代码词", exact=True).fill(code)
    reviewer.page.get_by_role("button", name="保存").click()
    expect(reviewer.page.get_by_role("dialog")).to_have_count(0)


def test_C5_a_word_added_in_the_browser_lets_a_chinese_question_find_english_code(
    depot: Repository, worker: Process, visit: Visit
) -> None:
    reviewer = visit("zh", name="reviewer")
    reviewer.ask(QUESTION)
    reviewer.read_answer()
    expect(reviewer.page.locator(".not-found")).to_contain_text("代码里没有找到")
    reviewer.keep_picture("not-found")
    reviewer.page.get_by_role("link", name="加一个业务词汇").click()
    expect(reviewer.page.get_by_role("heading", name="业务词汇")).to_be_visible()
    reviewer.page.goto("/vocabulary")
    _add(reviewer, "绿通单", "expedited_consignment")
    row = reviewer.page.locator(".term-row", has_text="绿通单")
    expect(row.locator(".tag")).to_have_text("人工添加")
    reviewer.keep_picture("added")

    reviewer.page.goto("/")
    reviewer.ask(QUESTION)
    reviewer.read_answer()
    expect(reviewer.page.locator(".sources").first).to_contain_text("consignments.py")
    reviewer.keep_picture("found")

    reviewer.page.goto("/vocabulary?q=绿通单")
    row.get_by_role("button", name="撤销").click()
    expect(row).to_have_count(0)
    assert reviewer.complaints == []


def test_why_a_word_maps_is_shown_with_its_lines_and_a_wrong_pair_is_switched_off(
    depot: Repository, visit: Visit
) -> None:
    reviewer = visit("zh", name="reviewer")
    reviewer.page.goto("/vocabulary?q=settlement")
    row = reviewer.page.locator(".term-row", has_text="清算").first
    expect(row).to_be_visible()
    row.get_by_role("button", name="为什么").click()
    example = row.locator(".examples button").first
    expect(example).to_contain_text("depot/depot/status.py:5")
    reviewer.keep_picture("why")
    example.click()
    dialog = reviewer.page.get_by_role("dialog")
    expect(dialog.locator("tr.cited")).to_contain_text("AWAITING_SETTLEMENT")
    reviewer.keep_picture("code")
    dialog.get_by_role("button", name="关闭").click()
    row.get_by_role("button", name="停用").click()
    off = reviewer.page.locator(".term-row[data-state=suppressed]", has_text="清算").first
    expect(off.locator(".tag")).to_have_text("已停用")
    off.get_by_role("button", name="撤销").click()
    expect(reviewer.page.locator(".term-row[data-state=suppressed]")).to_have_count(0)
    assert reviewer.complaints == []


def test_a_member_is_told_who_keeps_the_vocabulary_and_is_not_led_there(
    depot: Repository, visit: Visit
) -> None:
    member = visit("en")
    expect(member.page.locator("nav.side")).not_to_contain_text("Vocabulary")
    member.page.goto("/vocabulary")
    expect(member.page.locator(".state-panel")).to_contain_text("This is not open to you")
