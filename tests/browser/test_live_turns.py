"""Turns as they run: steps before the answer, reload, stop, the queue, and topics that follow one another."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from kb_agent.llm import scripted
from kb_agent.llm.script import Reply, calls, says

if TYPE_CHECKING:
    from kb_agent.repositories.models import Repository
    from tests.browser.conftest import Visit
    from tests.flows.harness import StartWorker

Model = Callable[..., None]

SLOW = (
    "Yes, a failed refund is retried several times. [e1] "
    + "And then some more is said about it. " * 12
)
QUICK = "**Yes**, as the code says. [e1]"
SLOW_STOP = 20_000
"""Milliseconds that a busy machine may take; the answer that is stopped would have ended otherwise."""


@pytest.fixture
def model(start_worker: StartWorker) -> Iterator[Model]:
    """`model(calls(…), says(…))`: a worker whose model gives these answers in order."""
    with ExitStack() as stack:

        def start(*replies: Reply) -> None:
            server = stack.enter_context(scripted.serve(*replies))
            start_worker(
                KB_AGENT_LLM_BASE_URL=server.url,
                KB_AGENT_LLM_API_KEY="none",
                KB_AGENT_LLM_MODEL="scripted",
            )

        yield start


def searching(seconds: float = 0.0) -> Reply:
    """The model's first step of these tests."""
    return calls("search_code", queries=["refund retry"]).slowly(seconds)


def test_steps_are_seen_before_the_answer_and_the_answer_while_it_is_written(
    shop: Repository, model: Model, visit: Visit
) -> None:
    model(searching(0.5), says(SLOW).slowly(1.5, between=0.1))
    visitor = visit("en")
    visitor.note_order()
    visitor.ask("Is a failed refund retried by itself?")
    expect(visitor.steps.filter(has_text="Searched code for")).to_be_visible(timeout=20_000)
    expect(visitor.page.locator(".status-line")).to_contain_text("step")
    expect(visitor.page.locator(".answer.writing")).to_contain_text("Yes", timeout=20_000)
    expect(visitor.page.locator(".answer.writing .citation")).to_have_count(1)
    visitor.keep_picture("writing")
    visitor.read_answer()
    assert visitor.seen() == ["step", "writing", "answer"]
    expect(visitor.page.locator(".sources li")).to_have_count(1)
    expect(visitor.page.locator(".status-line")).to_have_count(0)
    assert visitor.complaints == []


def test_R4_a_reload_in_the_middle_of_a_turn_loses_nothing(
    shop: Repository, model: Model, visit: Visit
) -> None:
    model(searching(), says(SLOW).slowly(0.5, between=0.15))
    visitor = visit("en")
    visitor.ask("Is a failed refund retried by itself?")
    expect(visitor.page.locator(".answer.writing")).to_contain_text("And then", timeout=20_000)
    visitor.page.reload()
    expect(visitor.steps.filter(has_text="Searched code for")).to_be_visible()
    # What was written before the reload is there again, from its first word.
    expect(visitor.page.locator(".answer.writing")).to_contain_text(
        "Yes, a failed refund is retried"
    )
    answer = visitor.read_answer()
    assert answer.inner_text().count("And then some more is said about it.") == 12
    assert visitor.turns.count() == 1
    before = visitor.turns.all_inner_texts()
    visitor.page.reload()
    visitor.read_answer()
    assert visitor.turns.all_inner_texts() == before


def test_A8_a_running_turn_stops_on_a_press_and_keeps_what_it_had(
    shop: Repository, model: Model, visit: Visit
) -> None:
    model(searching(), says(SLOW).slowly(0.2, between=0.3))
    visitor = visit("en")
    visitor.ask("Is a failed refund retried by itself?")
    expect(visitor.page.locator(".answer.writing")).to_contain_text("Yes", timeout=20_000)
    visitor.page.locator(".status-line button").click()
    expect(visitor.page.locator(".ending")).to_contain_text("Stopped", timeout=SLOW_STOP)
    expect(visitor.page.locator(".status-line")).to_have_count(0)
    expect(visitor.answers.first).to_contain_text("Yes")
    expect(visitor.page.locator(".answer .tag")).to_contain_text(["Partial answer"])
    visitor.keep_picture("stopped")


def test_A8_escape_twice_stops_too(shop: Repository, model: Model, visit: Visit) -> None:
    model(searching(), says(SLOW).slowly(0.2, between=0.3))
    visitor = visit("en")
    visitor.ask("Is a failed refund retried by itself?")
    expect(visitor.page.locator(".answer.writing")).to_contain_text("Yes", timeout=20_000)
    visitor.page.keyboard.press("Escape")
    visitor.page.keyboard.press("Escape")
    expect(visitor.page.locator(".ending")).to_contain_text("Stopped", timeout=SLOW_STOP)


def test_A8_a_second_question_waits_its_turn_and_says_where_it_stands(
    shop: Repository, model: Model, visit: Visit
) -> None:
    model(searching(), says(SLOW).slowly(1, between=0.1), searching(), says(QUICK))
    visitor = visit("en")
    visitor.ask("Is a failed refund retried by itself?")
    expect(visitor.page.locator(".consequence")).to_contain_text(
        "Waits until the running turn ends"
    )
    visitor.ask("And who is told when it gives up?")
    expect(visitor.page.locator(".turn.waiting")).to_contain_text("1st in the queue")
    visitor.keep_picture("queue")
    visitor.read_answer(1)
    expect(visitor.page.locator(".turn.waiting")).to_have_count(0)


