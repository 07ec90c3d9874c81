"""Calls beside a turn, for titles and summaries: on the tape by events, in no window, to be rebuilt."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kb_agent.accounts.models import User
from kb_agent.llm import hidden_calls, json_answers, scripted
from kb_agent.llm.hidden_calls import Place, Question
from kb_agent.llm.protocol import ContextExceeded, MissingAccount, RequestRefused
from kb_agent.llm.script import refuses, says
from kb_agent.usecases import seen
from tapes import messages, saw, store, views
from tapes.views import View
from topics import lifecycle, turns

if TYPE_CHECKING:
    from kb_agent.repositories.models import Repository
    from tapes.entries import Entry
    from tests.agent.conftest import Ask, Model, Run
    from topics.models import Topic

SUMMARY = Question(
    system="Say it in one sentence.", text="退款失败后会自动重试吗？", purpose="summary"
)


def of(topic: Topic) -> Place:
    """The topic's own tape, its owner paying."""
    return Place(tape_id=topic.tape_id, topic_id=topic.pk, payer=topic.owner_id)


def events_of(topic: Topic) -> list[Entry]:
    """The calls' events on the topic's tape."""
    found = views.read(topic.tape_id, View.seqs(1, None).only("event"))
    return [entry for entry in found if entry.payload["name"].startswith("model_call")]


def test_P11_a_hidden_call_is_on_the_topic_s_tape_with_purpose_and_payer(
    topic: Topic, model: Model
) -> None:
    with scripted.serve(says("会重试。").using(prompt=12, completion=3)) as server:
        model(server)
        assert hidden_calls.ask(SUMMARY, place=of(topic), seconds=10) == "会重试。"
    began, ended = events_of(topic)
    assert began.topic_id == ended.topic_id == topic.pk
    data = began.payload["data"]
    assert (data["purpose"], data["payer"], data["attempt"]) == ("summary", topic.owner_id, 1)
    assert ended.payload["data"]["status"] == "ok"
    assert ended.payload["data"]["usage"]["input"] == 12
    assert store.unspill(ended.payload["data"]["content"]) == "会重试。"


def test_P11_nothing_of_a_hidden_call_enters_a_window(topic: Topic, model: Model) -> None:
    before = messages.render(views.read(topic.tape_id, View.last_anchor()), readable=frozenset())
    with scripted.serve(says("会重试。")) as server:
        model(server)
        hidden_calls.ask(SUMMARY, place=of(topic), seconds=10)
    after = messages.render(views.read(topic.tape_id, View.last_anchor()), readable=frozenset())
    assert after.messages == before.messages


def test_T18_the_exact_messages_are_rebuilt_and_proven(topic: Topic, model: Model) -> None:
    with scripted.serve(says("会重试。")) as server:
        model(server)
        hidden_calls.ask(SUMMARY, place=of(topic), seconds=10)
    rebuilt = saw.rebuild(topic.tape_id, events_of(topic)[0].payload["data"])
    assert rebuilt.proven
    assert rebuilt.messages == server.requests[0]["messages"]


def test_P11_every_attempt_is_told_also_those_that_failed(
    topic: Topic, model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kb_agent.llm.calls.BACKOFF_SECONDS", (0.0,))
    with scripted.serve(refuses(429), says("会重试。")) as server:
        model(server)
        hidden_calls.ask(SUMMARY, place=of(topic), seconds=10)
    told = [entry.payload["data"] for entry in events_of(topic)]
    assert [data.get("attempt") for data in told] == [1, None, 2, None]
    assert told[1]["error"]["code"] == "provider_busy"


def test_an_answer_asked_for_as_json_is_read_without_the_words_around_it(
    topic: Topic, model: Model
) -> None:
    question = Question(system="Name it.", text="退款", purpose="title", json=True)
    with scripted.serve() as server:
        server.add_beside("Name it.", says('Sure!\n```json\n{"zh": "退款"}\n```'))
        model(server)
        answer = hidden_calls.ask(question, place=of(topic), seconds=10)
    assert json_answers.read(answer) == {"zh": "退款"}


def test_A3_without_a_model_a_hidden_call_says_so_and_leaves_nothing(topic: Topic) -> None:
    with pytest.raises(hidden_calls.NoModel):
        hidden_calls.ask(SUMMARY, place=of(topic), seconds=10)
    assert events_of(topic) == []


def test_a_question_longer_than_every_window_is_not_sent(topic: Topic, model: Model) -> None:
    with scripted.serve() as server:
        model(server, window=400)
        with pytest.raises(ContextExceeded):
            hidden_calls.ask(SUMMARY, place=of(topic), seconds=10)
    assert server.requests == []


def test_P11_a_call_without_a_payer_is_refused(topic: Topic) -> None:
    with pytest.raises(MissingAccount):
        Place(tape_id=topic.tape_id, topic_id=topic.pk, payer="")


def test_a_refusal_of_the_provider_reaches_the_caller_by_name(topic: Topic, model: Model) -> None:
    with scripted.serve(refuses(400, "no")) as server:
        model(server)
        with pytest.raises(RequestRefused):
            hidden_calls.ask(SUMMARY, place=of(topic), seconds=10)


@pytest.mark.usefixtures("shop")
def test_C7_what_a_hidden_call_of_a_turn_saw_is_withheld_without_grant_or_topic(
    ask: Ask, run: Run, model: Model, topic: Topic, payroll: Repository
) -> None:
    mei = topic.owner
    chen = User.objects.create_user("chen")
    other = lifecycle.start(
        tape_id=store.create("salaries").pk, owner_id=chen.pk, title="工资", actor="system"
    )
    with scripted.serve(says("好。"), says("一"), says("二"), says("三")) as server:
        model(server)
        turn = run(ask())
        for sources, topics in (((), ()), ((payroll.pk,), ()), ((), (other.pk,))):
            place = Place(
                tape_id=topic.tape_id,
                topic_id=topic.pk,
                turn_id=turn.pk,
                payer=mei.pk,
                topics=topics,
            )
            question = Question(system="s", text="t", purpose="recall", sources=sources)
            hidden_calls.ask(question, place=place, seconds=10)
    assert turns.due() == []
    _, plain, from_code, from_topic = seen.show(mei, turn.pk)
    assert [call.proven for call in (plain, from_code, from_topic)] == [True, True, True]
    assert [call.messages[1].content for call in (plain, from_code, from_topic)] == [
        "t",
        None,
        None,
    ]
