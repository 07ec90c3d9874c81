"""Pre-hooks: they change, refuse, fail and hang inside the lifecycle's transaction (P3, P4)."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.core import checks

from kb_agent.doctor import services
from tests.topics import acting, sample_hooks
from topics import acts, asking, lifecycle, pipeline, turns
from topics.checks import hooks_can_be_loaded
from topics.hooks import aside, guard
from topics.models import Topic, Turn

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_django.fixtures import SettingsWrapper

    from kb_agent.accounts.models import User
    from tapes.models import Tape

HERE = "tests.topics.sample_hooks."
FINALIZE_PREV = "topics.finalize_prev.topic_finalize_prev"


@pytest.fixture
def hooked(settings: SettingsWrapper) -> Callable[..., None]:
    """Hook the named samples before a topic starts, or at another stage."""

    def use(*names: str, stage: str = "pre_topic_initial") -> None:
        paths = [HERE + name for name in names]
        settings.TOPIC_HOOKS = {"pre_topic_initial": [FINALIZE_PREV], stage: paths}
        if stage == "pre_topic_initial":
            settings.TOPIC_HOOKS = {stage: [FINALIZE_PREV, *paths]}

    return use


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same rules with less waiting."""
    monkeypatch.setattr(pipeline, "SECONDS", 0.2)
    monkeypatch.setattr(guard, "LEFT_ALONE_SECONDS", 0.5)


def _outcome(tape: Tape) -> Any:
    return acting.last(tape, "hook").payload["data"]["outcome"]


def test_P4_a_pre_hook_changes_the_proposal(
    tape: Tape, person: User, hooked: Callable[..., None]
) -> None:
    hooked("retitle")
    topic = acting.start(tape, person, title="Refunds")
    assert topic.title == "[T-1] Refunds"
    assert acting.last(tape, "topic_initial").payload["state"]["title"] == topic.title
    assert _outcome(tape) == "done: T-1"
    assert acting.last(tape, "hook").topic_id == topic.pk


def test_P4_every_run_is_an_event_with_hook_stage_seconds_and_outcome(
    tape: Tape, person: User, hooked: Callable[..., None]
) -> None:
    hooked("retitle")
    acting.start(tape, person, title="Refunds")
    event = acting.last(tape, "hook")
    seconds = event.payload["data"].pop("seconds")
    assert 0 <= seconds < 2
    assert event.payload["data"] == {
        "hook": HERE + "retitle",
        "stage": "pre_topic_initial",
        "attempt": 1,
        "outcome": "done: T-1",
    }
    assert event.actor == f"hook:{HERE}retitle"


def test_P4_a_refused_start_leaves_the_reason_and_nothing_else(
    tape: Tape, topic: Topic, person: User, hooked: Callable[..., None]
) -> None:
    hooked("refuse")
    before = acting.names(tape)
    with pytest.raises(acts.TopicRefused, match="no business of this agent"):
        acting.start(tape, person, title="Salaries")
    assert acting.names(tape) == [*before, "hook", "topic_refused"]
    assert acting.last(tape, "topic_refused").payload["message"].startswith("Salaries are no")
    assert _outcome(tape) == "refused"
    assert lifecycle.open_on(tape.pk) == topic
    assert sample_hooks.did("refuse") == 0


def test_P4_a_refusal_inside_a_larger_act_is_recorded_after_that_was_rolled_back(
    tape: Tape, person: User, hooked: Callable[..., None]
) -> None:
    hooked("refuse")

    @acts.act
    def start_and_ask() -> Turn:
        topic = acting.start(tape, person, title="Salaries")
        return asking.ask(topic.pk, asker_id=person.pk, content="How?", idempotency_key="k")

    with pytest.raises(acts.TopicRefused):
        start_and_ask()
    assert acting.names(tape) == ["session/start", "hook", "topic_refused"]


def test_P4_a_refused_finalize_leaves_the_topic_open(
    tape: Tape, topic: Topic, hooked: Callable[..., None]
) -> None:
    hooked("refuse", stage="pre_topic_finalized")
    with pytest.raises(acts.TopicRefused):
        lifecycle.finalize(topic.pk, reason="owner", actor="person:1")
    topic.refresh_from_db()
    assert (topic.status, topic.title) == ("open", "Refunds")
    assert acting.last(tape, "topic_refused").topic_id == topic.pk


