"""Evaluation in the browser: a set is written, its bad line named, run, and its figures shown."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from playwright.sync_api import expect

if TYPE_CHECKING:
    from kb_agent.repositories.models import Repository
    from tests.browser.conftest import Visit
    from tests.flows.harness import Process

RUN_MILLISECONDS = 60_000


def _line(number: int, question: str, path: str) -> str:
    gold = [{"repo": "shop", "path": path}]
    return json.dumps({"id": str(number), "question": question, "gold": gold}, ensure_ascii=False)


QUESTIONS = [
    _line(1, "退款失败后会自动重试吗？", "shop/payments/retry.py"),
    _line(2, "Who may cancel a paid order?", "shop/orders/cancellation.py"),
    _line(3, "How is the delivery fee decided?", "shop/no/such/file.py"),
]


def test_C9_questions_with_known_places_are_kept_run_and_shown_with_their_trend(
    shop: Repository, keeper: Process, visit: Visit
) -> None:
    reviewer = visit("en", name="reviewer")
    reviewer.page.goto("/evaluation")
    expect(reviewer.page.locator(".state-panel")).to_contain_text("No sets yet")
    reviewer.page.get_by_role("button", name="Add a set").click()
    reviewer.page.get_by_label("Name", exact=True).fill("What people ask")
    lines = reviewer.page.get_by_label("one JSON object a line")
    lines.fill("\n".join([QUESTIONS[0], '{"question": oops}']))
    reviewer.page.get_by_role("button", name="Save").click()
    expect(reviewer.page.get_by_role("alert")).to_have_text("Line 2 is not a JSON object.")
    expect(reviewer.page.locator(".bad-line")).to_have_text('{"question": oops}')
    reviewer.keep_picture("bad-line")
    lines.fill("\n".join(QUESTIONS))
    reviewer.page.get_by_role("button", name="Save").click()

    detail = reviewer.page.locator(".pick-detail")
    expect(detail.locator(".question-list li")).to_have_count(3)
    for runs in (1, 2):
        detail.get_by_role("button", name="Run now").click()
        expect(detail.get_by_label("Runs", exact=True).locator("tbody tr")).to_have_count(
            runs, timeout=RUN_MILLISECONDS
        )
        expect(detail.get_by_role("button", name="Run now")).to_be_enabled(timeout=RUN_MILLISECONDS)
    expect(detail.locator(".series.s1 circle")).to_have_count(2)
    missed = detail.locator(".question-list li", has_text="delivery fee")
    expect(missed).to_contain_text("Missed")
    expect(missed).to_contain_text("Came first")
    reviewer.keep_picture("run", full=True)
    assert reviewer.complaints == []
