"""A worker killed inside a hook, at each point where one runs hooks: nothing is lost, nothing doubled (P4, R3)."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connections

from kb_agent.accounts.models import Audit
from kb_agent.llm import endpoints, scripted
from kb_agent.llm.script import says
from tapes import verify
from tapes.models import Entry
from tests.flows import still_hooks, wholeness
from tests.flows.harness import until
from tests.flows.person import Person
from topics.models import HookRun, Topic

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pytest_django.fixtures import SettingsWrapper

    from kb_agent.accounts.models import User
    from kb_agent.llm.scripted import ScriptedServer
    from tests.flows.harness import Process, StartWorker

# Several real workers start, one after the other, on whatever machine this is.
pytestmark = pytest.mark.timeout(500)


@pytest.fixture
def model(shop: Any) -> Iterator[ScriptedServer]:
    """The model the company has set up."""
    with scripted.serve() as server:
        endpoints.add("scripted", base_url=server.url, model="m")
        yield server


@pytest.fixture
def start_still(
    start_worker: StartWorker, tmp_path: Path, settings: SettingsWrapper
) -> Callable[[str], Process]:
    """Start a worker in which the hook of this stage stands still, with a short lease and sweep."""

    def start(stage: str) -> Process:
        # What starts and ends topics here writes the rows of the same hooks.
        settings.TOPIC_HOOKS = {
            "pre_topic_initial": ["topics.finalize_prev.topic_finalize_prev"],
            stage: ["tests.flows.still_hooks.stand_still"],
        }
        return start_worker(
            beat=True,
            DJANGO_SETTINGS_MODULE="tests.flows.hooked_settings",
            STILL_STAGE=stage,
            STILL_FOLDER=str(tmp_path),
            **wholeness.SHORT,
        )

    return start


def _lapse(run: HookRun) -> None:
    """Let the lease of a run lapse now, by the database's clock."""
    with connections["owner"].cursor() as cursor:
        cursor.execute(
            "UPDATE topics_hookrun SET lease_until = clock_timestamp() - interval '1 second'"
            " WHERE id = %s",
            [run.pk],
        )


def _outcomes(tape_id: int) -> list[str]:
    runs = Entry.objects.filter(
        tape=tape_id, payload__name="hook", payload__data__hook__startswith="tests."
    )
    return [run.payload["data"]["outcome"] for run in runs.order_by("seq")]


def _once(tape_id: int) -> None:
    """What the hook leaves is there once, as an entry and as a row, and the tape is whole."""
    until(lambda: Audit.objects.filter(action=still_hooks.DID).exists(), within=60)
    assert Audit.objects.filter(action=still_hooks.DID).count() == 1
    assert Entry.objects.filter(tape=tape_id, payload__name=still_hooks.DID).count() == 1
    assert verify.verify(tape_id).ok


def test_P4_a_worker_killed_inside_a_hook_after_the_end_is_replaced_and_the_hook_has_one_effect(
    mei: User, model: ScriptedServer, start_still: Callable[[str], Process], tmp_path: Path
) -> None:
    model.add(says("一。"))
    doomed = start_still("post_topic_finalized")
    person = Person(mei)
    topic = person.is_answered("退款?")["topic"]
    person.finishes(topic)
    until(lambda: still_hooks.inside(tmp_path), within=60)
    doomed.kill()
    _lapse(HookRun.objects.get())
    start_still("post_topic_finalized")
    _once(topic["tape"])
    run = HookRun.objects.get()
    assert (run.status, run.attempts, run.outcome) == ("done", 2, "stood")
    assert _outcomes(topic["tape"]) == ["lost", "done: stood"]


def test_P4_a_worker_killed_inside_a_hook_at_the_head_of_a_turn_costs_neither_turn_nor_hook(
    mei: User, model: ScriptedServer, start_still: Callable[[str], Process], tmp_path: Path
) -> None:
    model.add(says("一。"), says("二。"))
    doomed = start_still("post_topic_initial")
    person = Person(mei)
    asked = person.asks("退款?")
    until(lambda: still_hooks.inside(tmp_path), within=60)
    doomed.kill()
    start_still("post_topic_initial")
    turn = person.waits_for(asked["turn"], within=90)
    assert (turn["status"], turn["answer_seq"] is not None) == ("done", True)
    tape = asked["topic"]["tape"]
    answers = Entry.objects.filter(tape=tape, kind="message", payload__role="assistant")
    assert answers.count() == 1
    _lapse(HookRun.objects.get())
    _once(tape)
    assert HookRun.objects.get().status == "done"
    assert _outcomes(tape) == ["lost", "done: stood"]


def test_P6_a_worker_killed_inside_a_hook_before_the_end_leaves_the_end_to_the_sweep(
    mei: User, model: ScriptedServer, start_still: Callable[[str], Process], tmp_path: Path
) -> None:
    noted_down = threading.Event()
    model.add(says("一。").once(noted_down), says("二。"))
    doomed = start_still("pre_topic_finalized")
    person = Person(mei)
    asked = person.asks("退款?")
    person.waits_for(asked["turn"], "running")
    assert person.finishes(asked["topic"])["finalize_requested"] == "owner"
    noted_down.set()
    until(lambda: still_hooks.inside(tmp_path), within=60)
    doomed.kill()
    assert person.waits_for(asked["turn"])["status"] == "done"
    assert Topic.objects.get(pk=asked["topic"]["id"]).status == "open", "rolled back as a whole"
    start_still("pre_topic_finalized")
    until(lambda: Topic.objects.get(pk=asked["topic"]["id"]).status == "finalized", within=60)
    tape = asked["topic"]["tape"]
    _once(tape)
    assert Entry.objects.filter(tape=tape, payload__name="topic_finalized").count() == 1
    assert _outcomes(tape) == ["done: stood"]
