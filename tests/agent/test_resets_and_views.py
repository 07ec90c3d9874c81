"""The agent's further hands on its tape: a reset that waits for the turn's end, corrections, named views."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from kb_agent.accounts import roles
from kb_agent.accounts.models import User
from kb_agent.llm import scripted
from kb_agent.llm.script import calls, says
from tapes import entries, store, verify, views
from tapes.views import View
from tests.agent.test_tape_tools import kinds_of, results_of, told
from topics import asking, lifecycle, named_views, resetting, sharing, turns
from topics.models import FinalizeReason, NamedView, Topic, TopicStatus
from topics.sharing import Opening

if TYPE_CHECKING:
    from kb_agent.repositories.models import Repository
    from tests.agent.conftest import Ask, Model, Run

RESET = calls("reset", why="person wants to begin anew")


@pytest.mark.usefixtures("shop")
def test_T12_a_reset_by_the_agent_waits_until_its_turn_has_ended(
    ask: Ask, run: Run, model: Model, topic: Topic
) -> None:
    name = store.get(topic.tape_id).name
    with scripted.serve(RESET, says("好，下一个问题从头开始。")) as server:
        model(server)
        turn = run(ask("从头再来吧"))
    assert (turn.status, kinds_of(turn)) == ("done", ["tool_call", "tool_result", "message"])
    topic.refresh_from_db()
    assert (topic.status, topic.reason) == (TopicStatus.ABORTED, FinalizeReason.RESET)
    closed, new = store.get(topic.tape_id), store.by_name(name)
    assert closed.archived_at is not None
    (start,) = views.read(new.pk, View.seqs())
    assert start.payload == {"name": "session/start", "state": {"continues": closed.pk}}
    assert (start.actor, start.why) == ("agent", "person wants to begin anew")
    assert turn.answer_seq
    (answer,) = views.at([(closed.pk, turn.answer_seq)])
    assert answer.payload["content"].startswith("好")
    assert verify.verify(closed.pk).ok


@pytest.mark.usefixtures("shop")
def test_T12_a_reset_waits_for_the_questions_behind_it(
    ask: Ask, run: Run, model: Model, topic: Topic
) -> None:
    with scripted.serve(RESET, says("好。"), says("三次。")) as server:
        model(server)
        first = ask("从头再来吧")
        second = ask("先说几次？")
        run(first)
        topic.refresh_from_db()
        assert (topic.status, topic.finalize_requested) == (TopicStatus.OPEN, "reset")
        assert store.get(topic.tape_id).archived_at is None
        assert run(second).status == "done"
    topic.refresh_from_db()
    assert topic.reason == FinalizeReason.RESET
    assert store.get(topic.tape_id).archived_at is not None


@pytest.mark.usefixtures("shop")
def test_R3_a_worker_lost_before_the_reset_leaves_it_to_the_sweep(
    ask: Ask, run: Run, model: Model, topic: Topic, monkeypatch: pytest.MonkeyPatch
) -> None:
    with scripted.serve(RESET, says("好。")) as server:
        model(server)
        with monkeypatch.context() as lost:
            lost.setattr(turns.lifecycle, "complete_requested", lambda _: None)
            run(ask("从头再来吧"))
    topic.refresh_from_db()
    assert topic.status == TopicStatus.OPEN
    assert lifecycle.complete_left() == 1
    assert store.get(topic.tape_id).archived_at is not None
    assert lifecycle.complete_left() == 0


@pytest.mark.usefixtures("shop")
def test_T12_a_reset_asked_for_stands_when_its_owner_ends_the_topic_first(
    ask: Ask, run: Run, model: Model, topic: Topic, mei: User
) -> None:
    with scripted.serve(RESET, says("好。")) as server:
        model(server)
        turn = ask("从头再来吧")
        lifecycle.finalize(topic.pk, reason="owner", actor=f"person:{mei.pk}")
        run(turn)
    topic.refresh_from_db()
    assert topic.reason == FinalizeReason.RESET
    assert resetting.reset(
        store.by_name(store.get(topic.tape_id).name).pk, actor="system", why="again"
    )


@pytest.mark.usefixtures("shop")
def test_T6_a_correction_by_the_agent_stands_beside_what_it_corrects(
    ask: Ask, run: Run, model: Model
) -> None:
    with scripted.serve(says("五次。")) as server:
        model(server)
        first = run(ask("几次？"))
    fixed = calls("correct", seq=first.answer_seq, text="是三次，见 MAX_ATTEMPTS。")
    with scripted.serve(fixed, says("更正了。"), says("三次。")) as server:
        model(server)
        turn = run(ask("不对吧？"))
        run(ask("所以几次？"))
        seen = told(server, 2)
    (said,) = [
        entry
        for entry in views.read(turn.tape_id, View.of_turns([turn.pk]).only("event"))
        if entry.payload["name"] == "correction"
    ]
    assert said.payload["data"]["corrects"] == first.answer_seq
    assert (said.actor, said.why) == ("agent", "是三次，见 MAX_ATTEMPTS。")
    texts = [str(message["content"]) for message in seen]
    assert any("是三次" in text for text in texts)
    assert texts.index("五次。") + 1 == next(n for n, text in enumerate(texts) if "是三次" in text)


@pytest.mark.usefixtures("shop")
def test_C7_the_agent_corrects_nothing_its_asker_may_not_read(
    ask: Ask, run: Run, model: Model, mei: User, shop: Repository, topic: Topic
) -> None:
    secret = entries.message("assistant", "五次。", sources=[shop.pk + 1])
    (hidden,) = store.append(topic.tape_id, [secret])
    wrong = [calls("correct", seq=seq, text="三次。") for seq in (hidden.seq, 999)]
    with scripted.serve(*wrong, says("不行。")) as server:
        model(server)
        turn = run(ask())
    assert [result["error"] for result in results_of(turn)] == ["unknown_entry", "unknown_entry"]


def test_T8_the_agent_lists_and_opens_the_askers_own_views(
    ask: Ask, run: Run, model: Model, topic: Topic, mei: User, shop: Repository
) -> None:
    lines = calls("read_lines", repository="shop", path="payments/retry.py", start_line=3)
    with scripted.serve(lines, says("三次。[e1]")) as server:
        model(server)
        first = run(ask())
    other = User.objects.create_user("other")
    theirs = lifecycle.start(
        tape_id=store.create("person/99/1").pk, owner_id=other.pk, title="x", actor="system"
    )
    asking.ask(theirs.pk, asker_id=other.pk, content="别人的话", idempotency_key="k")
    parts = [
        {"tape": topic.tape_id, "first": first.question_seq, "last": first.answer_seq},
        {"topic": theirs.pk},
        {"tape": topic.tape_id, "after": "nowhere"},
    ]
    NamedView.objects.create(owner=mei, name="退款", definition={"parts": parts})
    NamedView.objects.create(owner=other, name="别人的", definition={"parts": parts})
    opened = [calls("open_view", name=name) for name in ("退款", "别人的")]
    with scripted.serve(calls("list_views"), *opened, says("好。")) as server:
        model(server)
        turn = run(ask("我存的视图里有什么？"))
    listed, view, none = results_of(turn)
    assert listed["content"] == "退款: 3 parts"
    assert f"entry {first.answer_seq}, answer: 三次。[e" in view["content"]
    assert "别人的话" not in view["content"]
    assert "(part 2 shows nothing that this person may see now)" in view["content"]
    assert "part 3 shows nothing" in view["content"]
    assert none["error"] == "unknown_view"
    found = views.read(turn.tape_id, View.of_turns([turn.pk]).only("tool_result"))
    assert found[1].sources == (shop.pk,)


@pytest.fixture
def view(shop: Repository) -> NamedView:
    """Li's view of a topic that is open to everyone, one that is not, and an anchor there is not."""
    li = User.objects.create_user("li", display_name="Li")
    opened, kept = (_topic_of(li, words) for words in ("公开的话", "自己的话"))
    sharing.share(opened.pk, Opening(kind="company", actor="system"))
    missing = {"tape": opened.tape_id, "after": "nowhere"}
    parts: list[dict[str, Any]] = [{"topic": opened.pk}, {"topic": kept.pk}, missing]
    return named_views.create(li.pk, "别处的名字", parts)


