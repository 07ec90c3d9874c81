"""Turns under leases: R3, A8 and the facts about turns in the design."""

from __future__ import annotations

import time
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, Any

import pytest
from django.db import IntegrityError

from tapes import entries, store
from tapes.models import Entry, Fork
from tests.topics import acting
from topics import asking, turns
from topics.models import Turn

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_django.fixtures import SettingsWrapper

    from kb_agent.accounts.models import User
    from tapes.models import Tape
    from topics.turns import Claimed

    Ask = Callable[..., Turn]


def _step(claimed: Claimed, number: int) -> entries.NewEntry:
    return entries.event(
        "step",
        {"attempt": claimed.attempt},
        turn_id=claimed.turn.pk,
        topic_id=claimed.turn.topic_id,
        step=number,
        part=0,
    )


def test_R3_of_sixteen_claims_at_once_one_gets_the_turn(asked: Ask) -> None:
    turn = asked()
    claims = [partial(turns.claim, turn.pk, f"worker {number}") for number in range(16)]
    won = [claimed for claimed in acting.at_once(*claims) if claimed is not None]
    assert len(won) == 1
    assert won[0].attempt == 1
    turn.refresh_from_db()
    assert (turn.status, turn.worker) == ("running", won[0].worker)


def test_A8_a_turn_waits_until_the_older_one_of_its_tape_has_ended(asked: Ask) -> None:
    first, second = asked(), asked("And who approves?")
    assert turns.claim(second.pk, "eager") is None
    claimed = acting.claim(first)
    assert turns.claim(second.pk, "eager") is None
    assert turns.due() == []
    acting.answer(claimed)
    assert turns.due() == [second.pk]
    assert turns.claim(second.pk, "eager") is not None


def test_A8_other_tapes_run_beside(asked: Ask, person: User) -> None:
    acting.claim(asked())
    beside = acting.start(store.create("beside"), person, title="Stock")
    other = asking.ask(beside.pk, asker_id=person.pk, content="How many?", idempotency_key="b")
    assert turns.claim(other.pk, "second") is not None


def test_A8_the_database_refuses_a_second_running_turn_on_a_tape(asked: Ask) -> None:
    acting.claim(asked())
    second = asked()
    with pytest.raises(IntegrityError, match="turn_one_running_on_a_tape"):
        Turn.objects.filter(pk=second.pk).update(
            status="running", attempts=1, lease_until="2100-01-01T00:00Z"
        )


def test_R3_a_lapsed_lease_is_taken_over_and_the_old_token_is_refused(asked: Ask) -> None:
    turn = asked()
    old = acting.claim(turn, "first")
    store.append(turn.tape_id, [_step(old, 1)], fork=old.fork)
    acting.lapse(turn)
    assert turns.due() == [turn.pk]
    new = acting.claim(turn, "second")
    assert (new.attempt, new.fork.id) == (2, old.fork.id)
    assert new.fork.token > old.fork.token
    with pytest.raises(store.StaleFork):
        store.append(turn.tape_id, [_step(old, 2)], fork=old.fork)
    with pytest.raises(turns.Lost):
        turns.finish(old, "done")
    assert turns.heartbeat(old) == turns.State(lost=True, stop=False)
    assert turns.heartbeat(new) == turns.State(lost=False, stop=False)
    with pytest.raises(store.StepRecorded):
        store.append(turn.tape_id, [_step(new, 1)], fork=new.fork)
    assert acting.answer(new).status == "done"


def test_R3_a_heartbeat_keeps_the_lease(asked: Ask) -> None:
    turn = asked()
    claimed = acting.claim(turn)
    acting.lapse(turn)
    assert not turns.heartbeat(claimed).lost
    assert turns.due() == []
    assert turns.claim(turn.pk, "second") is None


