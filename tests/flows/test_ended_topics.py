"""How topics end, each kind with its tape written out: continued, superseded, idle, reset, by an administrator."""

from __future__ import annotations

import threading
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connections

from kb_agent import tasks
from kb_agent.accounts import roles
from kb_agent.llm import endpoints, scripted
from kb_agent.llm.script import says
from tapes.models import Entry, Tape
from tests.agent.stories import story
from tests.api import company
from tests.flows import aftermath
from tests.flows.harness import until
from tests.flows.person import Person
from tests.flows.test_asking_about_code import expected
from tests.topics import acting
from topics import rebuild
from topics.models import Topic, Turn

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kb_agent.accounts.models import User
    from kb_agent.llm.scripted import ScriptedServer

pytestmark = pytest.mark.usefixtures("a_worker")


@pytest.fixture
def model(shop: Any) -> Iterator[ScriptedServer]:
    """The model the company has set up; a test adds what it will answer."""
    with scripted.serve() as server:
        endpoints.add("scripted", base_url=server.url, model="m")
        yield server


@pytest.fixture
def root(shop: Any) -> User:
    """The administrator, who reads no code."""
    person = company.person("root")
    roles.grant(person, "administrator", by=None)
    return person


ANSWERED = """
    message user: 退款?
    event turn_started {"attempt": 1}
    event model_call_started
    event model_call_ended ok
    message assistant: 一。
    event turn_ended {"reason": "", "status": "done"}
    event fork_merged
"""


def _ended(status: str, reason: str) -> str:
    return expected(ANSWERED) + (
        f'\nanchor topic_finalized {{"reason": "{reason}", "status": "{status}",'
        ' "summary": "问：退款?答：一。", "title": "退款?"}'
    )


def _aged(topic_id: int) -> None:
    """Let nothing have happened in a topic for eight days."""
    with connections["owner"].cursor() as cursor:
        cursor.execute(
            "UPDATE topics_topic SET last_activity_at = clock_timestamp() - interval '8 days'"
            " WHERE id = %s",
            [topic_id],
        )


def test_P5_a_question_to_a_finalized_topic_goes_on_in_a_topic_that_continues_it(
    mei: User, model: ScriptedServer
) -> None:
    person = Person(mei)
    model.add(says("一。"), says("二。"))
    first = person.is_answered("退款?")["topic"]
    person.finishes(first)
    second = person.asks("然后呢?", topic=first["id"])
    assert person.waits_for(second["turn"])["status"] == "done"
    assert (second["continued_from"], second["topic"]["tape"]) == (first["id"], first["tape"])
    note = Entry.objects.get(tape=first["tape"], payload__name="recall_anchor").payload["state"]
    assert [each["topic"] for each in note["topics"]] == [first["id"]]
    assert "一。" in note["text"]
    told = story(first["tape"]).splitlines()
    assert [line for line in told if not line.startswith("anchor recall_anchor")] == expected(
        ANSWERED
    ).splitlines() + expected(f"""
        anchor topic_finalized {{"reason": "owner", "status": "finalized", "summary": "问：退款?答：一。", "title": "退款?"}}
        anchor topic_initial {{"continues": {first["id"]}, "owner": {mei.pk}, "title": "然后呢?"}}
        message user: 然后呢?
        event turn_started {{"attempt": 1}}
        event model_call_started
        event model_call_ended ok
        message assistant: 二。
        event turn_ended {{"reason": "", "status": "done"}}
        event fork_merged
    """).splitlines()
    at = [line.split(" ")[1] for line in told if line.startswith("anchor ")]
    assert at == ["topic_finalized", "topic_initial", "recall_anchor"]


def test_P2_a_topic_kept_open_stays_so_and_the_new_one_has_a_tape_of_its_own(
    mei: User, model: ScriptedServer
) -> None:
    person = Person(mei)
    model.add(says("一。"), says("二。"))
    first = person.is_answered("退款?")["topic"]
    told = person.sees("/api/questions/preview", tape=first["tape"])
    assert (told["does"], told["closes"]["id"]) == ("start", first["id"])
    second = person.is_answered("优惠券?", tape=first["tape"], keep_open=True)["topic"]
    assert second["tape"] != first["tape"]
    assert story(first["tape"]) == expected(ANSWERED)
    assert person.sees(f"/api/topics/{first['id']}")["status"] == "open"


def test_P6_a_topic_nobody_touches_is_closed_by_the_sweep(mei: User, model: ScriptedServer) -> None:
    person = Person(mei)
    model.add(says("一。"))
    topic = person.is_answered("退款?")["topic"]
    tasks.finalize_idle()
    assert person.sees(f"/api/topics/{topic['id']}")["status"] == "open"
    _aged(topic["id"])
    tasks.finalize_idle()
    assert story(topic["tape"]).startswith(_ended("aborted", "idle"))
    assert person.sees(f"/api/topics/{topic['id']}")["reason"] == "idle"


def test_T12_a_reset_ends_the_open_topic_and_the_name_goes_on_with_a_new_tape(
    mei: User, model: ScriptedServer
) -> None:
    person = Person(mei)
    model.add(says("一。"))
    topic = person.is_answered("退款?")["topic"]
    answer = person.client.post(f"/api/tapes/{topic['tape']}/reset")
    assert answer.status_code == 201, answer.content
    assert story(topic["tape"]).startswith(_ended("aborted", "reset"))
    new = Tape.objects.get(pk=answer.json()["tape"])
    assert acting.names(new) == ["session/start"]