def test_P9_the_agent_opens_views_opened_to_its_asker_and_keeps_their_names_off_the_tape(
    ask: Ask, run: Run, model: Model, mei: User, view: NamedView
) -> None:
    sharing.share_view(view.pk, Opening(kind="person", actor="system", person=mei.pk))
    opened = calls("open_view", number=view.pk), calls("open_view", name=view.name)
    with scripted.serve(calls("list_views"), *opened, says("好。")) as server:
        model(server)
        turn = run(ask("李开放了什么视图？"))
    listed, read, named = results_of(turn)
    assert listed["content"] == f"view {view.pk}, opened by Li: 3 parts"
    assert "公开的话" in read["content"]
    for hidden in ("自己的话", "nowhere", view.name):
        assert hidden not in read["content"]
    nothing = "shows nothing that this person may see now"
    assert f"(part 2 {nothing})\n(part 3 {nothing})" in read["content"]
    assert named["content"] == read["content"]
    results = views.read(turn.tape_id, View.of_turns([turn.pk]).only("tool_result"))
    assert view.name not in str([entry.payload for entry in results])
    assert results[1].meta["topics"] == [view.definition["parts"][0]["topic"]]


def test_T8_ones_own_view_is_opened_however_many_others_have_its_name(
    ask: Ask, run: Run, model: Model, mei: User, view: NamedView
) -> None:
    owners = User.objects.bulk_create(User(username=f"namesake{at}") for at in range(101))
    parts = {"parts": [{"topic": view.definition["parts"][1]["topic"]}]}
    theirs = [NamedView(owner=owner, name=view.name, definition=parts) for owner in owners]
    for row in NamedView.objects.bulk_create(theirs):
        sharing.share_view(row.pk, Opening(kind="person", actor="system", person=mei.pk))
    opens = calls("open_view", name=view.name)
    with scripted.serve(opens, says("好。")) as server:
        model(server)
        before = run(ask("里面有什么？"))
    opened = view.definition["parts"][0]["topic"]
    NamedView.objects.create(owner=mei, name=view.name, definition={"parts": [{"topic": opened}]})
    with scripted.serve(opens, says("好。")) as server:
        model(server)
        after = run(ask("里面有什么？"))
    assert [result["error"] for result in results_of(before)] == ["several_views"]
    assert "公开的话" in results_of(after)[0]["content"]


