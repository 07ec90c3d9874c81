"""A worker is lost at any instant: another goes on, nothing is doubled, and the asker sees an end."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
import redis
from django.conf import settings
from django.db.models.functions import Now

from kb_agent import tasks
from kb_agent.llm import endpoints, scripted
from kb_agent.llm.script import calls, says
from tests.agent.stories import story
from tests.flows import harness
from tests.flows.person import ENDED, Found, Person
from topics.models import Turn

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from kb_agent.accounts.models import User
    from kb_agent.repositories.models import Repository
    from tests.flows.harness import StartWorker

QUESTION = "退款失败后会自动重试吗?"
QUICK = {"KB_AGENT_TURN_LEASE_SECONDS": "3", "KB_AGENT_TURN_HEARTBEAT_SECONDS": "1"}
SEARCH = calls("search_code", query="退款 重试")
ANSWER = says("会, 最多重试 3 次。[e1]")


RunAndDie = Callable[[int, int], int]


@pytest.fixture
def run_and_die(committed_database: None, tmp_path: Path) -> Iterator[RunAndDie]:
    """`run_and_die(turn, n)`: the exit code of a process that ran the turn and died at commit n."""
    with (
        (tmp_path / "crashing.log").open("wb") as log,
        subprocess.Popen(
            [sys.executable, "-m", "tests.flows.crashing"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            env=harness.child_environment(),
        ) as program,
    ):
        assert program.stdin
        assert program.stdout

        def run(turn_id: int, commits: int) -> int:
            print(turn_id, commits, file=program.stdin, flush=True)
            return int(program.stdout.readline())

        yield run
        program.stdin.close()


def what_was_said(tape_id: int) -> list[str]:
    """The story without its bookkeeping: what a crash must neither lose nor double."""
    return [line for line in story(tape_id).splitlines() if not line.startswith("event ")]


def test_R3_killed_after_every_commit_of_a_turn_another_attempt_ends_it_with_nothing_doubled(
    mei: User, run_and_die: RunAndDie
) -> None:
    person = Person(mei)
    whole = person.asks(QUESTION, keep_open=True)
    assert run_and_die(whole["turn"]["id"], 0) == 0
    expected = what_was_said(whole["topic"]["tape"])
    assert expected[-1].startswith("message assistant: ")
    crashes = 0
    while True:
        asked = person.asks(QUESTION, keep_open=True)
        turn_id = asked["turn"]["id"]
        if run_and_die(turn_id, crashes + 1) == 0:
            break
        crashes += 1
        Turn.objects.filter(pk=turn_id, status="running").update(lease_until=Now())
        if Turn.objects.get(pk=turn_id).status == "running":
            assert run_and_die(turn_id, 0) == 0
        turn = person.waits_for(asked["turn"], within=1)
        assert turn["status"] == "done", f"after commit {crashes}"
        assert what_was_said(asked["topic"]["tape"]) == expected, f"after commit {crashes}"
    assert crashes >= 8


def test_R3_killed_inside_a_model_call_the_turn_goes_on_and_the_ledger_says_unknown(
    mei: User, start_worker: StartWorker
) -> None:
    person = Person(mei)
    with scripted.serve(SEARCH, ANSWER.slowly(60), ANSWER) as model:
        endpoints.add("scripted", base_url=model.url, model="m")
        first = start_worker(**QUICK)
        asked = person.asks(QUESTION)
        wait_until(lambda: len(model.requests) == 2)
        first.kill()
        second = start_worker(**QUICK)
        turn = swept(person, asked["turn"])
        assert (turn["status"], turn["attempts"]) == ("done", 2), second.lines()[-20:]
    assert story(asked["topic"]["tape"]).splitlines()[3:] == [
        "event model_call_ended ok",
        'tool_call search_code {"query": "退款 重试"}',
        "tool_result search_code: lands in: shop",
        "event model_call_started",
        'event turn_started {"attempt": 2}',
        "event model_call_ended unknown",
        "event model_call_started",
        "event model_call_ended ok",
        "message assistant: 会, 最多重试 3 次。[e1]",
        'event turn_ended {"reason": "", "status": "done"}',
        "event fork_merged",
    ]


def test_R3_a_worker_stopped_past_its_lease_and_woken_again_is_refused(
    mei: User, start_worker: StartWorker
) -> None:
    person = Person(mei)
    with scripted.serve(SEARCH, ANSWER.slowly(5), ANSWER) as model:
        endpoints.add("scripted", base_url=model.url, model="m")
        first = start_worker(**QUICK)
        asked = person.asks(QUESTION)
        wait_until(lambda: len(model.requests) == 2)
        first.popen.send_signal(signal.SIGSTOP)
        start_worker(**QUICK)
        assert swept(person, asked["turn"])["status"] == "done"
        ended = story(asked["topic"]["tape"])
        first.popen.send_signal(signal.SIGCONT)
        wait_until(lambda: any("went on elsewhere" in line for line in first.lines()))
    assert story(asked["topic"]["tape"]) == ended
    assert ended.count("message assistant") == 1


def test_R2_the_sweep_finds_a_turn_whose_message_was_lost(
    mei: User, shop: Repository, start_worker: StartWorker
) -> None:
    person = Person(mei)
    asked = person.asks(QUESTION)
    redis.Redis.from_url(settings.REDIS_URL).flushall()
    worker = start_worker()
    assert person.sees(f"/api/turns/{asked['turn']['id']}")["status"] == "waiting"
    assert swept(person, asked["turn"])["status"] == "done", worker.lines()[-20:]


def swept(person: Person, turn: Found) -> Found:
    """The turn's end, with the sweep that beat would send every few seconds."""
    deadline = time.monotonic() + 40
    while True:
        tasks.sweep()
        now = person.sees(f"/api/turns/{turn['id']}")
        if now["status"] in ENDED or time.monotonic() > deadline:
            return now
        time.sleep(0.5)


def wait_until(holds: Callable[[], bool], *, within: float = 40) -> None:
    """Wait for something that will happen."""
    deadline = time.monotonic() + within
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.05)
