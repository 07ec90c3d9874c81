"""Recall: earlier topics come back in either language, only to those who may see them, and can be dismissed (P7, C7)."""

from __future__ import annotations

import json
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest

from kb_agent.accounts.models import User
from kb_agent.agent import toolbox
from kb_agent.agent.desk import Desk
from kb_agent.llm import endpoints, scripted
from kb_agent.llm.account import Account, of_system
from kb_agent.llm.script import says
from kb_agent.repositories import access as code_access
from kb_agent.repositories import recall
from kb_agent.repositories.models import Evidence
from kb_agent.repositories.recall import recollecting, spaces
from kb_agent.usecases import references
from kb_agent.usecases.access import Access
from tapes import saw, store, views
from tapes.views import View
from tests.llm import embedding_server
from topics import asking, dismissing, lifecycle, sharing, turns
from topics.hooks import runner
from topics.models import Topic, Turn
from topics.models.recall import RecallSpace, RecallVector, Recollection
from topics.sharing import Opening

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.contrib.auth.models import Group

    from kb_agent.repositories.models import Repository
    from tapes.entries import NewEntry
    from tests.agent.conftest import Model, Run

QUESTION = "退款失败后会自动重试吗？"
LIKE_IT = "Is a refund that failed retried automatically?"
_keys = count(1)


@pytest.fixture(autouse=True)
def _the_shop(shop: Repository) -> None:
    """There is code to ask about."""


@pytest.fixture
def ann(staff: Group) -> User:
    """A colleague with the same grants."""
    person = User.objects.create_user("ann", display_name="Ann", language="en")
    person.groups.add(staff)
    return person


def begun(owner: User, question: str, *, notes: Sequence[NewEntry] = (), **more: Any) -> Turn:
    """A topic on a tape of its own with its first question waiting, and what is noted right behind it."""
    tape = store.create(f"person/{owner.pk}/{next(_keys)}")
    actor = f"person:{owner.pk}"
    topic = lifecycle.start(tape_id=tape.pk, owner_id=owner.pk, title=question, actor=actor, **more)
    return asking.ask(
        topic.pk,
        asker_id=owner.pk,
        content=question,
        idempotency_key=f"recall {next(_keys)}",
        language="zh" if question[0] > "\u2fff" else "en",
        notes=notes,
    )


def finish(turn: Turn) -> Topic:
    """End the turn's topic, and run its hooks as a worker does."""
    lifecycle.finalize(turn.topic_id, reason="owner", actor=f"person:{turn.asker_id}")
    for hook_run_id in runner.due():
        runner.run(hook_run_id)
    return Topic.objects.get(pk=turn.topic_id)


@pytest.fixture
def earlier(mei: User, run: Run) -> Topic:
    """Mei's finished topic about failed refunds."""
    return finish(run(begun(mei, QUESTION)))


def hooked(turn: Turn) -> list[dict[str, Any]]:
    """The topics that are recalled at the head of a first turn."""
    claimed = turns.claim(turn.pk, "test")
    assert claimed
    runner.at_first_turn(turn.topic_id, turn_id=turn.pk, seconds=30)
    turns.finish(claimed, "done")
    found = views.read(turn.tape_id, View.seqs(1, None).only("anchor"))
    notes = [one for one in found if one.payload["name"] == "recall_anchor"]
    return [place for note in notes for place in note.payload["state"].get("topics", ())]


def near(asker: User, question: str = LIKE_IT, **more: Any) -> list[int]:
    """Which topics a question of this person's recalls now."""
    readable = code_access.readable_ids(asker)
    found = recall.recall(question, asker=asker, readable=readable, **more)
    return [one.topic.pk for one in found]


def test_P7_a_question_in_the_other_language_recalls_the_topic_with_place_range_and_score(
    mei: User, earlier: Topic
) -> None:
    turn = begun(mei, LIKE_IT)
    (place,) = hooked(turn)
    assert place["topic"] == earlier.pk
    assert (place["tape"], place["title"]) == (earlier.tape_id, QUESTION)
    assert place["range"] == [earlier.initial_seq, earlier.finalized_seq]
    assert place["summary"] == earlier.summary != ""
    assert recall.LEAST <= place["score"] <= 2
    note = views.read(turn.tape_id, View.seqs(1, None).only("anchor"))[-1]
    assert (
        note.payload["state"]["text"]
        .splitlines()[1]
        .startswith(
            f"- topic {earlier.pk} (entries {earlier.initial_seq} to {earlier.finalized_seq}): "
        )
    )
    assert len(note.payload["state"]["text"].encode()) <= 4_800
    assert list(note.sources) == earlier.sources
    assert note.turn_id == turn.pk


