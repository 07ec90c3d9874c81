"""A person asks about code and reads the answer; the tape's text says what each kind of topic is."""

from __future__ import annotations

import threading
from textwrap import dedent
from typing import TYPE_CHECKING, Any

import pytest

from kb_agent.llm import endpoints, scripted
from kb_agent.llm.script import Turn, calls, says
from tests.agent.stories import story
from tests.flows.person import Person

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kb_agent.accounts.models import User
    from kb_agent.llm.scripted import ScriptedServer

pytestmark = pytest.mark.usefixtures("a_worker")

SEARCH = calls("search_code", queries=["退款 重试"])
ANSWER = says("会, 最多重试 3 次。[e1]")


@pytest.fixture
def model(shop: Any) -> Iterator[ScriptedServer]:
    """The model the company has set up; a test adds what it will answer."""
    with scripted.serve() as server:
        endpoints.add("scripted", base_url=server.url, model="m")
        yield server


def scripted_for(server: ScriptedServer, *turns: Turn) -> None:
    """What the model will answer, in order."""
    server.add(*turns)


def expected(text: str) -> str:
    """A story as it is written down in a test."""
    return dedent(text).strip()


def test_P5_a_common_topic_is_asked_followed_up_and_finished(
    mei: User, model: ScriptedServer
) -> None:
    person = Person(mei)
    scripted_for(model, SEARCH, ANSWER, says("运营会收到通知。"))
    first = person.is_answered("退款失败后会自动重试吗?")
    person.is_answered("然后呢?", topic=first["topic"]["id"])
    assert person.finishes(first["topic"])["status"] == "finalized"
    assert story(first["topic"]["tape"]) == expected("""
        message user: 退款失败后会自动重试吗?
        event turn_started {"attempt": 1}
        event model_call_started
        event model_call_ended ok
        tool_call search_code {"queries": ["退款 重试"]}
        tool_result search_code: lands in: shop
        event model_call_started
        event model_call_ended ok
        message assistant: 会, 最多重试 3 次。[e1]
        event turn_ended {"reason": "", "status": "done"}
        event fork_merged
        message user: 然后呢?
        event turn_started {"attempt": 1}
        event model_call_started
        event model_call_ended ok
        message assistant: 运营会收到通知。
        event turn_ended {"reason": "", "status": "done"}
        event fork_merged
        anchor topic_finalized {"reason": "owner", "status": "finalized", "summary": "问：退款失败后会自动重试吗?答：会, 最多重试 3 次。问：然后呢?答：运营会收到通知。出处：shop payments/retry.py。", "title": "退款失败后会自动重试吗?"}
    """)


def test_A5_a_citation_opens_at_its_lines_at_the_commit(mei: User) -> None:
    person = Person(mei)
    answered = person.is_answered("退款失败后会自动重试吗?")
    citation = answered["answer"]["meta"]["citations"][0]
    assert citation["path"] == "payments/retry.py"
    opened = person.sees(f"/api/evidence/{citation['evidence_id']}", context=1)
    assert (opened["valid"], opened["changed_since"], opened["missing"]) == (True, False, False)
    cited = [line["text"] for line in opened["lines"] if line["cited"]]
    assert "def retry_failed(refund, now):" in cited
    listed = person.sees("/api/topics")["results"][0]
    assert listed["citation_count"] == len(answered["answer"]["meta"]["citations"])
    assert "shop" in listed["answer"]["text"]


def test_a_question_in_english_is_answered_in_english(mei: User) -> None:
    answered = Person(mei).is_answered("Is a failed refund retried by itself?")
    assert answered["answer"]["meta"]["citations"][0]["path"] == "payments/retry.py"
    assert "No language model is connected" in answered["answer"]["payload"]["content"]


def test_C7_someone_without_a_grant_finds_nothing_and_learns_no_name(gao: User) -> None:
    person = Person(gao)
    answered = person.is_answered("退款失败后会自动重试吗?")
    entries = str(person.sees(f"/api/topics/{answered['topic']['id']}/entries"))
    assert answered["turn"]["status"] == "done"
    assert "shop" not in entries
    assert "retry" not in entries
    assert person.sees("/api/repositories")["results"] == []


def test_P6_a_new_topic_finishes_the_open_one_as_superseded(
    mei: User, model: ScriptedServer
) -> None:
    person = Person(mei)
    scripted_for(model, says("一。"), says("二。"))
    first = person.is_answered("退款?")
    second = person.is_answered("优惠券?", tape=first["topic"]["tape"])
    assert story(second["topic"]["tape"]) == expected("""
        message user: 退款?
        event turn_started {"attempt": 1}
        event model_call_started
        event model_call_ended ok
        message assistant: 一。
        event turn_ended {"reason": "", "status": "done"}
        event fork_merged
        anchor topic_finalized {"reason": "superseded", "status": "aborted", "summary": "问：退款?答：一。", "title": "退款?"}
        anchor topic_initial {"continues": null, "owner": 1, "title": "优惠券?"}
        event hook {"attempt": 1, "hook": "topics.finalize_prev.topic_finalize_prev", "outcome": "done: finalized topic 1", "stage": "pre_topic_initial"}
        message user: 优惠券?
        event turn_started {"attempt": 1}
        event model_call_started
        event model_call_ended ok
        message assistant: 二。
        event turn_ended {"reason": "", "status": "done"}
        event fork_merged
    """)


