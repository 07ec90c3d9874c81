"""Repositories in the browser: added, watched, cancelled, granted, described, and removed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib.auth.models import Group
from playwright.sync_api import expect

from tests.browser import code
from tests.browser.conftest import ROOT

if TYPE_CHECKING:
    from pathlib import Path

    from kb_agent.repositories.models import Repository
    from tests.browser.conftest import Visit
    from tests.browser.visitor import Visitor
    from tests.flows.harness import Process

INDEX_MILLISECONDS = 120_000
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


def _add(admin: Visitor, name: str, source: Path) -> None:
    admin.page.goto("/repositories")
    admin.page.get_by_role("button", name="Add a repository").click()
    admin.page.get_by_label("Name", exact=True).fill(name)
    admin.page.get_by_label("Source", exact=True).fill(str(source))
    admin.page.get_by_role("button", name="Add and index").click()


def test_C3_a_repository_added_in_the_browser_shows_its_progress_and_can_be_cancelled(
    keeper: Process, visit: Visit
) -> None:
    admin = visit("en", name="admin")
    _add(admin, "kb-agent", ROOT)
    row = admin.page.locator(".pick-row", has_text="kb-agent")
    detail = admin.page.locator(".pick-detail")
    expect(detail.get_by_role("progressbar")).to_be_visible(timeout=INDEX_MILLISECONDS)
    expect(row).to_contain_text("files")
    admin.keep_picture("indexing")
    detail.get_by_role("button", name="Cancel indexing").click()
    expect(detail.get_by_role("button", name="Index now")).to_be_visible(timeout=30_000)
    expect(detail.get_by_role("progressbar")).to_have_count(0)
    admin.keep_picture("cancelled")
    assert admin.complaints == []


def test_C7_a_grant_given_in_the_browser_lets_its_people_find_the_code(
    keeper: Process, visit: Visit, tmp_path: Path
) -> None:
    Group.objects.get_or_create(name="product")
    code.commit(tmp_path / "billing", {"refunds/retry.py": RETRY}, summary="Retry refunds.")
    admin = visit("en", name="admin")
    _add(admin, "billing", tmp_path / "billing")
    row = admin.page.locator(".pick-row", has_text="billing")
    expect(row).to_contain_text("Fresh", timeout=INDEX_MILLISECONDS)
    expect(admin.page.locator(".pick-detail")).to_contain_text("You look after it")

    reader = visit("en")
    reader.page.goto("/repositories")
    expect(reader.page.locator(".state-panel")).to_contain_text("No repository is open to you")

    admin.page.get_by_role("button", name="Grants").click()
    dialog = admin.page.get_by_role("dialog")
    expect(dialog.locator("label", has_text="product")).to_contain_text("3 people")
    dialog.get_by_label("product").check()
    admin.keep_picture("grants")
    dialog.get_by_role("button", name="Save").click()
    expect(admin.page.locator(".pick-detail .tags")).to_contain_text("product")

    reader.page.goto("/")
    reader.ask("How often is a failed refund tried again?")
    reader.read_answer()
    expect(reader.page.locator(".sources")).to_contain_text("retry.py")
    assert admin.complaints == []
    assert reader.complaints == []


def test_a_refusal_stands_beside_its_field_in_the_language_of_the_page(
    shop: Repository, visit: Visit
) -> None:
    admin = visit("zh", name="admin")
    admin.page.goto("/repositories")
    admin.page.get_by_role("button", name="添加仓库").click()
    form = admin.page.get_by_role("dialog")
    form.get_by_label("名称", exact=True).fill("secret")
    form.get_by_label("来源", exact=True).fill("https://me:token@git.example.com/x.git")
    admin.page.get_by_role("button", name="添加并索引").click()
    expect(admin.page.get_by_role("alert")).to_have_text("凭据不能写在地址里，请填在下面。")
    expect(form.get_by_label("来源", exact=True)).to_have_attribute("aria-invalid", "true")
    admin.keep_picture("refused")
    form.get_by_label("名称", exact=True).fill("shop")
    form.get_by_label("来源", exact=True).fill("https://git.example.com/x.git")
    admin.page.get_by_role("button", name="添加并索引").click()
    expect(admin.page.get_by_role("alert")).to_have_text("已经有这个名字了。")


def test_an_administrator_describes_schedules_and_removes_a_repository(
    shop: Repository, keeper: Process, visit: Visit
) -> None:
    admin = visit("en", name="admin")
    admin.page.goto("/repositories")
    detail = admin.page.locator(".pick-detail")
    detail.get_by_role("button", name="Edit the description").click()
    detail.get_by_label("What staff call it, in Chinese").fill("网店：下单、退款、配送")
    detail.get_by_label("What staff call it, in English").fill(
        "The shop: orders, refunds, delivery"
    )
    detail.get_by_role("button", name="Save").click()
    expect(detail.locator(".description")).to_contain_text("The shop: orders, refunds, delivery")
    detail.get_by_label("Fetch by itself").select_option(label="Every 15 minutes")
    detail.get_by_label("Answers for the whole company").check()
    detail.get_by_role("button", name="Set up").click()
    dialog = admin.page.get_by_role("dialog")
    expect(dialog).to_contain_text("/api/webhooks/github/")
    admin.keep_picture("webhook")
    dialog.get_by_role("button", name="Close").click()
    expect(detail).to_contain_text("On: a push to a followed branch is fetched at once.")
    admin.page.reload()
    expect(detail.get_by_label("Fetch by itself")).to_have_value("15")
    expect(detail.get_by_label("Answers for the whole company")).to_be_checked()
    detail.get_by_role("button", name="Remove the repository").click()
    admin.page.get_by_role("dialog").get_by_role("button", name="Remove the repository").click()
    expect(admin.page.locator(".state-panel")).to_contain_text("No repositories yet")
    assert admin.complaints == []


def test_files_left_out_are_counted_by_reason_and_listed(
    own_source: Repository, visit: Visit
) -> None:
    visitor = visit("en")
    visitor.page.goto("/repositories")
    left_out = visitor.page.locator(".left-out")
    expect(left_out).to_contain_text("Generated")
    visitor.keep_picture("detail", full=True)
    left_out.get_by_role("button", name="Generated").click()
    dialog = visitor.page.get_by_role("dialog")
    expect(dialog.locator(".path-list")).to_contain_text("frontend/package-lock.json")
    visitor.keep_picture("left-out")
    expect(visitor.page.get_by_role("button", name="Index now")).to_have_count(0)
