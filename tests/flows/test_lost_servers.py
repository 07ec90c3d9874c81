"""Redis or PostgreSQL go away before or inside a turn: only liveness is lost with the first (R2, A8)."""

from __future__ import annotations

import threading
import time
import urllib.request
from typing import TYPE_CHECKING

import pytest

from tests.api.reader import cookie_of
from tests.flows import lost_servers, wholeness
from tests.flows.harness import until
from tests.flows.person import Person
from tests.flows.steady import steps_taken
from topics.models import Turn

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from kb_agent.accounts.models import User
    from tests.flows.harness import StartWorker, WebServer
    from tests.flows.steady import Request, SteadyServer

# Several real workers start, one after the other, on whatever machine this is.
pytestmark = pytest.mark.timeout(500)

ASK_SECONDS = 15
"""What asking may take while Redis is away: it is tried, for a moment, and left to the sweep."""


@pytest.mark.parametrize("away", [lost_servers.redis_gone, lost_servers.redis_hung])
def test_R2_a_question_asked_while_redis_is_away_is_kept_and_answered_when_it_is_back(
    mei: User,
    steady: SteadyServer,
    start_worker: StartWorker,
    away: Callable[[], AbstractContextManager[None]],
) -> None:
    start_worker("turns,upkeep", beat=True, **wholeness.SHORT)
    person = Person(mei)
    with away():
        began = time.monotonic()
        asked = person.asks(wholeness.QUESTION)
        assert time.monotonic() - began < ASK_SECONDS
        assert asked["turn"]["status"] == "waiting"
    turn = person.waits_for(asked["turn"], within=150)
    wholeness.check(Turn.objects.get(pk=turn["id"]), attempts=1)


def test_R2_a_turn_ends_while_redis_is_away_and_the_worker_serves_the_next_when_it_is_back(
    mei: User, steady: SteadyServer, start_worker: StartWorker
) -> None:
    start_worker("turns,upkeep", beat=True, **wholeness.SHORT)
    person = Person(mei)
    let_go = held_in_its_first_call(steady)
    first = person.asks(wholeness.QUESTION, keep_open=True)["turn"]
    until(lambda: bool(steady.requests))
    with lost_servers.redis_gone():
        let_go()
        person.waits_for(first, within=150)
    second = person.asks(wholeness.QUESTION, keep_open=True)["turn"]
    person.waits_for(second, within=150)
    for turn in Turn.objects.filter(pk__in=[first["id"], second["id"]]):
        wholeness.check(turn, attempts=1)


def test_A8_without_redis_a_stop_is_heard_at_the_next_step(
    mei: User, steady: SteadyServer, start_worker: StartWorker
) -> None:
    start_worker(
        "turns,upkeep",
        beat=True,
        KB_AGENT_SWEEP_SECONDS="1",
        KB_AGENT_TURN_LEASE_SECONDS="900",
        KB_AGENT_TURN_HEARTBEAT_SECONDS="600",
    )
    person = Person(mei)
    let_go = held_in_its_first_call(steady)
    asked = person.asks(wholeness.QUESTION)["turn"]
    until(lambda: bool(steady.requests))
    with lost_servers.redis_gone():
        person.stops(asked)
        let_go()
        turn = person.waits_for(asked, within=150)
    assert (turn["status"], turn["reason"]) == ("stopped", "stopped")
    assert len(steady.requests) == 1


@pytest.mark.parametrize("pool", ["0", "16"], ids=["no pool", "a pool"])
def test_R3_a_turn_goes_on_after_postgresql_was_restarted_inside_it(
    mei: User, steady: SteadyServer, start_worker: StartWorker, pool: str
) -> None:
    worker = start_worker("turns,upkeep", beat=True, KB_AGENT_DATABASE_POOL=pool, **wholeness.SHORT)
    person = Person(mei)
    let_go = held_in_its_first_call(steady)
    asked = person.asks(wholeness.QUESTION)["turn"]
    until(lambda: bool(steady.requests))
    lost_servers.crash_postgres()
    let_go()
    turn = person.waits_for(asked, within=150)
    assert turn["status"] == "done", worker.lines()[-20:]
    wholeness.check(Turn.objects.get(pk=turn["id"]), attempts=3)


def held_in_its_first_call(steady: SteadyServer) -> Callable[[], None]:
    """Keep every first call of a turn waiting until the returned function is called."""
    going_on = threading.Event()

    def wait(request: Request) -> None:
        if steps_taken(request) == 0:
            assert going_on.wait(120)

    steady.on_request = wait
    return going_on.set


def test_R2_the_first_page_after_postgresql_was_restarted_is_shown(
    mei: User, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.setenv("KB_AGENT_DATABASE_POOL", "4")
    server: WebServer = request.getfixturevalue("web_server")
    page = urllib.request.Request(f"{server.url}/api/me", headers={"Cookie": cookie_of(mei)})
    for _ in range(2):
        with urllib.request.urlopen(page, timeout=60) as response:
            assert response.status == 200
        lost_servers.crash_postgres()
