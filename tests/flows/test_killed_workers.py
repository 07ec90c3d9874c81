"""A worker killed at any instant leaves a turn that another one finishes, or ends visibly (R3, A1)."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connections, transaction
from django.utils import timezone

from kb_agent.llm import endpoints
from kb_agent.llm.script import calls, calls_all, says
from tapes import store, verify, views
from tapes.views import View
from tests.agent.stories import story
from tests.api import company
from tests.flows import harness
from tests.flows.harness import until
from tests.flows.person import Person
from tests.flows.steady import SteadyServer
from tests.topics import acting
from topics import turns
from topics.models import Turn

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from kb_agent.accounts.models import User
    from tests.flows.harness import StartWorker

STEPS = (
    calls_all(
        calls("search_code", query="退款 重试"), calls("list_files", repository="shop")
    ).using(900, 20),
    calls("read_lines", repository="shop", path="payments/retry.py").using(1200, 10),
    says("会, 最多重试 3 次。[e1]").using(1500, 30),
)
LEASE, SWEEP = 3, 1
PATIENCE = 5
"""Seconds a busy machine may take beside."""
SHORT = {
    "KB_AGENT_TURN_LEASE_SECONDS": str(LEASE),
    "KB_AGENT_TURN_HEARTBEAT_SECONDS": "1",
    "KB_AGENT_SWEEP_SECONDS": str(SWEEP),
}
PAID = 920 + 1210 + 1530
WHOLE = """\
message user: 退款失败后会自动重试吗?
event turn_started {"attempt": 1}
event model_call_started
event model_call_ended ok 920 tokens
tool_call search_code {"query": "退款 重试"} | list_files {"repository": "shop"}
tool_result search_code: lands in: shop | list_files: payments/manual.py
event model_call_started
event model_call_ended ok 1210 tokens
tool_call read_lines {"repository": "shop", "path": "payments/retry.py"}
tool_result read_lines:
event model_call_started
event model_call_ended ok 1530 tokens
message assistant: 会, 最多重试 3 次。[e1]
event turn_ended {"reason": "", "status": "done"}
event fork_merged"""


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
    environment = harness.child_environment(**SHORT, KB_AGENT_TURN_MAX_ATTEMPTS="2")
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


@pytest.fixture
def model(shop: Any) -> Iterator[SteadyServer]:
    """A model that answers in three steps, and says the same when it is asked again."""
    server = SteadyServer(*STEPS)
    with server.running():
        endpoints.add("scripted", base_url=server.url, model="m")
        yield server


def asked(mei: User) -> Turn:
    """The question, on a tape of its own."""
    return company.asked(company.opened(mei), "退款失败后会自动重试吗?", language="zh")


def taken_over(turns_left: list[Turn], doomed: Doomed) -> list[Turn]:
    """Let the sweep find them once their leases have lapsed, and other workers end them."""
    waiting = {turn.pk: turn for turn in turns_left}
    deadline = time.monotonic() + 20 + len(waiting)
    while unfinished := Turn.objects.filter(
        pk__in=waiting, status__in=["waiting", "running"]
    ).count():
        assert time.monotonic() < deadline, f"{unfinished} turns are left"
        for turn_id in turns.due():
            assert not doomed.runs(waiting[turn_id])
        time.sleep(0.05)
    return list(Turn.objects.filter(pk__in=waiting).order_by("pk"))


def undisturbed(turn: Turn) -> str:
    """Its story without what tells of a lost attempt: that another began, and calls lost with it."""
    lines = story(turn.tape_id).splitlines()
    lost = lines.count("event model_call_ended unknown")
    kept = [
        line
        for line in lines
        if line != "event model_call_ended unknown" and 'turn_started {"attempt": 2}' not in line
    ]
    for _ in range(lost):
        doubled = next(
            at
            for at in range(1, len(kept))
            if kept[at - 1] == kept[at] == "event model_call_started"
        )
        del kept[doubled]
    return "\n".join(kept)


def check_whole(turn: Turn) -> None:
    """Answered, every entry once, the chain unbroken, each call begun also ended, all costs kept."""
    assert (turn.status, turn.reason) == ("done", "")
    assert turn.attempts <= 2
    assert undisturbed(turn) == WHOLE
    entries = views.read(turn.tape_id, View.seqs())
    assert [entry.seq for entry in entries] == list(range(1, store.get(turn.tape_id).head + 1))
    assert verify.verify(turn.tape_id).ok
    events = [entry.payload for entry in entries if entry.kind == "event"]
    begun = Counter(
        event["data"]["call"] for event in events if event["name"] == "model_call_started"
    )
    ended = [event["data"] for event in events if event["name"] == "model_call_ended"]
    assert begun == Counter(call["call"] for call in ended)
    assert Counter(call["status"] for call in ended)["unknown"] <= 1
    assert sum(sum(call["usage"].values()) for call in ended if call["usage"]) == PAID


def test_R3_a_worker_killed_at_any_instant_leaves_a_turn_that_another_finishes(
    mei: User, model: SteadyServer, doomed: Doomed
) -> None:
    doomed.runs(asked(mei), "here")
    left = [*killed_at(mei, doomed, "commit"), *killed_at(mei, doomed, "statement", every=8)]
    assert len(left) > 25
    for ended in taken_over(left, doomed):
        check_whole(ended)


def killed_at(mei: User, doomed: Doomed, point: str, *, every: int = 1) -> list[Turn]:
    """Turns whose worker was killed after the first, the second, … of these points, up to the last."""
    left: list[Turn] = []
    while doomed.runs(turn := asked(mei), point, len(left) * every + 1):
        left.append(turn)
    check_whole(Turn.objects.get(pk=turn.pk))
    return left


def test_R3_a_turn_that_kills_every_worker_ends_failed_and_keeps_its_costs(
    mei: User, model: SteadyServer, doomed: Doomed
) -> None:
    turn = asked(mei)
    model.on_request = lambda _: kill_worker()
    for _ in range(2):
        assert doomed.runs(turn)
        acting.lapse(turn)
    assert turns.due() == [turn.pk]
    assert not doomed.runs(turn)
    turn.refresh_from_db()
    assert (turn.status, turn.reason, turn.attempts) == ("failed", "worker_lost", 2)
    assert story(turn.tape_id).splitlines() == [
        "message user: 退款失败后会自动重试吗?",
        'event turn_started {"attempt": 1}',
        "event model_call_started",
        'event turn_started {"attempt": 2}',
        "event model_call_ended unknown",
        "event model_call_started",
        "error turn_failed: the worker was lost 2 times",
        "event model_call_ended unknown",
        'event turn_ended {"reason": "worker_lost", "status": "failed"}',
        "event fork_merged",
    ]
    assert verify.verify(turn.tape_id).ok


def test_R3_a_worker_killed_inside_a_model_call_is_replaced_within_lease_and_sweep(
    mei: User, model: SteadyServer, start_worker: StartWorker
) -> None:
    for _ in range(2):
        start_worker("turns,upkeep", beat=True, **SHORT)
    killed: list[datetime] = []

    def kill_once(_: Any) -> None:
        if not killed:
            killed.append(timezone.now())
            kill_worker()

    model.on_request = kill_once
    person = Person(mei)
    turn = person.waits_for(person.asks("退款失败后会自动重试吗?")["turn"])
    ended = Turn.objects.get(pk=turn["id"])
    assert ended.attempts == 2
    check_whole(ended)
    begun = views.read(ended.tape_id, View.of_turns([ended.pk]).only("event"))
    again = next(entry for entry in begun if entry.payload.get("data") == {"attempt": 2})
    assert (again.date - killed[0]).total_seconds() < LEASE + SWEEP + PATIENCE


def test_R3_a_worker_killed_inside_a_tool_is_replaced_and_the_tool_runs_again(
    mei: User, model: SteadyServer, start_worker: StartWorker
) -> None:
    doomed = start_worker("turns", **SHORT)
    person = Person(mei)
    with connections["owner"].cursor() as cursor, transaction.atomic(using="owner"):
        cursor.execute("LOCK TABLE repositories_term IN ACCESS EXCLUSIVE MODE")
        asked = person.asks("退款失败后会自动重试吗?")
        until(lambda: waits_for_lock("repositories_term"))
        doomed.kill()
    start_worker("turns,upkeep", beat=True, **SHORT)
    turn = person.waits_for(asked["turn"])
    assert turn["attempts"] == 2
    check_whole(Turn.objects.get(pk=turn["id"]))


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
