"""How a turn ends short of an answer: limits, stops, lost leases (A1, A8, R3)."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

import pytest
from django.db import connection

from kb_agent import live
from kb_agent.agent import closing
from kb_agent.llm import scripted
from kb_agent.llm.script import calls, says
from tapes import forks
from tests.agent.stories import answer_of, later, story
from tests.live.written import text_so_far
from topics import turns
from topics.models import Turn

if TYPE_CHECKING:
    from pytest_django import Settings

    from tests.agent.conftest import Ask, Model, Run

pytestmark = pytest.mark.usefixtures("shop")

SEARCH = calls("search_code", queries=["退款 重试"])
BUSY_SECONDS = 3
"""What a busy machine may take beside what a rule grants, and still well before any answer is whole."""


def test_A1_in_the_last_step_the_model_must_answer(
    ask: Ask, run: Run, model: Model, settings: Settings
) -> None:
    settings.TURN_MAX_STEPS = 2
    with scripted.serve(SEARCH, says("会。[e1]")) as server:
        model(server)
        turn = run(ask())
    assert (turn.status, turn.reason) == ("done", "")
    assert server.requests[1]["tool_choice"] == "none"
    assert "This is the last step" in server.requests[1]["messages"][0]["content"]


def test_A1_a_model_that_calls_on_and_on_ends_done_at_the_step_limit(
    ask: Ask, run: Run, model: Model, settings: Settings
) -> None:
    settings.TURN_MAX_STEPS = 2
    with scripted.serve(SEARCH, SEARCH) as server:
        model(server)
        turn = run(ask())
    assert (turn.status, turn.reason) == ("done", "step_limit")
    assert story(turn.tape_id).splitlines()[-4:] == [
        "event model_call_ended ok",
        "message assistant: （这一轮的步数用完了，答案没有写完。可以接着问，已查到的都还在。）",
        'event turn_ended {"reason": "step_limit", "status": "done"}',
        "event fork_merged",
    ]
    assert turn.answer_seq is None


def test_A1_tokens_are_a_limit(ask: Ask, run: Run, model: Model, settings: Settings) -> None:
    settings.TURN_MAX_TOKENS = 1000
    with scripted.serve(SEARCH.using(990, 20)) as server:
        model(server)
        turn = run(ask())
    assert (turn.status, turn.reason) == ("done", "token_limit")


def test_A1_tokens_are_estimated_where_a_provider_reports_none(
    ask: Ask, run: Run, model: Model, settings: Settings
) -> None:
    settings.TURN_MAX_TOKENS = 300
    with scripted.serve(SEARCH) as server:
        model(server)
        turn = run(ask())
    assert (turn.status, turn.reason) == ("done", "token_limit")


def test_A1_the_turns_time_ends_it_with_its_partial_answer(
    ask: Ask, run: Run, model: Model, settings: Settings
) -> None:
    settings.TURN_MAX_SECONDS = 2
    with scripted.serve(says("会，最多重试三次。" * 20).in_pieces(4).slowly(between=0.3)) as server:
        model(server)
        began = time.monotonic()
        turn = run(ask())
    assert time.monotonic() - began < 2 + BUSY_SECONDS
    assert (turn.status, turn.reason) == ("done", "time_limit")
    assert answer_of(turn).payload["content"].startswith("会，最多")
    assert answer_of(turn).meta["partial"] is True
    assert turn.answer_seq == answer_of(turn).seq


@pytest.mark.parametrize("seconds_of_silence", [0.0, 5.0])
def test_A8_a_stop_ends_a_running_turn_within_a_second_and_keeps_what_was_written(
    ask: Ask, run: Run, model: Model, seconds_of_silence: float
) -> None:
    turn = ask()
    stopped_at: list[float] = []

    def stop() -> None:
        turns.request_stop(turn.pk, turn.asker.username)
        live.stop(turn.pk)
        stopped_at.append(time.monotonic())

    slow = says("会，最多重试三次。" * 20).in_pieces(4).slowly(seconds_of_silence, between=0.2)
    with scripted.serve(slow) as server:
        model(server)
        stopping = later(
            stop,
            after=lambda: bool(server.requests if seconds_of_silence else text_so_far(turn.pk)),
        )
        ended = run(turn)
        stopping.join()
    assert time.monotonic() - stopped_at[0] < 1 + BUSY_SECONDS
    assert (ended.status, ended.reason) == ("stopped", "stopped")
    lines = story(ended.tape_id).splitlines()
    assert "event model_call_ended stopped stopped" in lines
    assert lines[-3].startswith("message assistant: " + ("（" if seconds_of_silence else "会，"))
    assert lines[-3].endswith("（按要求停止，答案没有写完。）")


def test_A8_with_redis_down_a_stop_is_heard_by_the_heartbeat(
    ask: Ask, run: Run, model: Model, settings: Settings
) -> None:
    settings.TURN_HEARTBEAT_SECONDS = 1
    turn = ask()
    with scripted.serve(says("会，" * 60).in_pieces(2).slowly(between=0.2)) as server:
        model(server)
        stopping = later(
            lambda: turns.request_stop(turn.pk, "mei"), after=lambda: len(server.requests) == 1
        )
        ended = run(turn)
        stopping.join()
    assert ended.status == "stopped"


def test_A1_the_next_turn_knows_that_the_last_one_was_stopped(
    ask: Ask, run: Run, model: Model
) -> None:
    turn = ask()
    with scripted.serve(says("会，" * 60).in_pieces(2).slowly(between=0.2), says("好。")) as server:
        model(server)

        def stop() -> None:
            turns.request_stop(turn.pk, "mei")
            live.stop(turn.pk)

        stopping = later(stop, after=lambda: bool(text_so_far(turn.pk)))
        run(turn)
        stopping.join()
        run(ask("接着说"))
    assert "（按要求停止，答案没有写完。）" in server.requests[1]["messages"][2]["content"]


def test_R3_a_worker_whose_turn_was_taken_writes_nothing_more(
    ask: Ask, model: Model, run: Run, settings: Settings
) -> None:
    settings.TURN_HEARTBEAT_SECONDS = 1
    turn = ask()

    def overtake() -> None:
        _let_lease_lapse(turn)
        assert turns.claim(turn.pk, "another") is not None

    with scripted.serve(says("会，" * 100).in_pieces(2).slowly(between=0.2)) as server:
        model(server)
        overtaking = later(overtake, after=lambda: len(server.requests) == 1)
        with pytest.raises(turns.Lost):
            run(turn)
        overtaking.join()
    assert Turn.objects.get(pk=turn.pk).status == "running"
    assert "message assistant" not in story(turn.tape_id)


def test_R3_a_stale_token_is_refused_by_the_tape_itself(
    ask: Ask, model: Model, run: Run, settings: Settings
) -> None:
    settings.TURN_HEARTBEAT_SECONDS = 60
    turn = ask()

    overtaken = threading.Event()

    def overtake() -> None:
        fork_id = Turn.objects.get(pk=turn.pk).fork_id
        assert fork_id is not None
        forks.renew(fork_id)
        overtaken.set()

    with scripted.serve(SEARCH.once(overtaken)) as server:
        model(server)
        overtaking = later(overtake, after=lambda: len(server.requests) == 1)
        with pytest.raises(turns.Lost):
            run(turn)
        overtaking.join()
    assert "tool_call" not in story(turn.tape_id)


def test_A8_a_message_added_while_the_turn_runs_is_taken_up_at_the_next_step(
    ask: Ask, run: Run, model: Model
) -> None:
    turn, added_now = ask(), threading.Event()

    def add() -> None:
        ask("只看人工处理", joins=turn.pk)
        added_now.set()

    with scripted.serve(SEARCH.once(added_now), says("好，只看人工处理。[e1]")) as server:
        model(server)
        adding = later(add, after=lambda: len(server.requests) == 1)
        ended = run(turn)
        adding.join()
    assert ended.status == "done"
    added = Turn.objects.get(joins=turn.pk)
    assert (added.status, added.taken_by_id) == ("done", turn.pk)
    said = [message["content"] for message in server.requests[1]["messages"]]
    assert "只看人工处理" in said


def _let_lease_lapse(turn: Turn) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE topics_turn SET lease_until = clock_timestamp() - interval '1 second' WHERE id = %s",
            [turn.pk],
        )


def test_A1_a_turn_that_our_own_code_failed_tells_the_next_turns_model(
    ask: Ask, run: Run, model: Model
) -> None:
    claimed = turns.claim(ask().pk, "test")
    assert claimed is not None
    closing.broken(claimed, "ZeroDivisionError")
    with scripted.serve(says("好。")) as server:
        model(server)
        run(ask("再问一次"))
    roles = [message["role"] for message in server.requests[0]["messages"]]
    assert roles == ["system", "user", "assistant", "user"]
    assert "回答时程序出错" in server.requests[0]["messages"][2]["content"]


def test_A1_a_turn_whose_workers_were_all_lost_tells_the_next_turns_model(
    ask: Ask, run: Run, model: Model, settings: Settings
) -> None:
    settings.TURN_MAX_ATTEMPTS = 1
    turn = ask()
    assert turns.claim(turn.pk, "lost") is not None
    _let_lease_lapse(turn)
    assert turns.claim(turn.pk, "second") is None
    with scripted.serve(says("好。")) as server:
        model(server)
        run(ask("再问一次"))
    assert "工作进程几次中断" in server.requests[0]["messages"][2]["content"]


def test_R7_no_connection_is_held_while_a_provider_answers(
    ask: Ask, run: Run, model: Model
) -> None:
    held: list[object] = []
    looked = threading.Event()

    def look() -> None:
        # A connection that was given back is listed for a moment longer.
        deadline = time.monotonic() + 10
        while (found := _sessions()) and time.monotonic() < deadline:
            time.sleep(0.05)
        held.append(found)
        looked.set()

    with scripted.serve(says("好。").once(looked)) as server:
        model(server)
        looking = later(look, after=lambda: len(server.requests) == 1)
        connection.ensure_connection()
        run(ask())
        looking.join()
    assert held == [0]


def _sessions() -> int:
    """Sessions of the test's database beside the one that asks."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            " AND usename = current_user AND pid <> pg_backend_pid()"
        )
        return int(cursor.fetchone()[0])