def test_P7_where_nothing_is_near_one_hook_event_says_so(mei: User, earlier: Topic) -> None:
    turn = begun(mei, "Where is the parking garage of our office?")
    assert hooked(turn) == []
    events = views.read(turn.tape_id, View.seqs(1, None).only("event"))
    told = [one.payload["data"] for one in events if one.payload["name"] == "hook"]
    assert [one["outcome"] for one in told if one["hook"].endswith("recall.recall")] == [
        "done: nothing recalled"
    ]


def test_P7_a_topic_recalls_neither_itself_nor_once_more_the_one_it_continues(
    mei: User, earlier: Topic
) -> None:
    places = hooked(begun(mei, QUESTION, continues=earlier.pk))
    assert [place["topic"] for place in places] == [earlier.pk]
    assert "score" not in places[0]


def test_P7_what_a_question_only_names_is_recalled_neither_once_more_nor_by_its_name(
    mei: User, earlier: Topic
) -> None:
    question = f"topic:{earlier.pk} {LIKE_IT}"
    named = begun(mei, question, notes=references.notes(Access(mei), question))
    assert [place["topic"] for place in hooked(named)] == [earlier.pk]
    User.objects.create_user("cai", display_name="退款失败自动重试")
    question = "@退款失败自动重试 停车场在哪里？"
    assert near(mei, question) == [earlier.pk]
    turn = begun(mei, question, notes=references.notes(Access(mei), question))
    assert hooked(turn) == []


def test_P7_at_most_five_topics_are_recalled_and_their_text_is_bounded(
    mei: User, earlier: Topic, run: Run
) -> None:
    for _ in range(5):
        other = finish(run(begun(mei, QUESTION)))
        Topic.objects.filter(pk=other.pk).update(summary="退款" * 2_000)
    turn = begun(mei, QUESTION)
    assert len(hooked(turn)) == 5
    note = views.read(turn.tape_id, View.seqs(1, None).only("anchor"))[-1]
    assert len(note.payload["state"]["text"].encode()) <= 4_800


def test_C7_a_topic_whose_grant_was_withdrawn_is_not_recalled(
    mei: User, earlier: Topic, staff: Group
) -> None:
    assert near(mei) == [earlier.pk]
    mei.groups.remove(staff)
    assert near(mei) == []


def test_P9_another_persons_topic_is_recalled_while_it_is_open_to_the_asker_and_not_by_role(
    mei: User, ann: User, earlier: Topic
) -> None:
    assert near(ann) == []
    actor = f"person:{mei.pk}"
    opened = sharing.share(earlier.pk, Opening(kind="company", actor=actor, by=mei.pk))
    assert near(ann) == [earlier.pk]
    stranger = User.objects.create_user("gao")
    assert near(stranger) == []
    sharing.revoke(opened.share.pk, actor=actor)
    assert near(ann) == []
    auditor = User.objects.create_user("li")
    auditor.roles.create(name="auditor")
    assert near(User.objects.get(pk=auditor.pk)) == []


def desk_of(turn: Turn, asker: User) -> Desk:
    readable = code_access.readable_ids(asker)
    return Desk(
        tape_id=turn.tape_id,
        topic_id=turn.topic_id,
        turn_id=turn.pk,
        readable=readable,
        scope=readable,
    )


def called(desk: Desk, name: str, **arguments: Any) -> dict[str, Any]:
    call = toolbox.ToolCall("c1", name, json.dumps(arguments))

    class Never:
        @staticmethod
        def is_set() -> bool:
            return False

    (result,) = toolbox.run([call], desk, Never()).results  # type: ignore[arg-type]
    return result


def test_A4_the_agent_recalls_again_and_opens_a_recalled_range_with_evidence_of_its_own(
    mei: User, earlier: Topic
) -> None:
    desk = desk_of(begun(mei, "Hello there"), mei)
    found = called(desk, "recall", about=LIKE_IT)
    assert [one["topic"] for one in found["data"]["topics"]] == [earlier.pk]
    assert called(desk, "recall", about="parking garage")["data"] == {"topics": []}
    opened = called(
        desk,
        "open_range",
        first=earlier.initial_seq,
        last=earlier.finalized_seq,
        topic=earlier.pk,
    )
    assert opened["error"] is None
    assert QUESTION in opened["content"]
    minted = Evidence.objects.filter(topic_id=desk.topic_id)
    assert {row.path for row in minted} >= {"payments/retry.py"}
    assert f"[e{minted.first().number}]" in opened["content"]  # type: ignore[union-attr]