def test_R3_after_the_last_attempt_the_turn_ends_failed_and_says_so_on_the_tape(
    asked: Ask, tape: Tape, settings: SettingsWrapper
) -> None:
    settings.TURN_MAX_ATTEMPTS = 2
    turn, waiting = asked(), asked("And then?")
    for _ in range(2):
        acting.claim(turn)
        acting.lapse(turn)
    assert turns.due() == [turn.pk]
    assert turns.claim(turn.pk, "third") is None
    turn.refresh_from_db()
    assert (turn.status, turn.reason, turn.attempts) == ("failed", "worker_lost", 2)
    error = acting.last(tape, "turn_failed")
    assert error.payload["message"] == "the worker was lost 2 times"
    assert error.fork_id == turn.fork_id
    assert Fork.objects.get(pk=turn.fork_id).state == Fork.MERGED
    assert turns.due() == [waiting.pk]


def test_R3_the_end_of_a_turn_is_one_transaction(asked: Ask, tape: Tape) -> None:
    turn = asked()
    claimed = acting.claim(turn)
    before = acting.names(tape)
    unkeepable = entries.message("assistant", "NUL \x00", step=1, part=0)
    with pytest.raises(store.InvalidEntry):
        turns.finish(claimed, "done", entries=[unkeepable], answer_seq_from=0)
    turn.refresh_from_db()
    assert turn.status == "running"
    assert acting.names(tape) == before
    acting.answer(claimed)
    turn.refresh_from_db()
    assert acting.names(tape) == [*before, "message", "turn_ended", "fork_merged"]
    assert turn.answer_seq == Entry.objects.get(tape=tape.pk, step=9).seq
    with pytest.raises(turns.Lost):
        turns.finish(claimed, "done")


def _work_until_done(worker: str) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        for turn_id in turns.due():
            claimed = turns.claim(turn_id, worker)
            if claimed is None:
                continue
            store.append(claimed.turn.tape_id, [_step(claimed, 1)], fork=claimed.fork)
            store.append(claimed.turn.tape_id, [_step(claimed, 2)], fork=claimed.fork)
            turns.finish(claimed, "done")
        if not Turn.objects.filter(status__in=["waiting", "running"]).exists():
            return
        time.sleep(0.01)


def test_R3_many_processes_lose_double_and_interleave_nothing(person: User) -> None:
    tapes = [store.create(f"tape {number}") for number in range(4)]
    for tape in tapes:
        topic = acting.start(tape, person, title="Race")
        for number in range(5):
            key = f"{tape.pk} {number}"
            asking.ask(topic.pk, asker_id=person.pk, content="Who?", idempotency_key=key)
    workers = [acting.process(_work_until_done, f"worker {number}") for number in range(5)]
    for worker in workers:
        worker.join(90)
    assert set(Turn.objects.values_list("status", "attempts")) == {("done", 1)}
    for tape in tapes:
        forked = Entry.objects.filter(tape=tape.pk, fork__isnull=False).order_by("seq")
        order = [(row.turn_id, row.payload["name"]) for row in forked]
        expected = ["turn_started", "step", "step", "turn_ended"]
        runs = [list(run) for _, run in groupby(order, key=lambda pair: pair[0])]
        assert [[name for _, name in run] for run in runs] == [expected] * 5
        assert [run[0][0] for run in runs] == sorted(run[0][0] or 0 for run in runs)


def _work_and_hang(turn_id: int, reached: Any) -> None:
    claimed = turns.claim(turn_id, "doomed")
    assert claimed is not None
    store.append(claimed.turn.tape_id, [_step(claimed, 1)], fork=claimed.fork)
    reached.set()
    time.sleep(60)


def test_R3_a_turn_whose_worker_was_killed_goes_on_where_it_stood(asked: Ask, tape: Tape) -> None:
    turn = asked()
    reached = acting.FORK.Event()
    acting.killed_at(reached, _work_and_hang, turn.pk, reached)
    assert turns.claim(turn.pk, "too early") is None
    acting.lapse(turn)
    claimed = acting.claim(turn)
    store.append(tape.pk, [_step(claimed, 2)], fork=claimed.fork)
    turns.finish(claimed, "done")
    assert acting.names(tape)[3:] == [
        "message",
        "turn_started",
        "step",
        "turn_started",
        "step",
        "turn_ended",
        "fork_merged",
    ]
