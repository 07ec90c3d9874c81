"""What people changed outside a turn's window is heeded inside it: dismissals, corrections (P7, P8, T6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kb_agent.llm import scripted
from kb_agent.llm.script import says
from tapes import entries, saw, store
from tests.agent.test_overload import QUESTION, WINDOW, mill, overloads_of, read, texts
from tests.agent.test_what_was_seen import started_calls
from topics import dismissing

if TYPE_CHECKING:
    from kb_agent.accounts.models import User
    from tests.agent.conftest import Ask, Model, Run
    from topics.models import Topic

__all__ = ["mill"]


@pytest.mark.usefixtures("mill")
@pytest.mark.parametrize("dismissed", [True, False])
def test_P7_a_recall_is_shown_after_an_overload_unless_it_was_dismissed(
    ask: Ask, run: Run, model: Model, topic: Topic, mei: User, *, dismissed: bool
) -> None:
    # It recalls itself, since nobody may see a topic that is not there.
    place = {"topic": topic.pk, "tape": topic.tape_id, "range": [1, 2], "title": "退款"}
    text = f"Earlier topics:\n- topic {topic.pk} says refunds are tried nine times."
    state = {"text": text, "topics": [place]}
    recalled = entries.anchor("recall_anchor", state, topic_id=topic.pk, actor="system")
    store.append(topic.tape_id, [recalled])
    if dismissed:
        dismissing.dismiss(topic, topic.pk, actor=f"person:{mei.pk}")
    with scripted.serve(*[read(stage) for stage in range(1, 5)], says("会。[e1]")) as server:
        model(server, window=WINDOW)
        turn = run(ask(QUESTION))
    assert overloads_of(turn)
    told = ["nine times" in "".join(texts(request)) for request in server.requests]
    assert told == [not dismissed] * 5
    answering = [call for call in started_calls(turn) if call["purpose"] == "answer"]
    assert all(saw.rebuild(turn.tape_id, call).proven for call in answering)


@pytest.mark.usefixtures("mill")
def test_T6_a_correction_of_what_is_kept_is_shown_beside_it_after_an_overload(
    ask: Ask, run: Run, model: Model, topic: Topic
) -> None:
    steps = [read(stage) for stage in range(1, 5)]
    with scripted.serve(says("五次。"), *steps, says("会。[e1]")) as server:
        model(server, window=WINDOW)
        turn = ask(QUESTION)
        right = "问的是礼品卡付的订单。"
        store.append(
            topic.tape_id, [entries.correction(turn.question_seq, right, topic_id=topic.pk)]
        )
        run(turn)
        second = run(ask("那么一共多久？"))
    assert overloads_of(second)
    told = texts(server.requests[-1])
    asked = [number for number, text in enumerate(told) if text == QUESTION]
    for number in asked:
        assert told[number + 1] == f"[correction of entry {turn.question_seq}] {right}"
