"""A Celery message that comes twice, late or never changes nothing (R2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import redis
from django.conf import settings

from kb_agent import tasks
from tests.agent.stories import story
from tests.flows import wholeness
from tests.flows.person import Person
from topics.models import Turn

if TYPE_CHECKING:
    from kb_agent.accounts.models import User
    from tests.flows.harness import StartWorker
    from tests.flows.steady import SteadyServer

# Several real workers start, one after the other, on whatever machine this is.
pytestmark = pytest.mark.timeout(500)


def test_R2_a_message_delivered_many_times_and_again_afterwards_answers_once(
    mei: User, steady: SteadyServer, start_worker: StartWorker
) -> None:
    person = Person(mei)
    asked = person.asks(wholeness.QUESTION)
    for _ in range(7):
        tasks.send(tasks.run_turn, asked["turn"]["id"])
    start_worker("turns,upkeep", beat=True, KB_AGENT_SWEEP_SECONDS="1")
    ended = Turn.objects.get(pk=person.waits_for(asked["turn"], within=150)["id"])
    wholeness.check(ended, attempts=1)
    assert len(steady.requests) == 3
    told = story(ended.tape_id)
    assert tasks.run_turn(ended.pk) is False
    assert tasks.run_turn(ended.pk + 1000) is False
    assert story(ended.tape_id) == told


def test_R2_a_message_that_never_came_is_replaced_by_the_sweep(
    mei: User, steady: SteadyServer, start_worker: StartWorker
) -> None:
    person = Person(mei)
    asked = person.asks(wholeness.QUESTION)
    with redis.Redis.from_url(settings.REDIS_URL) as client:
        client.flushall()
    start_worker("turns,upkeep", beat=True, **wholeness.SHORT)
    turn = person.waits_for(asked["turn"], within=150)
    wholeness.check(Turn.objects.get(pk=turn["id"]), attempts=1)
