"""What is told of hooks that fail: to people, to the tape, to rows; and of hooks that are not there."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import pytest

from tests.topics import acting
from topics import acts, lifecycle
from topics.hooks import runner
from topics.models import HookRun

if TYPE_CHECKING:
    from pytest_django.fixtures import SettingsWrapper

    from kb_agent.accounts.models import User
    from tapes.models import Tape
    from topics.models import Topic

HERE = "tests.topics.sample_hooks."


@pytest.mark.parametrize("name", ["fail_with_a_key", "fail_essentially"])
def test_C8_what_a_failing_pre_hook_quotes_reaches_neither_people_nor_tape(
    tape: Tape, topic: Topic, person: User, settings: SettingsWrapper, name: str
) -> None:
    settings.TOPIC_HOOKS = {
        stage: [HERE + name] for stage in ("pre_topic_initial", "pre_topic_finalized")
    }
    lifecycle.finalize(topic.pk, reason="idle", actor="system")
    with contextlib.suppress(acts.TopicRefused):
        acting.start(tape, person, title="Refunds")
    assert "ConnectionError" in acting.words(tape)
    assert "hunter2" not in acting.words(tape)


@pytest.mark.parametrize("name", ["refuse_in_rubbish", "refuse_lazily"])
def test_P4_a_refusal_is_told_and_recorded_whatever_its_words(
    tape: Tape, person: User, settings: SettingsWrapper, name: str
) -> None:
    settings.TOPIC_HOOKS = {"pre_topic_initial": [HERE + name]}
    with pytest.raises(acts.TopicRefused) as refused:
        acting.start(tape, person, title="Refunds")
    assert acting.names(tape) == ["session/start", "hook", "topic_refused"]
    assert acting.last(tape, "topic_refused").payload["message"] == refused.value.reason
    assert 10 < len(refused.value.reason) <= 500


@pytest.mark.parametrize("stage", ["pre_topic_initial", "pre_topic_finalized"])
@pytest.mark.parametrize("path", ["nowhere.to.be.found", "broken_hooks.any", HERE + "undecorated"])
def test_P4_a_path_that_leads_to_no_hook_is_a_hook_that_failed(
    tape: Tape, person: User, settings: SettingsWrapper, broken: None, stage: str, path: str
) -> None:
    settings.TOPIC_HOOKS = {stage: [path, HERE + "retitle"]}
    topic = acting.start(tape, person, title="Refunds")
    ended = lifecycle.finalize(topic.pk, reason="owner", actor="person:1")
    assert (ended.status, ended.title) == ("finalized", "[T-1] Refunds")
    error = acting.last(tape, "hook_failed").payload
    assert error["details"]["hook"] == path
    assert "hunter2" not in acting.words(tape)


def test_C8_what_a_failing_post_hook_quotes_reaches_neither_people_nor_tape(
    tape: Tape, topic: Topic, settings: SettingsWrapper
) -> None:
    settings.TOPIC_HOOKS = {"post_topic_finalized": [HERE + "fail_with_a_key"]}
    lifecycle.finalize(topic.pk, reason="owner", actor="person:1")
    run = HookRun.objects.get()
    runner.run(run.pk)
    run.refresh_from_db()
    assert run.outcome == "ConnectionError"
    assert acting.last(tape, "hook_failed").payload["message"] == "ConnectionError"
    assert "hunter2" not in acting.words(tape)


@pytest.mark.parametrize("path", ["nowhere.to.be.found", "broken_hooks.any"])
def test_P4_a_path_that_leads_to_no_hook_stops_no_topic_and_is_a_run_that_failed(
    tape: Tape, person: User, settings: SettingsWrapper, broken: None, path: str
) -> None:
    settings.TOPIC_HOOKS = {"post_topic_finalized": [path]}
    topic = acting.start(tape, person, title="Refunds")
    assert lifecycle.finalize(topic.pk, reason="owner", actor="person:1").status == "finalized"
    run = HookRun.objects.get()
    assert runner.run(run.pk)
    run.refresh_from_db()
    assert (run.status, run.attempts) == ("waiting", 1)
    assert acting.last(tape, "hook_failed").payload["details"]["hook"] == path
    assert "hunter2" not in run.outcome + acting.words(tape)
