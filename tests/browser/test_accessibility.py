"""An automated accessibility run over every page, in both themes and languages, wide and narrow."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import FRONTEND

if TYPE_CHECKING:
    from kb_agent.repositories.models import Repository
    from tests.browser.conftest import Visit
    from tests.browser.visitor import Visitor
    from tests.flows.harness import Process

AXE = FRONTEND / "node_modules" / "axe-core" / "axe.min.js"
SIZES = [(1440, 960), (390, 844)]


def findings(visitor: Visitor) -> list[str]:
    """What axe has against the page in view: rule and place."""
    visitor.page.evaluate(AXE.read_text())
    found = visitor.page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{violation['id']}: {node['target']} {node['failureSummary']}"
        for violation in found["violations"]
        for node in violation["nodes"]
    ]


def _look(visitor: Visitor, name: str) -> list[str]:
    visitor.settle()
    name = f"{name}-{visitor.sizing}"
    visitor.keep_picture(name)
    overflow = visitor.page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )
    sideways = [f"{name}: scrolls sideways by {overflow} px"] if overflow > 0 else []
    return sideways + [f"{name}: {finding}" for finding in findings(visitor)]


PAGES = {
    "ask": "/",
    "topics": "/topics",
    "nothing": "/topics?q=nothing+of+the+sort",
    "repositories": "/repositories",
    "nowhere": "/nowhere",
    "not-mine": "/topics/999999",
}


def _pages_of(visitor: Visitor, topic: str) -> list[str]:
    visitor.page.goto(topic)
    visitor.read_answer()
    found = _look(visitor, "topic")
    visitor.open_citation()
    expect(visitor.panel.locator("footer")).to_be_visible()
    found += _look(visitor, "evidence")
    for name, path in PAGES.items():
        visitor.page.goto(path)
        expect(visitor.page.locator("h1").first).to_be_visible()
        found += _look(visitor, name)
    visitor.page.context.clear_cookies()
    visitor.page.goto("/sign-in")
    expect(visitor.page.locator("form")).to_be_visible()
    return found + _look(visitor, "sign-in")


@pytest.mark.parametrize("language", ["zh", "en"])
def test_no_page_has_a_finding_in_either_theme_at_either_width(
    shop: Repository, worker: Process, visit: Visit, language: str
) -> None:
    asking = visit(language)
    asking.ask("退款失败后会自动重试吗？" if language == "zh" else "Is a failed refund retried?")
    asking.read_answer()
    topic = asking.page.url
    found: list[str] = []
    for theme, (width, height) in itertools.product(["light", "dark"], SIZES):
        visitor = visit(language, theme=theme, width=width, height=height)
        visitor.sizing = f"{theme}-{width}"
        found += _pages_of(visitor, topic)
    assert found == []
