"""Turns of one tape run one after another, of several tapes side by side, eight at once (A8, R7)."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import pytest

from tests.flows import wholeness
from tests.flows.person import Person
from tests.flows.steady import steps_taken
from topics.models import Turn

if TYPE_CHECKING:
    from kb_agent.accounts.models import User
    from tests.flows.harness import StartWorker
    from tests.flows.steady import Request, SteadyServer

# Several real workers start, one after the other, on whatever machine this is.
pytestmark = pytest.mark.timeout(500)


class Meeting:
    """Keeps first steps waiting until so many turns ask at the same time."""

    def __init__(self, turns: int) -> None:
        """Nobody is there yet."""
        self.together = threading.Barrier(turns)

    def __call__(self, request: Request) -> None:
        """Wait for the others; a request that waits in vain breaks the meeting for all."""
        if steps_taken(request) == 0:
            self.together.wait(timeout=90)


def test_R7_eight_turns_run_at_once_in_one_worker(
    mei: User, steady: SteadyServer, start_worker: StartWorker
) -> None:
    start_worker("turns,upkeep", beat=True, KB_AGENT_SWEEP_SECONDS="1")
    meeting = steady.on_request = Meeting(8)
    person = Person(mei)
    asked = [person.asks(wholeness.QUESTION, keep_open=True)["turn"] for _ in range(8)]
    assert len({turn["topic"] for turn in asked}) == 8
    for turn in asked:
        ended = person.waits_for(turn, within=150)
        wholeness.check(Turn.objects.get(pk=ended["id"]), attempts=1)
    assert not meeting.together.broken


def test_A8_two_turns_of_a_tape_run_one_after_the_other_and_a_third_elsewhere_beside_them(
    mei: User, steady: SteadyServer, start_worker: StartWorker
) -> None:
    start_worker("turns,upkeep", beat=True, KB_AGENT_SWEEP_SECONDS="1")
    person, elsewhere = Person(mei), "elsewhere?"
    beside = threading.Event()

    def wait_for_the_other_tape(request: Request) -> None:
        if _question(request) == elsewhere:
            beside.set()
        elif steps_taken(request) == 0:
            # The first turn goes on only once the one beside it has come this far.
            assert beside.wait(90)

    steady.on_request = wait_for_the_other_tape
    first = person.asks(wholeness.QUESTION)
    second = person.asks("and then?", topic=first["topic"]["id"])
    third = person.asks(elsewhere, keep_open=True)
    rows = [
        Turn.objects.get(pk=person.waits_for(each["turn"], within=150)["id"])
        for each in (first, second, third)
    ]
    assert [row.status for row in rows] == ["done"] * 3
    assert rows[0].tape_id == rows[1].tape_id != rows[2].tape_id
    assert _ended(rows[0]) <= _started(rows[1])
    assert _started(rows[2]) < _ended(rows[0])


def _question(request: Request) -> Any:
    return [message for message in request["messages"] if message["role"] == "user"][-1]["content"]


def _started(turn: Turn) -> Any:
    return turn.started_at


def _ended(turn: Turn) -> Any:
    return turn.ended_at
