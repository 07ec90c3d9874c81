"""Costs in the browser: an administrator sees a month, sets a price and a budget; others are refused."""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING

from django.utils import timezone
from playwright.sync_api import expect

from kb_agent.accounts.models import User
from tapes import entries, store
from topics import lifecycle
from topics.ledger import rolling
from topics.models.ledger import Call

if TYPE_CHECKING:
    from kb_agent.repositories.models import Repository
    from tests.browser.conftest import Visit
    from tests.browser.visitor import Visitor

DAYS = 40
PURPOSES = ("answer", "answer", "recall", "summary", "facts", "search")
TITLES = {"product": "退款失败后会自动重试吗", "admin": "When a paid order may be cancelled"}


def _call(tape: int, name: str, topic: int | None, began: dict[str, object], price: str) -> None:
    data = {"call": name, "model": "model-large"} | began
    known = {"price": price, "currency": "CNY"} if price else {"price": None}
    usage = {"input": 2_400, "cached": 3_100, "output": 420, "reasoning": 60}
    ended = {"call": name, "status": "ok", "usage": usage} | known
    sources = [1] if topic else []
    first = entries.event("model_call_started", data, topic_id=topic, sources=sources)
    store.append(tape, [first, entries.event("model_call_ended", ended, topic_id=topic)])


def _spend() -> None:
    """What two people and the indexing have used in the last weeks."""
    for name, title in TITLES.items():
        person = User.objects.get(username=name)
        tape = store.create(f"person/{person.pk}/costs").pk
        topic = lifecycle.start(tape_id=tape, owner_id=person.pk, title=title, actor="system")
        for day in range(DAYS):
            for number, purpose in enumerate(PURPOSES[: 3 + day % 4]):
                began: dict[str, object] = {"purpose": purpose, "payer": person.pk}
                price = f"{0.4 + (day * 7 + number) % 5 * 0.31:.2f}"
                _call(tape, f"{name} {day} {number}", topic.pk, began, price)
    system = store.in_use("system/indexing").pk
    for day in range(0, DAYS, 3):
        began = {"purpose": "index", "payer": "company", "model": "embed-zh-small"}
        _call(system, f"index {day} 0", None, began, "")
    today = timezone.now()
    for call in Call.objects.all():
        call.started_at = today - datetime.timedelta(days=int(call.pk.split()[1]))
        call.day = call.started_at.date()
        call.save()
    rolling.catch_up()


def _shown(admin: Visitor, path: str = "/costs?days=30") -> None:
    admin.page.goto(path)
    expect(admin.page.locator(".headline-value").first).to_contain_text("¥")
    expect(admin.page.locator(".stacked g rect").first).to_be_visible()


def test_P11_C10_an_administrator_sees_a_month_and_no_title_they_may_not_read(
    shop: Repository, visit: Visit
) -> None:
    admin, other = visit("en", name="admin"), visit("zh")
    _spend()
    _shown(admin)
    topics = admin.page.get_by_role("region", name="Most expensive topics")
    expect(topics).to_contain_text(TITLES["admin"])
    expect(topics).to_contain_text("topic ")
    expect(topics).not_to_contain_text(TITLES["product"])
    admin.page.get_by_text("Table", exact=True).first.click()
    expect(admin.page.locator(".table-under[open] thead")).to_contain_text("Answering")
    admin.keep_picture("dashboard", full=True)
    admin.page.locator(".cost-bars").get_by_role("button", name="林悦").click()
    admin.page.wait_for_url("**/costs?**person=**")
    for language, theme, width in (("zh", "dark", 1440), ("zh", "light", 390)):
        looking = visit(language, name="admin", theme=theme, width=width)
        _shown(looking)
        looking.keep_picture(f"{language}-{theme}-{width}", full=True)
        assert looking.complaints == []
    other.page.goto("/costs")
    expect(other.page.locator(".state-panel")).to_contain_text("管理员")
    expect(other.page.get_by_role("navigation").first).not_to_contain_text("费用")
    assert admin.complaints == []


def test_P11_an_administrator_sets_a_price_that_past_calls_lack_and_a_budget(
    shop: Repository, visit: Visit
) -> None:
    admin = visit("en", name="admin")
    _spend()
    _shown(admin)
    unpriced = admin.page.get_by_role("region", name="Unknown prices")
    expect(unpriced).to_contain_text("embed-zh-small")
    unpriced.get_by_role("button", name="Set a price").click()
    sheet = admin.page.get_by_role("dialog")
    for label, value in (("Currency", "cny"), ("Input", "0.5"), ("Output", "0.5")):
        sheet.get_by_label(label).fill(value)
    since = (timezone.now() - datetime.timedelta(days=60)).date().isoformat()
    sheet.get_by_label("Holds from").fill(since)
    admin.keep_picture("price")
    sheet.get_by_role("button", name="Save").click()
    expect(unpriced).to_contain_text("Every call in this period has a price.")

    admin.page.get_by_role("link", name="Budgets").click()
    admin.page.get_by_role("button", name="Set a budget").click()
    sheet = admin.page.get_by_role("dialog")
    sheet.get_by_label("In", exact=True).fill("CNY")
    sheet.get_by_label("Limit for a month").fill("40")
    admin.keep_picture("budget")
    sheet.get_by_role("button", name="Save").click()
    expect(admin.page.locator(".budget-list")).to_contain_text("The company")
    admin.keep_picture("budgets", full=True)
    assert admin.complaints == []
