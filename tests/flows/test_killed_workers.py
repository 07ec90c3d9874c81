"""A worker killed at any instant leaves a turn that another one finishes, or ends visibly (R3, A1)."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connections, transaction
from django.utils import timezone

from tapes import verify, views
from tapes.views import View
from tests.agent.stories import story
from tests.api import company
from tests.flows import harness, wholeness
from tests.flows.harness import until
from tests.flows.person import Person
from tests.topics import acting
from topics import turns
from topics.models import Turn

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from kb_agent.accounts.models import User
    from tests.flows.harness import StartWorker
    from tests.flows.steady import SteadyServer

# Several real workers start, one after the other, on whatever machine this is.
pytestmark = pytest.mark.timeout(500)

PATIENCE = 5
"""Seconds a busy machine may take beside lease and sweep."""


@dataclass
class Doomed:
    """Worker processes that kill themselves, one after the other (`doomed.py`)."""

    popen: subprocess.Popen[str]

    def runs(self, turn: Turn, point: str = "never", number: int = 0) -> bool:
        """Let one work on a turn; says whether it was killed before it ended."""
        assert self.popen.stdin is not None
        assert self.popen.stdout is not None
        self.popen.stdin.write(f"{turn.pk} {point} {number}\n")
        self.popen.stdin.flush()
        said = self.popen.stdout.readline().strip()
        assert said in {"killed", "ended"}, said
        return said == "killed"


@pytest.fixture
def doomed(committed_database: None) -> Iterator[Doomed]:
    """Doomed workers with a short lease, two for each turn."""
    environment = harness.child_environment(**wholeness.SHORT, KB_AGENT_TURN_MAX_ATTEMPTS="2")
    with subprocess.Popen(
        [sys.executable, "-m", "tests.flows.doomed"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
        cwd=harness.ROOT,
    ) as popen:
        yield Doomed(popen)
        popen.kill()


def asked(mei: User) -> Turn:
    """The question, on a tape of its own."""
    return company.asked(company.opened(mei), wholeness.QUESTION, language="zh")


def taken_over(turns_left: list[Turn], doomed: Doomed) -> list[Turn]:
    """Let the sweep find them once their leases have lapsed, and other workers end them."""
    waiting = {turn.pk: turn for turn in turns_left}
    deadline = time.monotonic() + 60 + 3 * len(waiting)
    while unfinished := Turn.objects.filter(
        pk__in=waiting, status__in=["waiting", "running"]
    ).count():
        assert time.monotonic() < deadline, f"{unfinished} turns are left"
        for turn_id in turns.due():
            assert not doomed.runs(waiting[turn_id])
        time.sleep(0.05)
    return list(Turn.objects.filter(pk__in=waiting).order_by("pk"))


def test_R3_a_worker_killed_at_any_instant_leaves_a_turn_that_another_finishes(
    mei: User, steady: SteadyServer, doomed: Doomed
) -> None:
    doomed.runs(asked(mei), "here")
    left = [*killed_at(mei, doomed, "commit"), *killed_at(mei, doomed, "statement", every=8)]
    assert len(left) > 25
    for ended in taken_over(left, doomed):
        wholeness.check(ended)


def killed_at(mei: User, doomed: Doomed, point: str, *, every: int = 1) -> list[Turn]:
    """Turns whose worker was killed after the first, the second, … of these points, up to the last."""
    left: list[Turn] = []
    while doomed.runs(turn := asked(mei), point, len(left) * every + 1):
        left.append(turn)
    wholeness.check(Turn.objects.get(pk=turn.pk))
    return left


def test_R3_a_turn_that_kills_every_worker_ends_failed_and_keeps_its_costs(
    mei: User, steady: SteadyServer, doomed: Doomed
) -> None:
    turn = asked(mei)
    steady.on_request = lambda _: kill_worker()
    for _ in range(2):
        assert doomed.runs(turn)
        acting.lapse(turn)
    assert turns.due() == [turn.pk]
    assert not doomed.runs(turn)
    turn.refresh_from_db()
    assert (turn.status, turn.reason, turn.attempts) == ("failed", "worker_lost", 2)
    assert story(turn.tape_id).splitlines() == [
        f"message user: {wholeness.QUESTION}",
        'event turn_started {"attempt": 1}',
        "event model_call_started",
        'event turn_started {"attempt": 2}',
        "event model_call_ended unknown",
        "event model_call_started",
        "message assistant: （回答它的工作进程几次中断，答案没有写完。问题还在，可以再问一次。）",
        "error turn_failed: the worker was lost 2 times",
        "event model_call_ended unknown",
        'event turn_ended {"reason": "worker_lost", "status": "failed"}',
        "event fork_merged",
    ]
    assert verify.verify(turn.tape_id).ok


def test_R3_a_worker_killed_inside_a_model_call_is_replaced_within_lease_and_sweep(
    mei: User, steady: SteadyServer, start_worker: StartWorker
) -> None:
    for _ in range(2):
        start_worker("turns,upkeep", beat=True, **wholeness.SHORT)
    killed: list[datetime] = []

    def kill_once(_: Any) -> None:
        if not killed:
            killed.append(timezone.now())
            kill_worker()

    steady.on_request = kill_once
    person = Person(mei)
    turn = person.waits_for(person.asks(wholeness.QUESTION)["turn"], within=150)
    ended = Turn.objects.get(pk=turn["id"])
    assert ended.attempts == 2
    wholeness.check(ended)
    begun = views.read(ended.tape_id, View.of_turns([ended.pk]).only("event"))
    again = next(entry for entry in begun if entry.payload.get("data") == {"attempt": 2})
    assert (again.date - killed[0]).total_seconds() < wholeness.LEASE + wholeness.SWEEP + PATIENCE


def test_R3_a_worker_killed_inside_a_tool_is_replaced_and_the_tool_runs_again(
    mei: User, steady: SteadyServer, start_worker: StartWorker
) -> None:
    doomed = start_worker("turns,upkeep", beat=True, **wholeness.SHORT)
    person = Person(mei)
    with connections["owner"].cursor() as cursor, transaction.atomic(using="owner"):
        cursor.execute("LOCK TABLE repositories_term IN ACCESS EXCLUSIVE MODE")
        asked = person.asks(wholeness.QUESTION)
        until(lambda: waits_for_lock("repositories_term"))
        doomed.kill()
    start_worker("turns,upkeep", beat=True, **wholeness.SHORT)
    turn = person.waits_for(asked["turn"], within=150)
    assert turn["attempts"] == 2
    wholeness.check(Turn.objects.get(pk=turn["id"]))


def kill_worker() -> None:
    """Kill the process that runs the only running turn; called while the model is asked."""
    os.kill(int(Turn.objects.get(status="running").worker.split(":")[1]), signal.SIGKILL)
    connections.close_all()


def waits_for_lock(table: str) -> bool:
    """Whether someone waits until this table is free."""
    with connections["owner"].cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_locks WHERE relation = %s::regclass AND NOT granted", [table]
        )
        return bool(cursor.fetchone()[0])
