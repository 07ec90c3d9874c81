"""Turns under leases: R3, A8 and the facts about turns in the design."""

from __future__ import annotations

import time
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, Any

import pytest
from django.db import IntegrityError, connections

from tapes import entries, store
from tapes.models import Entry, Fork
from tests.topics import acting
from topics import asking, turns
from topics.models import Turn

if TYPE_CHECKING:
    from pytest_django.fixtures import SettingsWrapper

    from kb_agent.accounts.models import User
    from tapes.models import Tape
    from topics.models import Topic
    from topics.turns import Claimed

Ask = "Callable[..., Turn]"


def _lapse(turn: Turn) -> None:
    """Let the lease lapse, by the database's clock."""
    with connections["owner"].cursor() as cursor:
        cursor.execute(
            "UPDATE topics_turn SET lease_until = clock_timestamp() - interval '1 second'"
            " WHERE id = %s",
            [turn.pk],
        )


def _claim(turn: Turn, worker: str = "worker") -> Claimed:
    claimed = turns.claim(turn.pk, worker)
    assert claimed is not None
    return claimed


def _answer(claimed: Claimed) -> Turn:
    answer = entries.message("assistant", "Support may.", step=9, part=0, actor="agent")
    return turns.finish(claimed, "done", entries=[answer], answer_seq_from=0)


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
    claimed = _claim(first)
    assert turns.claim(second.pk, "eager") is None
    assert turns.due() == []
    _answer(claimed)
    assert turns.due() == [second.pk]
    assert turns.claim(second.pk, "eager") is not None


def test_A8_other_tapes_run_beside(asked: Ask, person: User) -> None:
    _claim(asked())
    beside = acting.start(store.create("beside"), person, title="Stock")
    other = asking.ask(beside.pk, asker_id=person.pk, content="How many?", idempotency_key="b")
    assert turns.claim(other.pk, "second") is not None


def test_A8_the_database_refuses_a_second_running_turn_on_a_tape(asked: Ask) -> None:
    _claim(asked())
    second = asked()
    with pytest.raises(IntegrityError, match="turn_one_running_on_a_tape"):
        Turn.objects.filter(pk=second.pk).update(
            status="running", attempts=1, lease_until="2100-01-01T00:00Z"
        )


def test_R3_a_lapsed_lease_is_taken_over_and_the_old_token_is_refused(asked: Ask) -> None:
    turn = asked()
    old = _claim(turn, "first")
    store.append(turn.tape_id, [_step(old, 1)], fork=old.fork)
    _lapse(turn)
    assert turns.due() == [turn.pk]
    new = _claim(turn, "second")
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
    assert _answer(new).status == "done"


def test_R3_a_heartbeat_keeps_the_lease(asked: Ask) -> None:
    turn = asked()
    claimed = _claim(turn)
    _lapse(turn)
    assert not turns.heartbeat(claimed).lost
    assert turns.due() == []
    assert turns.claim(turn.pk, "second") is None


def test_R3_after_the_last_attempt_the_turn_ends_failed_and_says_so_on_the_tape(
    asked: Ask, tape: Tape, settings: SettingsWrapper
) -> None:
    settings.TURN_MAX_ATTEMPTS = 2
    turn, waiting = asked(), asked("And then?")
    for _ in range(2):
        _claim(turn)
        _lapse(turn)
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
    claimed = _claim(turn)
    before = acting.names(tape)
    unkeepable = entries.message("assistant", "NUL \x00", step=1, part=0)
    with pytest.raises(store.InvalidEntry):
        turns.finish(claimed, "done", entries=[unkeepable], answer_seq_from=0)
    turn.refresh_from_db()
    assert turn.status == "running"
    assert acting.names(tape) == before
    _answer(claimed)
    turn.refresh_from_db()
    assert acting.names(tape) == [*before, "message", "turn_ended", "fork_merged"]
    assert turn.answer_seq == Entry.objects.get(tape=tape.pk, step=9).seq
    with pytest.raises(turns.Lost):
        turns.finish(claimed, "done")


def _work_until_done(worker: str) -> None:
    for _ in range(400):
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
        worker.join(60)
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


