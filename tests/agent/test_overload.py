"""A topic too long for its model goes on in segments, and loses neither the question nor its evidence (P8)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from kb_agent.agent import asking, overload, prompt, recording, summing_up, toolbox, view
from kb_agent.llm import scripted, usage
from kb_agent.llm.script import calls, refuses, says
from tapes import entries, saw, store, views
from tapes.views import View
from tests.agent import shops
from tests.agent.stories import answer_of
from tests.agent.test_resuming import attempt_at, take_over
from tests.agent.test_what_was_seen import started_calls

if TYPE_CHECKING:
    from pathlib import Path

    from django.contrib.auth.models import Group

    from kb_agent.accounts.models import User
    from kb_agent.repositories.models import Repository
    from tapes.entries import Entry
    from tests.agent.conftest import Ask, Model, Run
    from topics.models import Topic, Turn

# Whatever the prompt and the tools take: beside them there is room for two steps, not for three.
FIXED = usage.estimate(prompt.system(readable=1, branch="", last_step=False)) + usage.estimate(
    json.dumps(toolbox.schemas(), ensure_ascii=False)
)
WINDOW = int((FIXED + 1_700) * 1.1 / 0.75)
QUESTION = "退款失败后会自动重试吗？每一步都说清楚。"
TOO_LONG = refuses(
    400, f"This model's maximum context length is {WINDOW} tokens.", code="context_length_exceeded"
)


@pytest.fixture
def mill(staff: Group, tmp_path: Path) -> Repository:
    """Code of many lines: reading a part of it fills a small window."""
    files = {
        f"mill/stage{stage}.py": "\n".join(
            f"STAGE_{stage}_LIMIT_{line} = {line}  # 第 {line} 道工序的上限"
            for line in range(1, 201)
        )
        for stage in range(1, 10)
    }
    return shops.indexed("mill", files, group=staff, place=tmp_path / "mill")


def read(stage: int, first: int = 1, last: int = 100) -> Any:
    """The model reads a part of the mill."""
    path = f"mill/stage{stage}.py"
    return calls("read_lines", repository="mill", path=path, start_line=first, end_line=last)


def overloads_of(turn: Turn) -> list[Entry]:
    """The anchors that closed segments while a turn ran."""
    found = views.read(turn.tape_id, View.of_turns([turn.pk]).only("anchor"))
    return [entry for entry in found if entry.payload["name"] == "brain_overload"]


def fits(request: dict[str, Any]) -> bool:
    """Whether a request leaves a quarter of the window for the answer, by our estimate."""
    sent = json.dumps([request["messages"], request.get("tools", [])], ensure_ascii=False)
    return usage.estimate(sent) * 1.1 <= WINDOW * 3 / 4


def texts(request: dict[str, Any]) -> list[str]:
    """What each message says."""
    return [str(message["content"]) for message in request["messages"]]


@pytest.mark.usefixtures("mill")
def test_P8_every_call_fits_and_holds_the_question_and_the_last_whole_step(
    ask: Ask, run: Run, model: Model
) -> None:
    steps = [read(stage) for stage in range(1, 8)]
    with scripted.serve(*steps, says("会，按道次。[e1][e7]")) as server:
        model(server, window=WINDOW)
        turn = run(ask(QUESTION))
    assert (turn.status, turn.reason) == ("done", "")
    assert len(overloads_of(turn)) >= 3
    for number, request in enumerate(server.requests):
        assert fits(request), number
        assert QUESTION in texts(request)
        if number:
            *_, called, result = request["messages"]
            assert called["tool_calls"][0]["function"]["arguments"].count(f"stage{number}.py")
            assert result["tool_call_id"] == called["tool_calls"][0]["id"]
            assert f"STAGE_{number}_LIMIT_1 = 1" in result["content"]
    # What was minted in a closed segment is cited after it (A5).
    meta = answer_of(turn).meta
    assert [one["path"] for one in meta["citations"]] == ["mill/stage1.py", "mill/stage7.py"]
    assert meta["verified"]
    assert meta["dropped"] == 0


@pytest.mark.usefixtures("mill")
def test_T18_what_the_model_saw_after_an_overload_is_rebuilt_and_proven(
    ask: Ask, run: Run, model: Model
) -> None:
    with scripted.serve(*[read(stage) for stage in range(1, 6)], says("会。[e1]")) as server:
        model(server, window=WINDOW)
        turn = run(ask(QUESTION))
    started = [call for call in started_calls(turn) if call["purpose"] == "answer"]
    assert len(started) == len(server.requests) == 6
    assert overloads_of(turn)
    for call, request in zip(started, server.requests, strict=True):
        rebuilt = saw.rebuild(turn.tape_id, call)
        assert rebuilt.proven
        assert rebuilt.messages == request["messages"]


@pytest.mark.usefixtures("mill")
def test_P8_segments_leave_no_gap_and_the_anchor_says_what_it_closes_and_keeps(
    ask: Ask, run: Run, model: Model, topic: Topic
) -> None:
    with scripted.serve(*[read(stage) for stage in range(1, 7)], says("会。[e1]")) as server:
        model(server, window=WINDOW)
        turn = run(ask(QUESTION))
    closing = overloads_of(turn)
    first = topic.initial_seq
    for anchor in closing:
        state = anchor.payload["state"]
        assert state["closes"][0] == first
        assert state["closes"][1] < anchor.seq
        assert turn.question_seq in state["keeps"]
        assert state["tokens"] > 0
        assert state["summed_up_by"] == "rule"
        assert anchor.why == "the messages would pass the model's window"
        first = anchor.seq
    told = closing[0].payload["state"]["text"]
    assert "[e1] mill/mill/stage1.py lines 1-100" in told
    # What was kept of the first segment is carried on.
    assert "[e1] mill/mill/stage1.py" in closing[-1].payload["state"]["text"]


@pytest.mark.usefixtures("mill")
def test_P8_a_refusal_closes_a_segment_too_and_teaches_the_window(
    ask: Ask, run: Run, model: Model
) -> None:
    steps = [read(1, last=200), TOO_LONG, says("会。[e1]")]
    with scripted.serve(*steps) as server:
        model(server)
        turn = run(ask(QUESTION))
    (anchor,) = overloads_of(turn)
    assert (turn.status, turn.reason) == ("done", "")
    assert not fits(server.requests[1])
    # The step itself was too long for the window that was learnt: it is told by its beginning.
    assert fits(server.requests[2])
    assert QUESTION in texts(server.requests[2])
    assert "The last step's result begins: read_lines" in anchor.payload["state"]["text"]


@pytest.mark.usefixtures("mill")
def test_P8_a_question_too_long_by_itself_ends_with_that_reason(
    ask: Ask, run: Run, model: Model
) -> None:
    with scripted.serve() as server:
        model(server, window=WINDOW)
        turn = run(ask("退款？" * 3_000))
    assert (turn.status, turn.reason) == ("done", "question_too_long")
    assert "超出了模型一次能读的长度" in answer_of(turn).payload["content"]
    assert overloads_of(turn) == []
    assert server.requests == []


@pytest.mark.usefixtures("mill")
def test_P8_a_model_that_refuses_whatever_it_is_sent_ends_the_turn_by_name(
    ask: Ask, run: Run, model: Model
) -> None:
    refusal = refuses(413, "too large")
    with scripted.serve(read(1), *[refusal] * 9) as server:
        model(server)
        turn = run(ask(QUESTION))
    assert (turn.status, turn.reason) == ("done", "question_too_long")
    assert len(overloads_of(turn)) <= 2


@pytest.mark.usefixtures("mill")
def test_P8_overloads_in_one_turn_are_bounded(
    ask: Ask, run: Run, model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(overload, "MOST", 2)
    with scripted.serve(*[read(stage) for stage in range(1, 9)]) as server:
        model(server, window=WINDOW)
        turn = run(ask(QUESTION))
    assert (turn.status, turn.reason) == ("done", "overload_limit")
    assert len(overloads_of(turn)) == 2


@pytest.mark.usefixtures("mill")
def test_P8_the_next_question_begins_after_the_overload_with_what_it_keeps(
    ask: Ask, run: Run, model: Model
) -> None:
    steps = [read(stage) for stage in range(1, 4)]
    with scripted.serve(*steps, says("会，三次。[e1]"), says("一分钟。[e1]")) as server:
        model(server, window=WINDOW)
        first = run(ask(QUESTION))
        second = run(ask("间隔多久？"))
    told = texts(server.requests[-1])
    assert told[1].startswith("[brain_overload] [The conversation before this")
    assert QUESTION in told
    assert "会，三次。[e1]" in told
    assert told[-1] == "间隔多久？"
    assert len(overloads_of(first)) >= 1
    assert answer_of(second).meta["verified"]


@pytest.mark.usefixtures("mill")
def test_P8_the_topics_notes_of_others_are_shown_after_every_overload_word_for_word(
    ask: Ask, run: Run, model: Model, topic: Topic
) -> None:
    note = "You asked something like this in March: refunds are tried three times."
    state = {"text": note, "topics": []}
    recalled = entries.anchor("recall_anchor", state, topic_id=topic.pk, actor="system")
    store.append(topic.tape_id, [recalled])
    with scripted.serve(*[read(stage) for stage in range(1, 7)], says("会。[e1]")) as server:
        model(server, window=WINDOW)
        turn = run(ask(QUESTION))
    assert len(overloads_of(turn)) >= 2
    assert all(f"[recall_anchor] {note}" in texts(request) for request in server.requests)


@pytest.mark.usefixtures("mill")
def test_P8_a_message_added_meanwhile_is_kept_word_for_word_as_well(
    ask: Ask, run: Run, model: Model
) -> None:
    turn = ask(QUESTION)
    added = "礼品卡付的也一样吗？"
    ask(added, joins=turn.pk)
    with scripted.serve(*[read(stage) for stage in range(1, 5)], says("会。[e1]")) as server:
        model(server, window=WINDOW)
        ended = run(turn)
    assert overloads_of(ended)
    assert all({QUESTION, added} <= set(texts(request)) for request in server.requests)


@pytest.mark.usefixtures("mill")
def test_P8_a_models_summary_is_kept_where_its_statements_name_their_entries(
    ask: Ask, run: Run, model: Model
) -> None:
    turn = ask(QUESTION)
    seq = turn.question_seq
    statements = [
        {"text": "第一道工序的上限写在 stage1。[e1] 不存在的 [e99]", "seqs": [seq]},
        {"text": "没有出处的话", "seqs": []},
        {"text": "别处的话", "seqs": [seq, 4_000]},
        {"text": "瞎写的序号", "seqs": [str(seq), True]},
    ]
    with scripted.serve(*[read(stage) for stage in range(1, 4)], says("会。[e1]")) as server:
        said = says(json.dumps({"statements": statements}, ensure_ascii=False)).using(5_000, 90)
        server.add_beside("You sum up the record", said)
        model(server, window=WINDOW)
        turn = run(turn)
    state = overloads_of(turn)[0].payload["state"]
    assert state["summed_up_by"] == "model"
    spoken = [one for one in state["statements"] if one["kind"] == "said"]
    kept = "第一道工序的上限写在 stage1。[e1] 不存在的"
    assert spoken == [{"kind": "said", "text": kept, "seqs": [seq]}]
    assert f"- {kept} (entry {seq})" in state["text"]
    # The call is on the turn's ledger, and in no window.
    hidden = [call for call in started_calls(turn) if call["purpose"] == "overload"]
    assert hidden[0]["payer"] == turn.asker_id
    assert "seqs" not in hidden[0]


@pytest.mark.usefixtures("mill")
def test_P8_a_summary_longer_than_what_it_stands_for_is_dropped(
    ask: Ask, run: Run, model: Model
) -> None:
    turn = ask(QUESTION)
    long = {"statements": [{"text": "长" * 400, "seqs": [turn.question_seq]}] * 30}
    with scripted.serve(*[read(stage) for stage in range(1, 4)], says("会。[e1]")) as server:
        server.add_beside("You sum up the record", says(json.dumps(long, ensure_ascii=False)))
        model(server, window=WINDOW)
        turn = run(turn)
    assert overloads_of(turn)[0].payload["state"]["summed_up_by"] == "rule"


@pytest.mark.usefixtures("mill")
@pytest.mark.parametrize("answer", [refuses(500), says("no JSON"), says("[1, 2]")])
def test_P8_the_boundary_does_not_depend_on_a_summary(
    ask: Ask, run: Run, model: Model, answer: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(summing_up, "SECONDS", 0.5)
    with scripted.serve(*[read(stage) for stage in range(1, 4)], says("会。[e1]")) as server:
        for _ in range(9):
            server.add_beside("You sum up the record", answer)
        model(server, window=WINDOW)
        turn = run(ask(QUESTION))
    assert (turn.status, turn.reason) == ("done", "")
    assert overloads_of(turn)[0].payload["state"]["summed_up_by"] == "rule"


@pytest.mark.usefixtures("mill")
def test_P8_summaries_can_be_switched_off(ask: Ask, run: Run, model: Model, settings: Any) -> None:
    settings.OVERLOAD_SUMMARIES = False
    with scripted.serve(*[read(stage) for stage in range(1, 4)], says("会。[e1]")) as server:
        model(server, window=WINDOW)
        turn = run(ask(QUESTION))
    assert overloads_of(turn)
    assert all(call["purpose"] == "answer" for call in started_calls(turn))


@pytest.mark.usefixtures("mill")
def test_R3_a_worker_lost_after_an_overload_leaves_one_that_the_next_goes_on_with(
    ask: Ask, model: Model
) -> None:
    turn = ask(QUESTION)
    with scripted.serve(*[read(stage) for stage in range(1, 4)], says("会。[e1]")) as server:
        model(server, window=WINDOW)
        lost = attempt_at(turn)
        for _ in range(3):
            seen = view.build(lost)
            step = recording.called(lost, seen, asking.ask(lost, seen))
            ran = toolbox.run(step.calls, seen.desk, lost.pulse)
            recording.resulted(lost, seen, step, ran)
        overload.split(lost, view.build(lost))
        ended = take_over(turn)
    assert (ended.status, ended.reason) == ("done", "")
    assert len(overloads_of(ended)) == 1
    assert len(server.requests) == 4
    told = texts(server.requests[-1])
    assert told[1].startswith("[brain_overload]")
    assert QUESTION in told
    assert "STAGE_3_LIMIT_1 = 1" in told[-1]


@pytest.mark.usefixtures("mill")
def test_C7_what_is_kept_of_a_segment_leaves_with_the_grant(
    ask: Ask, run: Run, model: Model, mei: User, mill: Repository
) -> None:
    with scripted.serve(
        *[read(stage) for stage in range(1, 4)], says("会。[e1]"), says("不知道。")
    ) as server:
        model(server, window=WINDOW)
        turn = run(ask(QUESTION))
        assert overloads_of(turn)[0].sources == (mill.pk,)
        mei.groups.clear()
        run(ask("再说一遍"))
    told = texts(server.requests[-1])
    assert told[1] == "[brain_overload] [withheld]"
    assert "stage1" not in "".join(told[1:])