def test_P6_an_administrator_ends_a_topic_that_is_not_theirs(
    mei: User, root: User, model: ScriptedServer
) -> None:
    person = Person(mei)
    model.add(says("一。"))
    topic = person.is_answered("退款?")["topic"]
    ended = Person(root).client.post(f"/api/open-topics/{topic['id']}/finalize")
    assert ended.json()["status"] == "finalized"
    assert story(topic["tape"]).startswith(_ended("finalized", "administrator"))
    last = Entry.objects.filter(tape=topic["tape"], payload__name="topic_finalized").get()
    assert last.actor == f"person:{root.pk}"


def test_P6_an_administrator_waits_for_a_turn_that_runs(
    mei: User, root: User, model: ScriptedServer
) -> None:
    person = Person(mei)
    noted_down = threading.Event()
    model.add(says("一。").once(noted_down))
    asked = person.asks("退款?")
    person.waits_for(asked["turn"], "running")
    noted = Person(root).client.post(f"/api/open-topics/{asked['topic']['id']}/finalize").json()
    noted_down.set()
    assert (noted["status"], noted["finalize_requested"]) == ("open", "administrator")
    assert person.waits_for(asked["turn"])["status"] == "done"
    person.waits_for_end(asked["topic"])
    told = story(asked["topic"]["tape"])
    assert 'event finalize_requested {"reason": "administrator"}' in told
    assert '"reason": "administrator", "status": "finalized"' in told


def test_P2_a_question_in_a_second_tab_neither_closes_nor_delays_one_being_answered(
    mei: User, model: ScriptedServer
) -> None:
    person = Person(mei)
    answered_beside = threading.Event()
    model.add(says("一, 二, 三。").once(answered_beside), says("四。"))
    first = person.asks("退款?")
    # Only once the model holds the first question does it keep the second answer for the second.
    until(lambda: bool(model.requests))
    second = person.is_answered("优惠券?", tape=first["topic"]["tape"])
    answered_beside.set()
    assert second["topic"]["tape"] != first["topic"]["tape"]
    assert person.waits_for(first["turn"])["status"] == "done"
    assert person.sees(f"/api/topics/{first['topic']['id']}")["status"] == "open"


def test_P2_two_new_topics_at_once_from_one_tape_lose_no_question(
    mei: User, model: ScriptedServer
) -> None:
    person = Person(mei)
    model.add(says("一。"), says("二。"), says("三。"))
    tape = person.is_answered("退款?")["topic"]["tape"]
    at_once = acting.at_once(
        lambda: Person(mei, keys=iter(["a"])).asks("优惠券?", tape=tape),
        lambda: Person(mei, keys=iter(["b"])).asks("发票?", tape=tape),
    )
    for asked in at_once:
        assert person.waits_for(asked["turn"])["status"] == "done"
    assert Topic.objects.filter(tape=tape, status="open").count() == 1
    assert len({asked["topic"]["id"] for asked in at_once}) == 2
    assert Turn.objects.filter(asker=mei, status="done").count() == 3


def test_P6_finishing_from_many_tabs_at_once_ends_a_topic_once(
    mei: User, root: User, model: ScriptedServer
) -> None:
    person = Person(mei)
    model.add(says("一。"))
    topic = person.is_answered("退款?")["topic"]
    many = [
        lambda: Person(mei).finishes(topic),
        lambda: Person(root).client.post(f"/api/open-topics/{topic['id']}/finalize"),
        lambda: Person(mei).client.post("/api/topics/finalize", {"topics": [topic["id"]]}),
        lambda: Person(mei).finishes(topic),
    ]
    acting.at_once(*many)
    ends = Entry.objects.filter(tape=topic["tape"], payload__name="topic_finalized")
    assert ends.count() == 1
    assert Topic.objects.get(pk=topic["id"]).finalized_seq == ends.get().seq


def test_P5_a_question_sent_while_its_topic_is_being_finished_is_answered_somewhere(
    mei: User, model: ScriptedServer
) -> None:
    person = Person(mei)
    model.add(says("一。"), says("二。"))
    topic = person.is_answered("退款?")["topic"]
    asked, _ = acting.at_once(
        lambda: Person(mei, keys=iter(["c"])).asks("然后呢?", topic=topic["id"]),
        lambda: Person(mei).finishes(topic),
    )
    assert person.waits_for(asked["turn"])["status"] == "done"
    said = Entry.objects.filter(kind="message", payload__content="然后呢?")
    assert said.count() == 1
    # Asked first, the end waited for the answer; finished first, it goes on in a continued topic.
    where = Topic.objects.get(pk=asked["topic"]["id"])
    assert where.pk == topic["id"] or where.continues_id == topic["id"]


def test_P1_the_rows_of_every_kind_of_end_are_made_anew_from_their_tape(
    mei: User, root: User, model: ScriptedServer
) -> None:
    person = Person(mei)
    model.add(says("一。"), says("二。"))
    first = person.is_answered("退款?")["topic"]
    person.client.patch(f"/api/topics/{first['id']}", {"title": "退款的事"}, format="json")
    second = person.is_answered("优惠券?", tape=first["tape"])["topic"]
    Person(root).client.post(f"/api/open-topics/{second['id']}/finalize")
    aftermath.hooks_ended(first, second)
    before = list(Topic.objects.order_by("pk").values())
    Topic.objects.update(
        title="x", summary="", last_activity_at=before[0]["started_at"] - timedelta(1)
    )
    rebuild.of_tape(first["tape"])
    assert list(Topic.objects.order_by("pk").values()) == before
