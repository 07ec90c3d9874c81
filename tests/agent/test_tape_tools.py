"""The agent's hands on its tape: marks, handoffs, anchors, ranges, further pages; and ask from here."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from kb_agent.agent import toolbox
from kb_agent.llm import scripted
from kb_agent.llm.script import calls, calls_all, says
from kb_agent.repositories.models import Evidence
from tapes import entries, saw, spilled, store, views
from tapes.views import View
from tests.agent.test_what_was_seen import SEARCH, started_calls
from topics import asking, lifecycle

if TYPE_CHECKING:
    from kb_agent.accounts.models import User
    from kb_agent.repositories.models import Repository
    from tests.agent.conftest import Ask, Model, Run
    from topics.models import Topic, Turn


def told(server: scripted.ScriptedServer, request: int) -> list[dict[str, Any]]:
    """The messages of a request, as the model's server got them."""
    found: list[dict[str, Any]] = server.requests[request]["messages"]
    return found


def results_of(turn: Turn) -> list[dict[str, Any]]:
    """The results of a turn's tools, in order."""
    found = views.read(turn.tape_id, View.of_turns([turn.pk]).only("tool_result"))
    return [result for entry in found for result in entry.payload["results"]]


def kinds_of(turn: Turn) -> list[str]:
    """The names of a turn's anchors, and the kinds of its other steps' entries."""
    found = views.read(turn.tape_id, View.of_turns([turn.pk]))
    return [
        str(entry.payload["name"]) if entry.kind == "anchor" else entry.kind
        for entry in found
        if entry.step is not None and entry.kind != "event"
    ]


@pytest.mark.usefixtures("shop")
def test_A4_a_handoff_waits_for_the_steps_end_and_keeps_question_and_notes(
    ask: Ask, run: Run, model: Model
) -> None:
    both = calls_all(
        calls("handoff", name="写答案", notes="上限 3 次 [e1]"),
        calls("search_code", queries=["退款"]),
    )
    with scripted.serve(SEARCH, both, says("会，3 次。[e1]")) as server:
        model(server)
        turn = run(ask("退款会重试吗？"))
    assert kinds_of(turn) == [
        *("tool_call", "tool_result", "tool_call", "tool_result"),
        *("写答案", "mark/写答案", "message"),
    ]
    system, question, notes = told(server, 2)
    assert system["role"] == "system"
    assert question["content"] == "退款会重试吗？"
    assert notes["content"] == "[mark/写答案] 上限 3 次 [e1]"
    assert all(saw.rebuild(turn.tape_id, call).proven for call in started_calls(turn))


@pytest.mark.usefixtures("shop")
def test_T9_a_mark_is_shown_to_later_questions_and_moves_no_window(
    ask: Ask, run: Run, model: Model
) -> None:
    marked = calls("mark", name="渠道", note="以渠道配置为准")
    with scripted.serve(marked, says("好。"), says("三次。")) as server:
        model(server)
        first = run(ask("记住：以渠道为准"))
        run(ask("几次？"))
    (anchor,) = views.read(first.tape_id, View.of_turns([first.pk]).only("anchor"))
    assert anchor.payload["name"] == "mark/渠道"
    assert anchor.payload["state"]["seqs"] == [first.question_seq]
    assert (anchor.actor, anchor.why) == ("agent", "以渠道配置为准")
    texts = [message["content"] for message in told(server, 2)]
    assert "记住：以渠道为准" in texts
    assert f"[mark/渠道] 以渠道配置为准 (entries {first.question_seq})" in texts


@pytest.mark.usefixtures("shop")
def test_T7_a_handoff_may_not_take_a_name_of_the_tapes_own(
    ask: Ask, run: Run, model: Model
) -> None:
    with scripted.serve(
        calls("handoff", name="topic_initial", notes="x"), says("不行。")
    ) as server:
        model(server)
        turn = run(ask())
    assert results_of(turn)[0]["error"] == "reserved_name"
    assert kinds_of(turn) == ["tool_call", "tool_result", "message"]


def earlier(topic: Topic, mei: User) -> Topic:
    """End the topic and open another on its tape."""
    lifecycle.finalize(topic.pk, reason="owner", actor=f"person:{mei.pk}")
    return lifecycle.start(
        tape_id=topic.tape_id, owner_id=mei.pk, title="再问", actor=f"person:{mei.pk}"
    )


def in_topic(topic: Topic, mei: User, content: str, **more: Any) -> Turn:
    """A question of another topic."""
    return asking.ask(
        topic.pk, asker_id=mei.pk, content=content, idempotency_key=content, language="zh", **more
    )


