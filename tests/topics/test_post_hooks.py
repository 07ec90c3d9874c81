"""Post-hooks: rows run apart, isolated, retried, exactly once in effect (P4)."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connections
from django.db.models.functions import Now

from kb_agent.doctor import services
from tapes import store
from tapes.models import Entry
from tests.topics import acting, sample_hooks
from topics import asking, hooks, lifecycle, signals, turns
from topics.hooks import aside, guard, runner
from topics.models import HookRun, Topic, Turn

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_django.fixtures import SettingsWrapper

    from kb_agent.accounts.models import User
    from tapes.models import Tape

HERE = "tests.topics.sample_hooks."
LAST = runner.MAX_ATTEMPTS


@pytest.fixture
def ended(tape: Tape, person: User, settings: SettingsWrapper) -> Callable[..., Topic]:
    """End a topic that has these samples hooked after its end."""

    def end(*names: str) -> Topic:
        settings.TOPIC_HOOKS = {"post_topic_finalized": [HERE + name for name in names]}
        topic = acting.start(tape, person, title="Refunds")
        return lifecycle.finalize(topic.pk, reason="owner", actor=f"person:{person.pk}")

    return end


@pytest.fixture
def begun(tape: Tape, person: User, settings: SettingsWrapper) -> Callable[..., Turn]:
    """Start a topic that has these samples hooked after its start, and ask in it."""

    def begin(*names: str) -> Turn:
        settings.TOPIC_HOOKS = {"post_topic_initial": [HERE + name for name in names]}
        topic = acting.start(tape, person, title="Refunds")
        return Turn.objects.get(pk=_ask(topic, person))

    return begin


def _ask(topic: Topic, person: User) -> int:
    return asking.ask(topic.pk, asker_id=person.pk, content="Who?", idempotency_key="1").pk


def _due_now(run: HookRun) -> None:
    """Let the time of waiting, or of the lease, be over."""
    with connections["owner"].cursor() as cursor:
        cursor.execute(
            "UPDATE topics_hookrun SET due_at = clock_timestamp() - interval '1 second',"
            " lease_until = clock_timestamp() - interval '1 second' WHERE id = %s",
            [run.pk],
        )


def test_P4_a_post_hook_runs_after_the_commit_and_leaves_entry_row_and_event(
    tape: Tape, ended: Callable[..., Topic]
) -> None:
    topic = ended("note")
    assert sample_hooks.did(f"note {topic.pk}") == 0
    run = HookRun.objects.get()
    assert runner.due() == [run.pk]
    assert runner.run(run.pk)
    run.refresh_from_db()
    assert (run.status, run.outcome, run.attempts) == ("done", "noted", 1)
    assert sample_hooks.did(f"note {topic.pk}") == 1
    assert acting.names(tape)[-3:] == ["topic_finalized", "recall_anchor", "hook"]
    assert acting.last(tape, "recall_anchor").topic_id == topic.pk
    assert acting.last(tape, "hook").payload["data"]["outcome"] == "done: noted"
    assert runner.due() == []
    assert not runner.run(run.pk)


def test_P4_a_roll_back_leaves_no_post_hook_to_run(
    tape: Tape, person: User, settings: SettingsWrapper
) -> None:
    settings.TOPIC_HOOKS = {
        "pre_topic_initial": [HERE + "refuse"],
        "post_topic_initial": [HERE + "note"],
    }
    with pytest.raises(Exception, match="no business"):
        acting.start(tape, person, title="Salaries")
    assert not HookRun.objects.exists()


def test_P4_one_failing_post_hook_stops_neither_the_others_nor_the_topic(
    tape: Tape, ended: Callable[..., Topic]
) -> None:
    topic = ended("fail", "note", "refuse_after", "break_sql", "leave_rubbish", "fail_in_rubbish")
    for hook_run_id in runner.due():
        runner.run(hook_run_id)
    assert dict(HookRun.objects.values_list("hook", "status")) == {
        HERE + "fail": "waiting",
        HERE + "note": "done",
        HERE + "refuse_after": "waiting",
        HERE + "break_sql": "waiting",
        HERE + "leave_rubbish": "waiting",
        HERE + "fail_in_rubbish": "waiting",
    }
    assert acting.names(tape).count("hook_failed") == 5
    topic.refresh_from_db()
    assert (topic.status, topic.title) == ("finalized", "Refunds")


def test_P4_a_failing_post_hook_is_retried_later_each_time_and_then_no_more(
    tape: Tape, ended: Callable[..., Topic]
) -> None:
    ended("fail")
    run = HookRun.objects.get()
    waits = []
    for _ in range(LAST):
        assert runner.run(run.pk)
        run.refresh_from_db()
        waits.append((run.due_at - acting.last(tape, "hook").date).total_seconds())
        assert not runner.run(run.pk)
        _due_now(run)
    assert waits[0] == pytest.approx(5, abs=3)
    assert waits[1] == pytest.approx(60, abs=3)
    assert (run.status, run.attempts, run.outcome) == ("failed", LAST, "ValueError")
    assert runner.due() == []
    assert acting.names(tape).count("hook_failed") == LAST


def test_P4_of_many_workers_one_runs_a_hook(ended: Callable[..., Topic]) -> None:
    topic = ended("note")
    run = HookRun.objects.get()
    ran = acting.at_once(*[lambda: runner.run(run.pk)] * 8)
    assert sorted(ran) == [False] * 7 + [True]
    assert sample_hooks.did(f"note {topic.pk}") == 1


def _halt(reached: Any) -> None:
    reached.set()
    time.sleep(60)


def _halt_before_its_effect(hook_run_id: int, reached: Any) -> None:
    runner._succeed = lambda *_: _halt(reached)
    runner.run(hook_run_id)


def _halt_after_its_effect(hook_run_id: int, reached: Any) -> None:
    runner.run(hook_run_id)
    _halt(reached)


@pytest.mark.parametrize(
    ("act", "outcomes"),
    [
        (_halt_before_its_effect, ["lost", "done: noted"]),
        (_halt_after_its_effect, ["done: noted"]),
    ],
)
def test_P4_a_worker_killed_in_a_post_hook_leaves_it_to_another_once(
    tape: Tape, ended: Callable[..., Topic], act: Callable[..., None], outcomes: list[str]
) -> None:
    topic = ended("note")
    run = HookRun.objects.get()
    reached = acting.FORK.Event()
    acting.killed_at(reached, act, run.pk, reached)
    _due_now(run)
    for hook_run_id in runner.due():
        runner.run(hook_run_id)
    run.refresh_from_db()
    assert (run.status, run.attempts) == ("done", len(outcomes))
    assert sample_hooks.did(f"note {topic.pk}") == 1
    assert acting.names(tape).count("recall_anchor") == 1
    assert _outcomes(tape) == outcomes


def _outcomes(tape: Tape) -> list[str]:
    rows = Entry.objects.filter(tape=tape.pk, kind="event", payload__name="hook").order_by("seq")
    return [row.payload["data"]["outcome"] for row in rows]


def test_P4_a_hook_overtaken_while_it_hung_has_no_effect(
    tape: Tape, ended: Callable[..., Topic]
) -> None:
    topic = ended("note_late")
    run = HookRun.objects.get()
    results = acting.at_once(lambda: runner.run(run.pk), lambda: _overtake(run))
    assert results == [True, True]
    run.refresh_from_db()
    assert (run.status, run.attempts) == ("done", 2)
    assert sample_hooks.did(f"note {topic.pk}") == 1
    assert _outcomes(tape) == ["lost", "done: noted"]


def _overtake(run: HookRun) -> bool:
    _wait_for(HookRun.objects.get(pk=run.pk), "running")
    _due_now(run)
    return runner.run(run.pk)


@pytest.mark.parametrize(
    ("name", "written"), [("never_return", LAST), ("never_return_from_writing", 0)]
)
def test_P4_a_post_hook_that_never_returns_keeps_no_worker_and_is_told(
    tape: Tape,
    ended: Callable[..., Topic],
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    written: int,
) -> None:
    assert acting.all_returned()
    monkeypatch.setattr(runner, "WAITED_SECONDS", 0.3)
    monkeypatch.setattr(runner, "WRITE_SECONDS", 0.3)
    monkeypatch.setattr(guard, "LEFT_ALONE_SECONDS", 0.3)
    ended(name)
    run = HookRun.objects.get()
    for attempt in range(1, LAST + 1):
        started = time.monotonic()
        assert runner.run(run.pk)
        assert time.monotonic() - started < 10
        run.refresh_from_db()
        assert (run.attempts, run.outcome) == (
            attempt,
            f"LeftBehind: {HERE}{name} has not returned",
        )
        _due_now(run)
    assert run.status == "failed"
    assert aside.left_behind() == [f"hook {HERE}{name}"] * LAST
    assert acting.names(tape)[-2:] == ["hook", "hook_failed"]
    HookRun.objects.update(due_at=Now())
    assert name in str(list(services.look_at_rows()))
    assert acting.all_returned()
    # Outside a transaction a hook is its own master; what it gave to be written was rolled back.
    assert sample_hooks.did("after all") == written


def test_P4_a_hook_whose_worker_is_always_lost_ends_failed(
    tape: Tape, ended: Callable[..., Topic]
) -> None:
    ended("note")
    run = HookRun.objects.get()
    HookRun.objects.filter(pk=run.pk).update(
        status="running", attempts=LAST, lease_until="2020-01-01T00:00Z"
    )
    assert runner.due() == [run.pk]
    assert not runner.run(run.pk)
    run.refresh_from_db()
    assert run.status == "failed"
    assert runner.due() == []
    assert acting.names(tape)[-2:] == ["hook", "hook_failed"]


def test_P4_hooks_of_a_start_run_at_the_head_of_the_first_turn_under_it(
    tape: Tape, begun: Callable[..., Turn]
) -> None:
    turn = begun("note", "fail")
    assert runner.due() == []
    claimed = turns.claim(turn.pk, "worker")
    assert claimed
    runner.at_first_turn(turn.topic_id, turn_id=turn.pk)
    noted = acting.last(tape, "recall_anchor")
    assert (noted.turn_id, noted.fork_id) == (turn.pk, None)
    runner.at_first_turn(turn.topic_id, turn_id=turn.pk)
    assert sample_hooks.did(f"note {turn.topic_id}") == 1
    assert HookRun.objects.get(hook=HERE + "fail").status == "waiting"


def test_P4_a_late_hook_goes_on_and_serves_the_next_turn(
    tape: Tape, begun: Callable[..., Turn]
) -> None:
    turn = begun("note_late", "note")
    runner.at_first_turn(turn.topic_id, turn_id=turn.pk, seconds=0.8)
    assert acting.names(tape).count("recall_anchor") == 1
    late = HookRun.objects.get(hook=HERE + "note_late")
    assert (late.status, late.turn) == ("running", None)
    _wait_for(late, "done")
    assert acting.last(tape, "recall_anchor").turn_id is None


def _wait_for(run: HookRun, status: str) -> None:
    for _ in range(400):
        run.refresh_from_db()
        if run.status == status:
            return
        time.sleep(0.05)
    raise AssertionError(f"still {run.status}")


def test_P4_hooks_of_a_start_without_a_first_turn_are_left_to_the_sweep(
    begun: Callable[..., Turn],
) -> None:
    turn = begun("note")
    run = HookRun.objects.get()
    _due_now(run)
    assert runner.due() == [run.pk]
    assert runner.run(run.pk)
    runner.at_first_turn(turn.topic_id, turn_id=turn.pk)
    assert sample_hooks.did(f"note {turn.topic_id}") == 1


def test_P4_who_has_a_queue_is_told_after_the_commit(ended: Callable[..., Topic]) -> None:
    told: list[list[int]] = []

    def listen(*, hook_run_ids: list[int], **_: Any) -> None:
        told.append(hook_run_ids)

    signals.hooks_due.connect(listen)
    try:
        ended("note")
    finally:
        signals.hooks_due.disconnect(listen)
    assert told == [[HookRun.objects.get().pk]]


def test_P4_a_hook_that_is_gone_from_the_code_fails_like_any_other(
    tape: Tape, ended: Callable[..., Topic]
) -> None:
    ended("note")
    run = HookRun.objects.get()
    HookRun.objects.update(hook="nowhere.to.be.found")
    assert runner.run(run.pk)
    assert "nowhere" in acting.last(tape, "hook_failed").payload["message"]
    assert hooks.Stage(run.stage) is hooks.Stage.POST_TOPIC_FINALIZED
    assert store.get(tape.pk).archived_at is None