def test_A8_a_message_added_to_a_running_turn_is_shown_inside_it(
    shop: Repository, model: Model, visit: Visit
) -> None:
    model(searching(), searching(4), says(QUICK))
    visitor = visit("en")
    visitor.ask("Is a failed refund retried by itself?")
    expect(visitor.steps.filter(has_text="Searched code for").first).to_be_visible(timeout=20_000)
    visitor.page.get_by_role("button", name="Add it to the running turn").click()
    visitor.question.fill("I mean after a time-out")
    visitor.question.press("Enter")
    expect(visitor.page.locator(".added")).to_contain_text("I mean after a time-out")
    visitor.read_answer()
    expect(visitor.page.locator(".added")).to_contain_text("Added while the turn ran")
    assert visitor.turns.count() == 1


def test_P6_a_second_topic_finds_the_first_one_finalized_in_the_list(
    shop: Repository, model: Model, visit: Visit
) -> None:
    model(searching(), says(QUICK), searching(), says(QUICK))
    visitor = visit("en")
    visitor.ask("Is a failed refund retried by itself?")
    visitor.read_answer()
    visitor.new_topic()
    expect(visitor.page.locator(".consequence")).to_contain_text(
        "finishes the open one, “Is a failed"
    )
    visitor.keep_picture("finishes-the-open-one")
    visitor.ask("Who may cancel a paid order?")
    visitor.read_answer()
    visitor.page.locator("nav.side .nav a", has_text="Topics").click()
    first = visitor.page.locator(".topic-row", has_text="Is a failed refund")
    expect(first.locator(".tag")).to_have_text("Closed automatically")
    expect(
        visitor.page.locator(".topic-row", has_text="Who may cancel").locator(".tag")
    ).to_have_text("Open")
    visitor.settle()
    visitor.keep_picture("topics")
    visitor.page.locator("[data-search]").fill("cancel")
    expect(visitor.page.locator(".topic-row")).to_have_count(1)
    assert "q=cancel" in visitor.page.url
    assert visitor.complaints == []


def test_P6_keep_it_open_leaves_the_first_topic_open(
    shop: Repository, model: Model, visit: Visit
) -> None:
    model(searching(), says(QUICK), searching(), says(QUICK))
    visitor = visit("en")
    visitor.ask("Is a failed refund retried by itself?")
    visitor.read_answer()
    visitor.new_topic()
    visitor.page.get_by_role("button", name="Keep it open").click()
    expect(visitor.page.locator(".consequence")).to_contain_text("stays open")
    visitor.ask("Who may cancel a paid order?")
    visitor.read_answer()
    visitor.page.goto("/topics?status=open")
    expect(visitor.page.locator(".topic-row")).to_have_count(2)


def test_P5_a_question_to_a_finished_topic_goes_on_in_a_new_one(
    shop: Repository, model: Model, visit: Visit
) -> None:
    model(searching(), says(QUICK), searching(), says(QUICK))
    visitor = visit("en")
    visitor.ask("Is a failed refund retried by itself?")
    visitor.read_answer()
    visitor.page.get_by_role("button", name="Finish topic").click()
    expect(visitor.page.locator(".topic-end")).to_contain_text("Finished by its owner")
    expect(visitor.page.locator(".consequence")).to_contain_text(
        "starts a new one that continues it"
    )
    before = visitor.page.url
    visitor.question.fill("And who is told when it gives up?")
    visitor.question.press("Enter")
    expect(visitor.page).not_to_have_url(re.compile(re.escape(before)))
    expect(visitor.page.locator(".topic-note")).to_contain_text("continues it here")
    visitor.read_answer()


def test_R4_offline_is_said_and_the_answer_goes_on_after_it(
    shop: Repository, model: Model, visit: Visit
) -> None:
    model(searching(), says(SLOW).slowly(0.5, between=0.15))
    visitor = visit("en")
    visitor.ask("Is a failed refund retried by itself?")
    expect(visitor.page.locator(".answer.writing")).to_contain_text("Yes", timeout=20_000)
    visitor.page.context.set_offline(True)
    expect(visitor.page.locator(".notice")).to_contain_text("Offline")
    visitor.keep_picture("offline")
    visitor.page.wait_for_timeout(2_000)
    visitor.page.context.set_offline(False)
    expect(visitor.page.locator(".notice")).to_have_count(0)
    answer = visitor.read_answer()
    assert answer.inner_text().count("And then some more is said about it.") == 12


def test_the_page_keeps_the_first_sentence_in_sight_while_a_long_answer_is_written(
    shop: Repository, model: Model, visit: Visit
) -> None:
    model(searching(), says("First of all: yes. [e1]\n\n" + "More.\n\n" * 60).slowly(between=0.02))
    visitor = visit("en", height=700)
    visitor.ask("Is a failed refund retried by itself?")
    visitor.read_answer()
    expect(visitor.answers.first).to_contain_text("First of all")
    top = visitor.page.evaluate("document.querySelector('.answer p').getBoundingClientRect().top")
    assert 0 < top < 500
    assert visitor.page.evaluate("document.documentElement.scrollHeight") > 2_000
