"""An automated accessibility run over every page, in both themes and languages, wide and narrow."""

from __future__ import annotations

import itertools
import json
import shutil
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from kb_agent.repositories.evaluation import evaluating
from kb_agent.repositories.models.evaluation import Evaluation
from kb_agent.usecases import evaluation, people, upkeep
from tests.browser import code
from tests.browser.conftest import FRONTEND

if TYPE_CHECKING:
    from pathlib import Path

    from kb_agent.repositories.models import Repository
    from tests.browser.conftest import Visit
    from tests.browser.visitor import Visitor
    from tests.flows.harness import Process

AXE = FRONTEND / "node_modules" / "axe-core" / "axe.min.js"
SIZES = [(1440, 960), (390, 844)]
WHOLE_WALK_SECONDS = 600


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


KEPT_PAGES = {
    "kept-repositories": "/repositories?repository={shop}",
    "failed-repository": "/repositories?repository={notify}",
    "repository-list": "/repositories",
    "vocabulary": "/vocabulary",
    "evaluation": "/evaluation?set=1",
}


def _walk(visitor: Visitor, pages: dict[str, str]) -> list[str]:
    found: list[str] = []
    for name, path in pages.items():
        visitor.page.goto(path)
        expect(visitor.page.locator("h1").first).to_be_visible()
        found += _look(visitor, name)
    return found


def _pages_of(visitor: Visitor, topic: str) -> list[str]:
    visitor.page.goto(topic)
    visitor.read_answer()
    found = _look(visitor, "topic")
    visitor.open_citation()
    expect(visitor.panel.locator("footer")).to_be_visible()
    found += _look(visitor, "evidence")
    visitor.panel.locator("[data-face=outline]").click()
    expect(visitor.panel.locator(".outline li").first).to_be_visible()
    found += _look(visitor, "outline")
    found += _walk(visitor, PAGES)
    visitor.page.context.clear_cookies()
    visitor.page.goto("/sign-in")
    expect(visitor.page.locator("form")).to_be_visible()
    return found + _look(visitor, "sign-in")


@pytest.mark.timeout(WHOLE_WALK_SECONDS)
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


def _company(shop: Repository, tmp_path: Path) -> dict[str, int]:
    """Beside the fresh shop: a repository whose source is gone, one that waits, and a measured set."""
    code.commit(tmp_path / "notify", {"sms.py": "def send(text): ...\n"}, summary="First.")
    notify = upkeep.add("notify", str(tmp_path / "notify"), groups=["product"])
    upkeep.index(["notify"])
    shutil.move(tmp_path / "notify", tmp_path / "gone")
    upkeep.index(["notify"])
    upkeep.add("promo", str(tmp_path / "gone"), groups=["product"])
    places = {
        "退款失败后会自动重试吗？": "shop/payments/retry.py",
        "Who may cancel a paid order?": "shop/orders/cancellation.py",
        "Which colour has the delivery van?": "shop/shipping/carriers.py",
    }
    lines = [
        json.dumps({"question": question, "gold": [{"repo": shop.name, "path": path}]})
        for question, path in places.items()
    ]
    kept = evaluation.add(people.named("lead"), "What people ask", "\n".join(lines))
    row = Evaluation.objects.get(pk=kept.id)
    for _ in range(3):
        evaluating.run(evaluating.queue(row, "index").pk, seconds=60)
    return {"shop": shop.pk, "notify": notify.pk}


@pytest.mark.timeout(WHOLE_WALK_SECONDS)
@pytest.mark.parametrize("language", ["zh", "en"])
def test_no_page_of_those_who_look_after_code_has_a_finding(
    shop: Repository, visit: Visit, tmp_path: Path, language: str
) -> None:
    numbers = _company(shop, tmp_path)
    pages = {name: path.format(**numbers) for name, path in KEPT_PAGES.items()}
    found: list[str] = []
    for theme, (width, height) in itertools.product(["light", "dark"], SIZES):
        visitor = visit(language, name="lead", theme=theme, width=width, height=height)
        visitor.sizing = f"{theme}-{width}"
        found += _walk(visitor, pages)
    assert found == []
