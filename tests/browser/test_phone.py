"""On a phone every page is one or two presses away, whatever roles somebody holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

if TYPE_CHECKING:
    from tests.browser.conftest import Visit

PLACES = 5


def test_what_does_not_fit_into_the_bar_is_in_the_sheet_behind_more(visit: Visit) -> None:
    visitor = visit("en", name="lead", width=360, height=780)
    page = visitor.page
    bar = page.locator("nav.tab-bar")
    expect(bar.locator("a, button")).to_have_count(PLACES)
    bar.get_by_role("button", name="More").click()
    sheet = page.get_by_role("dialog", name="More")
    expect(sheet.get_by_role("link")).to_have_text(
        ["Repositories", "Vocabulary", "Evaluation", "Costs", "Upkeep of topics"]
    )
    visitor.keep_picture("more")
    sheet.get_by_role("link", name="Costs").click()
    page.wait_for_url("**/costs")
    expect(sheet).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_a_member_has_the_whole_bar_without_more(visit: Visit) -> None:
    page = visit("zh", width=360, height=780).page
    bar = page.locator("nav.tab-bar")
    expect(bar.get_by_role("link")).to_have_count(PLACES)
    expect(bar.get_by_role("button")).to_have_count(0)