@pytest.mark.parametrize("reason", ["superseded", "idle", "reset"])
def test_P4_a_topic_closed_by_the_system_runs_the_hooks_and_heeds_no_refusal(
    tape: Tape, topic: Topic, hooked: Callable[..., None], reason: str
) -> None:
    hooked("refuse", stage="pre_topic_finalized")
    ended = lifecycle.finalize(topic.pk, reason=reason, actor="system")
    assert (ended.status, ended.reason, ended.title) == ("aborted", reason, "Refunds")
    assert _outcome(tape).startswith(f"refused, which {reason} does not heed")
    assert sample_hooks.did("refuse") == 0


def test_P6_a_refused_finalize_that_waited_for_a_turn_is_withdrawn(
    tape: Tape, topic: Topic, asked: Callable[..., Turn], hooked: Callable[..., None]
) -> None:
    hooked("refuse", stage="pre_topic_finalized")
    claimed = turns.claim(asked().pk, "worker")
    assert claimed
    lifecycle.finalize(topic.pk, reason="owner", actor="person:1")
    assert turns.finish(claimed, "done").status == "done"
    topic.refresh_from_db()
    assert (topic.status, topic.finalize_requested) == ("open", "")
    assert acting.names(tape)[-3:] == ["hook", "topic_refused", "finalize_withdrawn"]


