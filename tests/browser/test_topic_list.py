"""The list of topics, the hooks and what others have open, in a browser: with hand and keys, both languages."""

from __future__ import annotations

import itertools
import re
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from kb_agent import tasks
from kb_agent.usecases import people
from tests.api import company
from tests.browser.test_accessibility import findings
from topics import lifecycle
from topics.models import Topic

if TYPE_CHECKING:
    from kb_agent.accounts.models import User
    from kb_agent.repositories.models import Repository
    from tests.browser.conftest import Visit

SIZES = [(1440, 960), (390, 844)]


def _answered(owner: User, title: str, question: str, answer: str, shop: Repository) -> Topic:
    topic = company.opened(owner, title)
    company.answered(topic, question, answer, sources=[shop.pk])
    return topic


def _topics(owner: User, shop: Repository) -> list[Topic]:
    told = [
        ("优惠券叠加规则", "两张券能一起用吗？", "同一类只取最优一张，跨类可叠加。"),
        ("Checks on invoice titles", "Are titles checked?", "Personal titles skip the tax number."),
        ("退款失败后的重试", "退款失败会自动重试吗？", "会，最多 3 次；永久性错误直接转人工。"),
    ]
    found = [_answered(owner, *words, shop) for words in told]
    lifecycle.finalize(found[1].pk, reason="owner", actor=f"person:{owner.pk}")
    return found


def test_topics_are_found_filtered_pinned_renamed_and_finished_by_hand_and_keys(  # noqa: PLR0915
    shop: Repository, visit: Visit
) -> None:
    visitor = visit("en")
    _topics(people.named("product"), shop)
    page = visitor.page
    page.goto("/topics")
    rows = page.locator(".topic-row")
    expect(rows).to_have_count(3)
    expect(rows.first).to_contain_text("shop")
    # Found by words of an answer, in the other script, with a wrong letter.
    page.keyboard.press("/")
    for words in ("永久性", "退款失敗", "两张"):
        page.keyboard.press("ControlOrMeta+A")
        page.keyboard.insert_text(words)
        expect(rows).to_have_count(1)
    page.keyboard.press("ControlOrMeta+A")
    page.keyboard.insert_text("invioce")
    expect(page.get_by_text("These hold similar ones")).to_be_visible()
    expect(rows).to_have_count(1)
    visitor.keep_picture("similar")
    page.locator("[data-search]").fill("")
    expect(rows).to_have_count(3)
    page.get_by_label("Status", exact=True).select_option("finalized")
    expect(rows).to_have_count(1)
    expect(page).to_have_url(re.compile("status=finalized"))
    page.get_by_label("Status", exact=True).select_option("")
    page.get_by_role("button", name="Shared with me").click()
    expect(page.get_by_text("No such topic")).to_be_visible()
    page.get_by_role("button", name="All", exact=True).click()
    expect(rows).to_have_count(3)
    page.get_by_role("button", name="Keep at the top: 优惠券叠加规则").click()
    expect(page.locator(".pinned .topic-row")).to_have_count(1)
    expect(rows).to_have_count(3)
    page.get_by_role("button", name="Rename: 退款失败后的重试").click()
    page.get_by_role("textbox", name="Title").fill("Retries of refunds")
    page.get_by_role("button", name="Rename", exact=True).click()
    expect(page.get_by_role("link", name="Retries of refunds")).to_be_visible()
    # J goes down, X selects, the bar says what will be finished and asks once.
    page.locator("h1").click()
    for key in "jxjjx":
        page.keyboard.press(key)
    expect(page.get_by_text("2 selected")).to_be_visible()
    visitor.keep_picture("selected")
    page.get_by_role("button", name="Finish 2 topics").click()
    page.get_by_role("dialog").get_by_role("button", name="Finish", exact=True).click()
    expect(page.get_by_text("2 finished")).to_be_visible()
    expect(page.locator(".tag.info")).to_have_count(0)
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/topics/\d+"))
    assert visitor.complaints == []


def test_P4_an_administrator_sees_hooks_and_switches_one_off(visit: Visit) -> None:
    visitor = visit("zh", name="admin")
    page = visitor.page
    page.goto("/administration/hooks")
    expect(page.get_by_text("先结束这条纸带上还开着的主题。")).to_be_visible()
    expect(page.locator(".hook-row").first).to_contain_text("必需")
    switch = page.get_by_role("switch").first
    expect(switch).to_have_attribute("aria-checked", "true")
    switch.click()
    expect(switch).to_have_attribute("aria-checked", "false")
    expect(page.get_by_text("陈默 于 ")).to_be_visible()
    page.reload()
    expect(page.get_by_role("switch").first).to_have_attribute("aria-checked", "false")
    assert visitor.complaints == []


def test_P6_an_administrator_finishes_what_somebody_left_open_without_reading_it(
    shop: Repository, visit: Visit
) -> None:
    visitor = visit("en", name="admin")
    _topics(people.named("product"), shop)
    page = visitor.page
    page.goto("/administration/open-topics")
    rows = page.locator(".hook-row")
    expect(rows).to_have_count(2)
    expect(page.get_by_text("优惠券")).to_have_count(0)
    rows.first.get_by_role("button").click()
    expect(rows).to_have_count(1)
    assert visitor.complaints == []


def test_P6_a_topic_nobody_touched_is_said_to_be_closed_automatically(
    shop: Repository, visit: Visit
) -> None:
    visitor = visit("zh")
    _topics(people.named("product"), shop)
    Topic.objects.filter(title="优惠券叠加规则").update(
        last_activity_at=timezone.now() - timedelta(days=8)
    )
    tasks.finalize_idle()
    page = visitor.page
    page.goto("/topics?status=aborted")
    rows = page.locator(".topic-row")
    expect(rows).to_have_count(1)
    expect(rows.first).to_contain_text("自动结束")
    rows.first.get_by_role("link", name="优惠券叠加规则").click()
    expect(page.locator(".topic-end")).to_be_visible()
    assert visitor.complaints == []


def test_hooks_are_no_page_for_members(visit: Visit) -> None:
    visitor = visit("en")
    visitor.page.goto("/administration/hooks")
    expect(visitor.page.get_by_text("Only administrators see and switch hooks.")).to_be_visible()


@pytest.mark.timeout(600)
@pytest.mark.parametrize("language", ["zh", "en"])
def test_none_of_these_pages_has_a_finding_in_either_theme_at_either_width(
    shop: Repository, visit: Visit, language: str
) -> None:
    found: list[str] = []
    pages = {
        "topics": "/topics",
        "hooks": "/administration/hooks",
        "open": "/administration/open-topics",
    }
    for theme, (width, height) in itertools.product(["light", "dark"], SIZES):
        visitor = visit(language, name="lead", theme=theme, width=width, height=height)
        lead = people.named("lead")
        if not lead.topics.exists():
            _topics(lead, shop)
        for name, path in pages.items():
            visitor.page.goto(path)
            expect(visitor.page.locator("[data-row]").first).to_be_visible()
            visitor.settle()
            visitor.keep_picture(f"{name}-{theme}-{width}")
            overflow = visitor.page.evaluate(
                "document.documentElement.scrollWidth - document.documentElement.clientWidth"
            )
            if overflow > 0:
                found.append(f"{name} {theme} {width}: sideways by {overflow}")
            found += [f"{name} {theme} {width}: {each}" for each in findings(visitor)]
    assert found == []