def test_P9_a_view_that_is_closed_again_is_gone_for_the_agent_at_its_next_step(
    ask: Ask, run: Run, model: Model, mei: User, view: NamedView
) -> None:
    held = sharing.share_view(view.pk, Opening(kind="person", actor="system", person=mei.pk)).share
    reads = calls("open_view", number=view.pk)
    with scripted.serve(reads, says("好。")) as server:
        model(server)
        before = run(ask("里面有什么？"))
    sharing.revoke(held.pk, actor="system")
    with scripted.serve(calls("list_views"), reads, says("没了。")) as server:
        model(server)
        after = run(ask("再看一次？"))
    assert [result["error"] for result in results_of(before)] == [None]
    assert [result["error"] for result in results_of(after)] == [None, "unknown_view"]
    assert "none is open to them" in results_of(after)[0]["content"]


@pytest.mark.usefixtures("shop")
def test_C10_a_role_opens_no_view_for_its_askers_questions(
    ask: Ask, run: Run, model: Model, mei: User
) -> None:
    li = User.objects.create_user("li")
    view = named_views.create(li.pk, "李的", [{"topic": _topic_of(li, "自己的话").pk}])
    roles.grant(mei, "auditor", by=None)
    with scripted.serve(
        calls("list_views"), calls("open_view", number=view.pk), says("没有。")
    ) as server:
        model(server)
        turn = run(ask("有什么视图？"))
    listed, none = results_of(turn)
    assert listed["content"].startswith("This person keeps no named views")
    assert none["error"] == "unknown_view"


def _topic_of(owner: User, words: str) -> Topic:
    """Somebody else's topic, in which they said this."""
    tape = store.create(f"person/{owner.pk}/{words}")
    topic = lifecycle.start(tape_id=tape.pk, owner_id=owner.pk, title="x", actor="system")
    asking.ask(topic.pk, asker_id=owner.pk, content=words, idempotency_key=words)
    return topic