def test_C7_a_range_opens_only_inside_a_finished_topic_that_the_asker_may_build_on(
    mei: User, ann: User, earlier: Topic, staff: Group
) -> None:
    turn = begun(ann, "Hello")
    inside = {"first": earlier.initial_seq, "last": earlier.finalized_seq}
    refused = called(desk_of(turn, ann), "open_range", **inside, topic=earlier.pk)
    assert refused["error"] == "unknown_topic"
    own = begun(mei, "Hello")
    desk = desk_of(own, mei)
    beyond = called(desk, "open_range", first=1, last=10_000, topic=earlier.pk)
    assert beyond["error"] == "outside_topic"
    still_open = called(desk, "open_range", first=2, last=3, topic=own.topic_id)
    assert still_open["error"] == "unknown_topic"
    mei.groups.remove(staff)
    bare = called(desk_of(own, mei), "open_range", **inside, topic=earlier.pk)
    assert "MAX_ATTEMPTS" not in bare["content"]
    assert "withheld" in bare["content"]


def test_P7_a_dismissed_topic_is_left_out_of_later_calls_and_can_be_brought_back(
    mei: User, earlier: Topic, run: Run, model: Model
) -> None:
    turn = begun(mei, LIKE_IT)
    hooked(turn)
    topic = Topic.objects.get(pk=turn.topic_id)
    with scripted.serve(says("One."), says("Two."), says("Three.")) as server:
        model(server)
        for act in (None, dismissing.dismiss, dismissing.restore):
            if act:
                act(topic, earlier.pk, actor=f"person:{mei.pk}")
                act(topic, earlier.pk, actor=f"person:{mei.pk}")
            last = run(
                asking.ask(
                    topic.pk,
                    asker_id=mei.pk,
                    content="And?",
                    idempotency_key=f"recall {next(_keys)}",
                    language="en",
                )
            )
        shown = [QUESTION in json.dumps(one, ensure_ascii=False) for one in server.requests]
    assert shown == [True, False, True]
    (now,) = dismissing.recalled(topic)
    assert (now.topic, now.dismissed) == (earlier.pk, False)
    started = [
        one.payload["data"]
        for one in views.read(last.tape_id, View.seqs(1, None).only("event"))
        if one.payload["name"] == "model_call_started"
    ]
    assert all(saw.rebuild(last.tape_id, data).proven for data in started)
    with pytest.raises(dismissing.NotRecalled):
        dismissing.dismiss(topic, topic.pk, actor=f"person:{mei.pk}")


def test_P7_a_topic_renamed_by_its_summary_is_recalled_by_the_new_words(
    mei: User, earlier: Topic
) -> None:
    assert near(mei, "Where are payouts to gamblers halted?") == []
    Topic.objects.filter(pk=earlier.pk).update(summary="Payouts to gamblers are halted.")
    assert recollecting.remember(earlier.pk)
    assert near(mei, "Where are payouts to gamblers halted?") == [earlier.pk]


def test_P7_with_an_endpoint_topics_get_vectors_and_a_new_model_fills_beside_the_old(
    mei: User, earlier: Topic, run: Run
) -> None:
    for number in range(4):
        finish(run(begun(mei, f"Question {number} about parking garage {number}")))
    with embedding_server.serving() as server:
        for name in ("one", "two"):
            terms = endpoints.Terms(kind="embedding", position=1 if name == "two" else 2)
            endpoints.add(name, base_url=server.url, model=name, terms=terms)
            (space_id,) = spaces.due()
            assert spaces.fill(space_id) == 5
            assert spaces.due() == []
        serving = RecallSpace.objects.get()
        assert (serving.endpoint, serving.serves) == ("two", True)
        assert RecallVector.objects.filter(space=serving).count() == 5
        account: Account = of_system("recall", tape="recall")
        assert earlier.pk in near(mei, account=account)
    recollecting.remember(earlier.pk)
    assert RecallVector.objects.filter(space=serving).count() == 4


def test_P7_only_topics_that_have_ended_are_recalled(mei: User) -> None:
    assert not recollecting.remember(begun(mei, QUESTION).topic_id)
    assert not Recollection.objects.exists()
