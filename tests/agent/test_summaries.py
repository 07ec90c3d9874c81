"""Titles and summaries: of the topic's own words, better ones from a model, and gone with what they rest on (P7, C7)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from kb_agent.llm import scripted
from kb_agent.llm.script import Turn as Scripted
from kb_agent.llm.script import calls, refuses, says
from kb_agent.topic_hooks import summary
from tapes import views
from tapes.erased_form import ERASED
from tapes.views import View
from tests.agent import facts as acting
from topics import describing, erasing, lifecycle, rebuild, retelling
from topics.erasing import Wanted
from topics.models import Topic
from topics.models.recall import Recollection
from topics.retelling import Told

if TYPE_CHECKING:
    from kb_agent.repositories.models import Repository
    from tests.agent.conftest import Ask, Model, Run

ASKED = "You name and sum up"
BETTER = {"title": "退款的自动重试", "summary": "失败的退款最多自动重试 3 次，之后转人工。"}


def row(topic: Topic) -> Topic:
    return Topic.objects.get(pk=topic.pk)


def described(topic: Topic) -> list[dict[str, Any]]:
    found = views.read(topic.tape_id, View.seqs(1, None).only("event"))
    return [one.payload["data"] for one in found if one.payload["name"] == "topic_described"]


def finished(model: Model, topic: Topic, ask: Ask, run: Run, answer: Scripted | None) -> Topic:
    """The topic, answered by a model that also says this when it is asked for a summary."""
    with scripted.serve(
        calls("search_code", queries=["退款 重试"]), says("会，最多 3 次。[e1]")
    ) as server:
        model(server)
        run(ask())
        if answer:
            server.add_beside(ASKED, answer)
        acting.finish(topic)
    return row(topic)


@pytest.mark.usefixtures("shop")
def test_P7_every_sentence_of_it_stands_on_the_tape(topic: Topic, ask: Ask, run: Run) -> None:
    run(ask())
    acting.finish(topic)
    now = row(topic)
    assert now.summary == (
        "问：退款失败后会自动重试吗？"
        "答：shop 的代码里写着：「退款失败后自动重试，最多 MAX_ATTEMPTS 次。」"
        "出处：shop payments/retry.py、shop payments/manual.py。"
    )
    assert now.title == "退款"
    assert now.sources
    assert described(topic) == []


def test_P7_what_was_not_answered_or_not_found_says_so() -> None:
    told = [
        Told(
            question="Is there water?",
            answer="Not found here: nothing.",
            found=False,
            language="en",
        ),
        Told(question="And on Mars?", language="en"),
    ]
    assert summary.own_words(told) == (
        "Asked: Is there water? The code gave no answer. Asked: And on Mars? Not answered."
    )


@pytest.mark.usefixtures("shop")
def test_P7_a_model_words_title_and_summary_in_one_hidden_call(
    topic: Topic, ask: Ask, run: Run, model: Model, shop: Repository
) -> None:
    now = finished(model, topic, ask, run, says(json.dumps(BETTER, ensure_ascii=False)))
    assert (now.title, now.summary) == (BETTER["title"], BETTER["summary"])
    assert now.sources == [shop.pk]
    assert described(topic) == [BETTER]
    started = [
        one.payload["data"]
        for one in views.read(topic.tape_id, View.seqs(1, None).only("event"))
        if one.payload["name"] == "model_call_started"
    ]
    (asked,) = [one for one in started if one["purpose"] == "summary"]
    assert asked["payer"] == topic.owner_id
    rebuild.of_tape(topic.tape_id)
    assert (row(topic).title, row(topic).summary) == (now.title, now.summary)


@pytest.mark.usefixtures("shop")
@pytest.mark.parametrize(
    "answer",
    [
        None,
        says("no JSON at all"),
        says('{"title": "", "summary": 7}'),
        says(json.dumps({"title": "x" * 200, "summary": "y" * 700})),
        refuses(400, "no"),
    ],
)
def test_P7_an_answer_of_no_use_leaves_the_topics_own_words(
    topic: Topic, ask: Ask, run: Run, model: Model, answer: Scripted | None
) -> None:
    now = finished(model, topic, ask, run, answer)
    assert now.status == "finalized"
    assert now.title == "退款"
    assert now.summary.startswith("问：退款失败后会自动重试吗？答：会，最多 3 次。")
    assert described(topic) == []


@pytest.mark.usefixtures("shop")
def test_P7_a_title_that_a_person_gave_stays(
    topic: Topic, ask: Ask, run: Run, model: Model
) -> None:
    lifecycle.rename(topic.pk, title="Mine", actor=f"person:{topic.owner_id}")
    now = finished(model, topic, ask, run, says(json.dumps(BETTER, ensure_ascii=False)))
    assert (now.title, now.summary) == ("Mine", BETTER["summary"])


@pytest.mark.usefixtures("shop")
def test_T19_an_erasure_takes_summary_and_recall_and_no_late_hook_brings_them_back(
    topic: Topic, ask: Ask, run: Run
) -> None:
    run(ask())
    acting.finish(topic)
    assert Recollection.objects.filter(topic=topic.pk).exists()
    ended = row(topic)
    erasing.erase(
        Wanted(
            tape_id=topic.tape_id,
            first=ended.initial_seq,
            last=ended.finalized_seq or 0,
            actor="operator",
            why="law",
        )
    )
    assert not Recollection.objects.exists()
    describing.describe(topic.pk, title="again", summary="again", actor="hook:x")
    assert (row(topic).title, row(topic).summary) == (ERASED, ERASED)


@pytest.mark.parametrize(
    ("answer", "first"),
    [
        ("**Yes, up to 3 times.** Then it stops. [e1]", "Yes, up to 3 times."),
        ("会，最多三次。[e1] 之后转人工。", "会，最多三次。"),
        ("See `a.py` and v1.2 of it [e2]! More.", "See `a.py` and v1.2 of it!"),
        ("```py\nx = 1.\n```\n- One\n- Two", "One Two"),
        ("他说：「不行。」然后走了。", "他说：「不行。」"),
        ("这里写着：「Try. Then stop.」（见 `a.py`）", "这里写着：「Try. Then stop.」"),
        ("", ""),
    ],
)
def test_P7_the_first_sentence_is_read_without_markup_code_and_ids(answer: str, first: str) -> None:
    assert retelling.first_sentence(answer) == first


def test_C8_what_a_model_writes_is_masked() -> None:
    said = json.dumps({"title": "t", "summary": "the key is password=hunter2secret99"})
    assert "hunter2secret99" not in summary.useful(said)[1]
