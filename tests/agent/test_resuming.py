"""An attempt that takes over goes on where the tape ends, whatever the last one was doing (R3, T18)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.db import connection

from kb_agent.agent import accounting, asking, loop, recording, view
from kb_agent.agent.attempt import Attempt
from kb_agent.agent.pulse import Pulse
from kb_agent.llm import endpoints, scripted
from kb_agent.llm.script import calls, says
from tests.agent.stories import story
from topics import turns
from topics.models import Turn

if TYPE_CHECKING:
    from tests.agent.conftest import Ask, Model

pytestmark = pytest.mark.usefixtures("shop")

SEARCH = calls("search_code", queries=["退款 重试"])


def attempt_at(turn: Turn) -> Attempt:
    """A first attempt, driven by hand up to where its worker is lost."""
    claimed = turns.claim(turn.pk, "lost")
    assert claimed is not None
    return Attempt.of(claimed, asker_id=turn.asker_id, pulse=Pulse(turn.pk))


def take_over(turn: Turn) -> Turn:
    """Another worker claims the turn after its lease has lapsed, and carries it to its end."""
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE topics_turn SET lease_until = clock_timestamp() - interval '1 second' WHERE id = %s",
            [turn.pk],
        )
    claimed = turns.claim(turn.pk, "second")
    assert claimed is not None
    loop.run(claimed, asker=claimed.turn.asker)
    return Turn.objects.get(pk=turn.pk)


def test_R3_a_call_that_was_begun_and_never_recorded_is_closed_as_unknown(
    ask: Ask, model: Model
) -> None:
    turn = ask()
    with scripted.serve(says("会。")) as server:
        model(server)
        lost = attempt_at(turn)
        seen = view.build(lost)
        accounting.TapeLedger(lost, seen, purpose="answer").started(
            endpoints.chosen()[0], "lost call"
        )
        ended = take_over(turn)
    assert ended.status == "done"
    assert story(turn.tape_id).splitlines() == [
        "message user: 退款失败后会自动重试吗？",
        'event turn_started {"attempt": 1}',
        "event model_call_started",
        'event turn_started {"attempt": 2}',
        "event model_call_ended unknown",
        "event model_call_started",
        "event model_call_ended ok",
        "message assistant: 会。",
        'event turn_ended {"reason": "", "status": "done"}',
        "event fork_merged",
    ]


def test_R3_a_recorded_call_without_results_runs_its_tools_and_is_not_asked_for_again(
    ask: Ask, model: Model
) -> None:
    turn = ask()
    with scripted.serve(SEARCH, says("会。[e1]")) as server:
        model(server)
        lost = attempt_at(turn)
        seen = view.build(lost)
        recording.called(lost, seen, asking.ask(lost, seen))
        ended = take_over(turn)
    assert len(server.requests) == 2
    assert ended.status == "done"
    assert story(turn.tape_id).splitlines() == [
        "message user: 退款失败后会自动重试吗？",
        'event turn_started {"attempt": 1}',
        "event model_call_started",
        "event model_call_ended ok",
        'tool_call search_code {"queries": ["退款 重试"]}',
        'event turn_started {"attempt": 2}',
        "tool_result search_code: lands in: shop",
        "event model_call_started",
        "event model_call_ended ok",
        "message assistant: 会。[e1]",
        'event turn_ended {"reason": "", "status": "done"}',
        "event fork_merged",
    ]


def test_R3_recorded_steps_are_skipped_and_counted(ask: Ask, model: Model) -> None:
    turn = ask()
    with scripted.serve(SEARCH.using(100, 10), says("会。[e1]")) as server:
        model(server)
        lost = attempt_at(turn)
        seen = view.build(lost)
        step = recording.called(lost, seen, asking.ask(lost, seen))
        recording.resulted(lost, seen, step, loop.toolbox.run(step.calls, seen.desk, lost.pulse))
        take_over(turn)
    assert story(turn.tape_id).count("tool_call") == 1
    assert [message["role"] for message in server.requests[1]["messages"]] == [
        "system",
        "user",
        "assistant",
        "tool",
    ]