def test_P6_a_finish_asked_for_while_a_turn_runs_comes_after_it(
    mei: User, model: ScriptedServer
) -> None:
    person = Person(mei)
    noted_down = threading.Event()
    scripted_for(model, says("一, 二, 三。").once(noted_down))
    asked = person.asks("退款?")
    person.waits_for(asked["turn"], "running")
    noted = person.finishes(asked["topic"])
    noted_down.set()
    assert (noted["status"], noted["finalize_requested"]) == ("open", "owner")
    assert person.waits_for(asked["turn"])["status"] == "done"
    person.waits_for_end(asked["topic"])
    assert story(asked["topic"]["tape"]).splitlines()[-5:] == [
        "event model_call_ended ok",
        "message assistant: 一, 二, 三。",
        'event turn_ended {"reason": "", "status": "done"}',
        "event fork_merged",
        'anchor topic_finalized {"reason": "owner", "status": "finalized", "summary": "问：退款?答：一, 二, 三。",'
        ' "title": "退款?"}',
    ]


def test_P5_a_question_to_a_finished_topic_goes_on_in_a_new_one_that_knows_it(
    mei: User, model: ScriptedServer
) -> None:
    person = Person(mei)
    scripted_for(model, says("一。"), says("二。"))
    first = person.is_answered("退款?")
    person.finishes(first["topic"])
    second = person.asks("然后呢?", topic=first["topic"]["id"])
    assert second["continued_from"] == first["topic"]["id"]
    assert person.waits_for(second["turn"])["status"] == "done"
    assert second["topic"]["id"] != first["topic"]["id"]


def test_A8_stop_is_heard_within_a_second_and_keeps_what_was_written(
    mei: User, model: ScriptedServer
) -> None:
    person = Person(mei)
    scripted_for(model, says("会" * 400).in_pieces(2).slowly(between=0.1))
    asked = person.asks("退款?")
    person.waits_for(asked["turn"], "running")
    assert model_was_asked(model)
    person.stops(asked["turn"])
    # A busy machine may take longer than a quiet one's second, and never as long as the answer.
    stopped = person.waits_for(asked["turn"], within=10)
    assert (stopped["status"], stopped["reason"]) == ("stopped", "stopped")


def test_A8_a_message_added_while_a_turn_runs_is_taken_up_by_it(
    mei: User, model: ScriptedServer
) -> None:
    person = Person(mei)
    joined = threading.Event()
    scripted_for(model, SEARCH.once(joined), says("两个都答了。"))
    asked = person.asks("退款?")
    person.waits_for(asked["turn"], "running")
    added = person.asks("礼品卡呢?", joins=asked["turn"]["id"])
    joined.set()
    assert person.waits_for(asked["turn"])["status"] == "done"
    taken = person.waits_for(added["turn"])
    assert (taken["reason"], taken["taken_by"]) == ("taken_up", asked["turn"]["id"])
    assert "礼品卡呢?" in str(model.requests[-1]["messages"])


def test_A8_a_second_question_waits_its_turn_and_says_its_place(
    mei: User, model: ScriptedServer
) -> None:
    person = Person(mei)
    in_line = threading.Event()
    scripted_for(model, says("一。").once(in_line), says("二。"))
    first = person.asks("退款?")
    person.waits_for(first["turn"], "running")
    second = person.asks("然后呢?", topic=first["topic"]["id"])
    in_line.set()
    assert (second["turn"]["status"], second["turn"]["place"]) == ("waiting", 1)
    assert person.waits_for(second["turn"])["status"] == "done"


def test_A7_a_model_that_is_down_fails_the_turn_visibly_and_loses_nothing(
    mei: User, shop: Any
) -> None:
    endpoints.add("gone", base_url="http://127.0.0.1:9/v1", model="m")
    person = Person(mei)
    answered = person.is_answered("退款?")
    assert (answered["turn"]["status"], answered["turn"]["reason"]) == ("failed", "provider_down")
    entries = person.sees(f"/api/topics/{answered['topic']['id']}/entries")["results"]
    assert "退款?" in str(entries)
    assert any(entry["kind"] == "error" for entry in entries)


def model_was_asked(server: ScriptedServer) -> bool:
    """Wait until the model's first request has come."""
    for _ in range(200):
        if server.requests:
            return True
        server.hung_up.wait(0.05)
    return False