def test_P6_what_was_ended_meanwhile_is_not_said_to_be_withdrawn(
    tape: Tape, topic: Topic, hooked: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    complete = lifecycle._complete

    def refused_and_ended(topic_id: int) -> Topic:
        try:
            return complete(topic_id)
        finally:
            hooked()
            lifecycle.finalize(topic_id, reason="idle", actor="system")

    hooked("refuse", stage="pre_topic_finalized")
    Topic.objects.filter(pk=topic.pk).update(finalize_requested="owner", finalize_actor="person:1")
    monkeypatch.setattr(lifecycle, "_complete", refused_and_ended)
    assert lifecycle.complete_requested(topic.pk).reason == "idle"
    assert "finalize_withdrawn" not in acting.names(tape)


@pytest.mark.parametrize(
    "name", ["fail", "break_sql", "call_out", "leave_rubbish", "fail_in_rubbish"]
)
def test_P4_a_pre_hook_that_raises_is_an_error_entry_and_undone(
    tape: Tape, person: User, hooked: Callable[..., None], name: str
) -> None:
    hooked(name, "retitle")
    topic = acting.start(tape, person, title="Refunds")
    assert topic.title == "[T-1] Refunds"
    assert sample_hooks.did(name) == 0
    error = acting.last(tape, "hook_failed")
    assert error.payload["details"]["hook"] == HERE + name
    assert error.topic_id == topic.pk
    if name == "call_out":
        assert "NetworkRefused" in error.payload["message"]


def test_P4_an_essential_pre_hook_that_raises_refuses(
    tape: Tape, person: User, hooked: Callable[..., None]
) -> None:
    hooked("fail_essentially")
    with pytest.raises(acts.TopicRefused, match=r"fail_essentially failed: ConnectionError$"):
        acting.start(tape, person, title="Refunds")
    assert acting.names(tape) == ["session/start", "hook", "topic_refused"]


def test_P4_an_essential_pre_hook_that_raises_does_not_stop_what_cannot_be_refused(
    tape: Tape, topic: Topic, hooked: Callable[..., None]
) -> None:
    hooked("fail_essentially", stage="pre_topic_finalized")
    assert lifecycle.finalize(topic.pk, reason="idle", actor="system").status == "aborted"
    assert "hook_failed" in acting.names(tape)


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("name", ["dawdle", "wait_in_sql"])
def test_P4_a_pre_hook_that_takes_too_long_is_undone(
    tape: Tape, person: User, hooked: Callable[..., None], name: str
) -> None:
    hooked(name, "retitle")
    started = time.monotonic()
    topic = acting.start(tape, person, title="Refunds")
    assert time.monotonic() - started < 10, "the database ends a statement that takes too long"
    assert topic.title == "[T-1] Refunds"
    assert acting.last(tape, "hook_failed").payload["details"]["hook"] == HERE + name


@pytest.mark.usefixtures("quick")
def test_P4_a_pre_hook_that_hangs_loses_its_transaction_and_is_left_out(
    tape: Tape, person: User, hooked: Callable[..., None]
) -> None:
    hooked("hang")
    topic = acting.start(tape, person, title="Refunds")
    assert topic.status == "open"
    assert _outcome(tape) == "left out"
    assert acting.names(tape).count("topic_initial") == 1
    assert Topic.objects.count() == 1


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("name", ["never_return", "never_return_from_sql"])
def test_P4_a_pre_hook_that_never_returns_keeps_nobody_waiting_and_is_counted(
    tape: Tape, person: User, hooked: Callable[..., None], name: str
) -> None:
    assert acting.all_returned()
    hooked(name)
    started = time.monotonic()
    topic = acting.start(tape, person, title="Refunds")
    assert time.monotonic() - started < 10
    assert (topic.title, _outcome(tape)) == ("Refunds", "left out")
    assert acting.names(tape).count("topic_initial") == 1
    assert aside.left_behind() == [f"hook {HERE}{name}"]
    assert pipeline.hung(timedelta(days=1)) == {HERE + name: 1}
    assert "never_return" in str(list(services.look_at_rows()))
    hooked()
    sample_hooks.GO_ON.set()
    acting.start(tape, person, title="Stock")
    assert acting.all_returned()
    # What it did once it went on reached neither its own transaction nor anybody else's.
    assert sample_hooks.did("after all") == 0
    assert acting.start(tape, person, title="Returns").status == "open"


@pytest.mark.usefixtures("quick")
def test_P4_a_hook_that_hangs_cannot_stop_a_topic_from_being_superseded(
    tape: Tape, topic: Topic, person: User, hooked: Callable[..., None]
) -> None:
    hooked("hang_essentially", stage="pre_topic_finalized")
    acting.start(tape, person, title="Stock")
    topic.refresh_from_db()
    assert topic.reason == "superseded"


@pytest.mark.usefixtures("quick")
def test_P4_an_essential_pre_hook_that_hangs_refuses(
    tape: Tape, person: User, hooked: Callable[..., None]
) -> None:
    hooked("hang_essentially")
    with pytest.raises(acts.TopicRefused):
        acting.start(tape, person, title="Refunds")
    assert acting.names(tape) == ["session/start", "hook", "topic_refused"]
    assert pipeline.hung(timedelta(days=1)) == {HERE + "hang_essentially": 1}


@pytest.mark.usefixtures("quick")
def test_P4_a_hook_that_hangs_does_not_keep_others_from_the_tape(
    tape: Tape, person: User, hooked: Callable[..., None]
) -> None:
    hooked("hang")
    both = acting.at_once(
        lambda: acting.start(tape, person, title="One"),
        lambda: acting.start(tape, person, title="Two"),
    )
    assert [type(each) for each in both] == [Topic, Topic]


def _start_and_halt_in_a_hook(tape: Tape, person: User, reached: Any) -> None:
    called = pipeline._called

    def halt(ran: Any) -> Any:
        # The hook before it has ended the open topic already.
        if ran.path != HERE + "note":
            return called(ran)
        reached.set()
        return time.sleep(60)

    pipeline._called = halt
    acting.start(tape, person, title="Never")


def test_P4_a_process_killed_inside_a_pre_hook_leaves_nothing(
    tape: Tape, topic: Topic, person: User, hooked: Callable[..., None]
) -> None:
    hooked("note")
    before = acting.names(tape)
    reached = acting.FORK.Event()
    acting.killed_at(reached, _start_and_halt_in_a_hook, tape, person, reached)
    assert acting.names(tape) == before
    assert lifecycle.open_on(tape.pk) == topic
    assert acting.start(tape, person, title="Next").status == "open"
    assert "recall_anchor" in acting.names(tape)


def test_P6_hooks_of_the_topic_that_is_ended_do_not_use_up_the_time_of_the_one_that_ends_it(
    tape: Tape,
    topic: Topic,
    person: User,
    hooked: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pipeline, "SECONDS", 1.0)
    hooked("linger", "linger_again", stage="pre_topic_finalized")
    assert acting.start(tape, person, title="Stock").status == "open"
    topic.refresh_from_db()
    assert topic.reason == "superseded"
    assert "hook_failed" not in acting.names(tape)


def test_P4_limits_set_for_hooks_end_with_them(
    tape: Tape, person: User, hooked: Callable[..., None]
) -> None:
    hooked("retitle")
    seen: list[tuple[str, str]] = []

    @acts.act
    def start_and_look() -> None:
        seen.append(guard.limits())
        acting.start(tape, person, title="Refunds")
        seen.append(guard.limits())

    start_and_look()
    assert seen[0] == seen[1]


def test_P3_settings_that_name_no_hook_are_found_before_a_topic_needs_them(
    settings: SettingsWrapper,
) -> None:
    settings.TOPIC_HOOKS = {
        "pre_topic_initial": [HERE + "undecorated", "nowhere.to.be.found"],
        "pre_topic": [],
    }
    found = hooks_can_be_loaded()
    assert [problem.id for problem in found] == ["topics.E001", "topics.E002", "topics.E002"]
    assert all(problem.level == checks.ERROR for problem in found)
    assert "No module named 'nowhere'" in found[2].msg
