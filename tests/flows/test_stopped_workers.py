"""A worker that stands still past its lease finds its turn taken when it wakes, and writes no more (R3)."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connections, transaction

from tapes import verify
from tests.agent.stories import story
from tests.flows import wholeness
from tests.flows.harness import until
from tests.flows.person import Person
from topics.models import Turn

if TYPE_CHECKING:
    from kb_agent.accounts.models import User
    from tests.flows.harness import Process, StartWorker
    from tests.flows.steady import SteadyServer

# Several real workers start, one after the other, on whatever machine this is.
pytestmark = pytest.mark.timeout(500)


def test_R3_a_worker_stopped_inside_a_model_call_is_refused_when_it_wakes(
    mei: User, steady: SteadyServer, start_worker: StartWorker
) -> None:
    first = start_worker("turns,upkeep", beat=True, **wholeness.SHORT)

    def stop_once(_: Any) -> None:
        if len(steady.requests) == 1:
            os.kill(first.pid, signal.SIGSTOP)

    steady.on_request = stop_once
    person = Person(mei)
    asked = person.asks(wholeness.QUESTION)
    until(lambda: bool(steady.requests))
    start_worker("turns,upkeep", beat=True, **wholeness.SHORT)
    turn = person.waits_for(asked["turn"], within=150)
    _check_refused_when_woken(first, Turn.objects.get(pk=turn["id"]))


def test_R3_a_worker_stopped_inside_a_transaction_holds_up_its_tape_for_no_longer_than_its_lease(
    mei: User, steady: SteadyServer, start_worker: StartWorker
) -> None:
    first = start_worker("turns,upkeep", beat=True, **wholeness.SHORT)
    person = Person(mei)
    asked = person.asks(wholeness.QUESTION)
    with connections["owner"].cursor() as cursor, transaction.atomic(using="owner"):
        # Only the end of a turn writes to its topic, inside the transaction that holds the tape.
        cursor.execute("SELECT FROM topics_topic FOR NO KEY UPDATE")
        until(lambda: _sessions("wait_event_type = 'Lock' AND query LIKE 'UPDATE \"topics_topic%'"))
        os.kill(first.pid, signal.SIGSTOP)
    until(lambda: _sessions("state = 'idle in transaction'"))
    start_worker("turns,upkeep", beat=True, **wholeness.SHORT)
    turn = person.waits_for(asked["turn"], within=150)
    _check_refused_when_woken(first, Turn.objects.get(pk=turn["id"]))


def _check_refused_when_woken(first: Process, turn: Turn) -> None:
    """The other worker has ended the turn; the first one says so and leaves everything as it is."""
    assert turn.attempts == 2
    wholeness.check(turn)
    ended = story(turn.tape_id)
    os.kill(first.pid, signal.SIGCONT)
    refusals = ("went on elsewhere", "is left to the sweep", "raised unexpected")
    until(lambda: any(each in line for line in first.lines() for each in refusals))
    assert story(turn.tape_id) == ended
    assert verify.verify(turn.tape_id).ok


def _sessions(condition: str) -> bool:
    """Whether some session of the application stands like that."""
    with connections["default"].cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            f" AND pid <> pg_backend_pid() AND {condition}"
        )
        return bool(cursor.fetchone()[0])