def test_A5_an_opened_range_mints_its_evidence_anew(
    ask: Ask, run: Run, model: Model, topic: Topic, mei: User, shop: Repository
) -> None:
    other = calls("read_lines", repository="shop", path="payments/manual.py", start_line=1)
    lines = calls(
        "read_lines", repository="shop", path="payments/retry.py", start_line=3, end_line=4
    )
    with scripted.serve(lines, says("三次。[e1]")) as server:
        model(server)
        first = run(ask())
    assert first.answer_seq
    later = earlier(topic, mei)
    opened = calls("open_range", first=first.question_seq, last=first.answer_seq)
    with scripted.serve(other, calls("list_anchors"), opened, says("上次说三次。[e2]")) as server:
        model(server)
        turn = run(in_topic(later, mei, "上次怎么说？"))
    *_, anchors, opening = results_of(turn)
    assert "topic_initial: 退款" in anchors["content"]
    assert f"entry {first.answer_seq}, answer: 三次。[e2]" in opening["content"]
    assert "[e1]" not in opening["content"]
    row = Evidence.objects.get(topic_id=later.pk, number=2)
    assert (row.path, row.start_line, row.end_line) == ("payments/retry.py", 3, 4)
    (said,) = [
        entry
        for entry in views.read(turn.tape_id, View.of_turns([turn.pk]).only("message"))
        if entry.payload["role"] == "assistant"
    ]
    assert said.sources == (shop.pk,)
    assert said.meta["verified"]


def test_C7_a_range_from_code_the_asker_lost_is_counted_and_not_shown(
    ask: Ask, run: Run, model: Model, mei: User, shop: Repository
) -> None:
    with scripted.serve(SEARCH, says("会，三次。[e1]")) as server:
        model(server)
        first = run(ask())
    mei.groups.clear()
    assert first.answer_seq
    opened = calls("open_range", first=first.answer_seq, last=first.answer_seq)
    with scripted.serve(opened, calls("list_anchors"), says("看不到。")) as server:
        model(server)
        turn = run(ask("刚才说了什么？"))
    assert results_of(turn)[0]["content"] == "(1 entries are withheld from this person)"
    assert "三次" not in json.dumps(results_of(turn), ensure_ascii=False)


def test_T17_what_was_cut_is_kept_once_and_read_in_pages(
    ask: Ask,
    run: Run,
    model: Model,
    mei: User,
    shop: Repository,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(toolbox, "CONTENT_CHARS", 200)
    monkeypatch.setattr(spilled, "PAGE_CHARS", 150)
    lines = calls("read_lines", repository="shop", path="payments/retry.py")
    with scripted.serve(lines, says("看到了。")) as server:
        model(server)
        turn = run(ask())
    (cut,) = results_of(turn)
    whole = store.unspill(cut["spill"]["id"])
    assert cut["spill"]["chars"] == len(whole) > 200
    assert "".join(spilled.pages(whole)) == whole
    short = cut["spill"]["id"][: spilled.SHORT]
    assert f'read_more(id="{short}", page=2)' in cut["content"]
    more = [calls("read_more", id=short, page=number) for number in (2, 99)]
    with scripted.serve(*more, calls("read_more", id="0" * 16), says("好。")) as server:
        model(server)
        turn = run(ask("接着读"))
    second, none, unknown = results_of(turn)
    assert second["content"].startswith(spilled.pages(whole)[1].rstrip())
    assert (none["error"], unknown["error"]) == ("unknown_page", "unknown_id")
    # The pages are as much from that code as the result was (C7).
    found = views.read(turn.tape_id, View.of_turns([turn.pk]).only("tool_result"))
    assert found[0].sources == (shop.pk,)
    mei.groups.clear()
    with scripted.serve(more[0], says("看不到。")) as server:
        model(server)
        turn = run(ask("再读一遍"))
    assert results_of(turn)[0]["error"] == "unknown_id"


@pytest.mark.usefixtures("shop")
def test_T8_a_question_asked_from_an_anchor_sees_what_follows_that_anchor(
    ask: Ask, run: Run, model: Model, topic: Topic, mei: User
) -> None:
    with scripted.serve(SEARCH, says("会，三次。[e1]")) as server:
        model(server)
        first = run(ask("退款会重试吗？"))
    later = earlier(topic, mei)
    start = next(one for one in views.anchors(topic.tape_id) if one.name == "session/start")
    with scripted.serve(says("没有。"), says("三次。")) as server:
        model(server)
        run(in_topic(later, mei, "刚才说了什么？"))
        turn = run(in_topic(later, mei, "从头再看一遍", after=start))
    assert "会，三次。" not in [message["content"] for message in told(server, 0)]
    texts = [str(message["content"]) for message in told(server, 1)]
    # The earlier topic's words, without evidence ids that name other places here.
    assert "会，三次。" in texts
    assert texts[-1] == "从头再看一遍"
    assert not any("[e1]" in text for text in texts[1:])
    (question,) = views.at([(turn.tape_id, turn.question_seq)])
    assert question.meta == {"after_anchor": {"name": "session/start", "seq": start.seq}}
    (call,) = started_calls(turn)
    assert first.question_seq in call["seqs"]
    assert saw.rebuild(turn.tape_id, call).proven


def test_T6_a_persons_correction_is_shown_to_the_model_beside_what_it_corrects(
    ask: Ask, run: Run, model: Model, topic: Topic
) -> None:
    with scripted.serve(says("五次。"), says("好。")) as server:
        model(server)
        first = run(ask("几次？"))
        assert first.answer_seq
        right = entries.correction(first.answer_seq, "三次", topic_id=topic.pk, actor="person:1")
        store.append(topic.tape_id, [right])
        run(ask("再说一遍"))
    texts = [message["content"] for message in told(server, 1)]
    at = texts.index("五次。")
    assert texts[at + 1] == f"[correction of entry {first.answer_seq}] 三次"