def test_R3_a_turn_whose_worker_was_killed_goes_on_where_it_stood(
    asked: Ask, tape: Tape, settings: SettingsWrapper
) -> None:
    settings.TURN_LEASE_SECONDS = 1
    turn = asked()
    reached = acting.FORK.Event()
    acting.killed_at(reached, _work_and_hang, turn.pk, reached)
    assert turns.claim(turn.pk, "too early") is None
    time.sleep(1.1)
    claimed = _claim(turn)
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


def test_A8_a_message_is_taken_up_by_the_running_turn(asked: Ask, tape: Tape) -> None:
    claimed = _claim(asked())
    assert turns.take_joined(claimed) == []
    added = asked("In EUR only.", joins=claimed.turn.pk)
    assert [turn.pk for turn in turns.take_joined(claimed)] == [added.pk]
    assert turns.take_joined(claimed) == []
    added.refresh_from_db()
    assert (added.status, added.reason, added.taken_by_id) == ("done", "taken_up", claimed.turn.pk)
    assert turns.taken_up(claimed.turn.pk) == [added.pk]
    told = acting.last(tape, "message_taken_up")
    assert told.payload["data"] == {"seq": added.question_seq, "turn": added.pk}
    assert told.fork_id == claimed.fork.id
    assert Entry.objects.get(tape=tape.pk, seq=added.question_seq).fork_id is None


def test_A8_a_message_too_late_becomes_the_next_turn(asked: Ask) -> None:
    first = asked()
    claimed = _claim(first)
    added = asked("In EUR only.", joins=first.pk)
    _answer(claimed)
    too_late = asked("And in USD?", joins=first.pk)
    assert too_late.joins_id is None
    assert turns.due() == [added.pk]
    assert _answer(_claim(added)).status == "done"
    assert turns.due() == [too_late.pk]


def test_A8_a_message_for_a_message_joins_the_turn_that_runs(asked: Ask) -> None:
    claimed = _claim(asked())
    added = asked("In EUR only.", joins=claimed.turn.pk)
    more = asked("And rounded.", joins=added.pk)
    assert more.joins_id == claimed.turn.pk
    assert len(turns.take_joined(claimed)) == 2


def test_A8_an_overtaken_worker_takes_nothing_up(asked: Ask) -> None:
    old = _claim(asked())
    asked("In EUR only.", joins=old.turn.pk)
    _lapse(old.turn)
    new = _claim(old.turn)
    with pytest.raises(turns.Lost):
        turns.take_joined(old)
    assert len(turns.take_joined(new)) == 1


def test_A8_a_waiting_turn_stops_at_once_and_says_who_asked(asked: Ask, tape: Tape) -> None:
    _claim(asked())
    waiting = asked("Never mind.")
    assert turns.request_stop(waiting.pk, "person:7").status == "stopped"
    assert turns.request_stop(waiting.pk, "person:7").status == "stopped"
    assert acting.names(tape)[-2:] == ["stop_requested", "turn_ended"]
    assert acting.last(tape, "stop_requested").actor == "person:7"


def test_A8_a_running_turn_hears_of_a_stop_by_its_heartbeat(asked: Ask) -> None:
    claimed = _claim(asked())
    assert turns.request_stop(claimed.turn.pk, "person:7").status == "running"
    assert turns.heartbeat(claimed) == turns.State(lost=False, stop=True)
    ended = turns.finish(claimed, "stopped", reason="stopped")
    assert (ended.status, ended.answer_seq) == ("stopped", None)
    assert turns.request_stop(claimed.turn.pk, "person:7").status == "stopped"


def test_A8_a_stop_asked_of_a_lost_worker_reaches_the_next(asked: Ask) -> None:
    turn = asked()
    _claim(turn)
    turns.request_stop(turn.pk, "person:7")
    _lapse(turn)
    assert turns.heartbeat(_claim(turn)).stop


def test_A8_people_see_their_place_in_the_queue(asked: Ask, topic: Topic) -> None:
    first, second, third = asked(), asked(), asked()
    assert [asking.place(turn.pk) for turn in (first, second, third)] == [1, 2, 3]
    _claim(first)
    assert [asking.place(turn.pk) for turn in (first, second, third)] == [0, 1, 2]
    assert [turn.pk for turn in asking.unfinished_on(topic.tape_id)] == [
        first.pk,
        second.pk,
        third.pk,
    ]
