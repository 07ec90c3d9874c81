"""A hook that is not essential can be switched off; its runs are counted without reading tapes (P4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.topics import acting, sample_hooks
from topics import acts, hooks, lifecycle
from topics.hooks import figures as hook_figures
from topics.hooks import runner, switches
from topics.models import HookRun
from topics.models.hooks import PreHookRun

if TYPE_CHECKING:
    from pytest_django.fixtures import SettingsWrapper

    from kb_agent.accounts.models import User
    from tapes.models import Tape

HERE = "tests.topics.sample_hooks."
FINALIZE_PREV = "topics.finalize_prev.topic_finalize_prev"
START = hooks.Stage.PRE_TOPIC_INITIAL
END = hooks.Stage.POST_TOPIC_FINALIZED


def _hooked(settings: SettingsWrapper, *names: str, stage: hooks.Stage = START) -> None:
    first = [FINALIZE_PREV] if stage is START else []
    settings.TOPIC_HOOKS = {stage.value: [*first, *(HERE + name for name in names)]}


def test_P4_a_pre_hook_switched_off_is_skipped_and_the_tape_says_so(
    tape: Tape, person: User, settings: SettingsWrapper
) -> None:
    _hooked(settings, "retitle")
    assert switches.switch(HERE + "retitle", on=False, by_id=person.pk)
    assert acting.start(tape, person, title="Refunds").title == "Refunds"
    skipped = acting.last(tape, "hook").payload["data"]
    assert (skipped["hook"], skipped["outcome"]) == (HERE + "retitle", "switched off")
    assert switches.switch(HERE + "retitle", on=True, by_id=person.pk)
    assert not switches.switch(HERE + "retitle", on=True, by_id=person.pk)
    assert acting.start(tape, person, title="Refunds").title == "[T-1] Refunds"


def test_P4_a_post_hook_switched_off_after_the_end_is_skipped_too(
    tape: Tape, person: User, settings: SettingsWrapper
) -> None:
    _hooked(settings, "note", stage=END)
    topic = acting.start(tape, person, title="Refunds")
    lifecycle.finalize(topic.pk, reason="owner", actor=f"person:{person.pk}")
    switches.switch(HERE + "note", on=False, by_id=None)
    assert runner.run(HookRun.objects.get().pk)
    assert sample_hooks.did(f"note {topic.pk}") == 0
    assert acting.last(tape, "hook").payload["data"]["outcome"] == "switched off"
    assert hook_figures.of(END, HERE + "note").outcomes == {"switched off": 1}
    assert runner.due() == []


def test_P4_an_essential_hook_cannot_be_switched_off_nor_one_that_is_not_there(
    settings: SettingsWrapper,
) -> None:
    _hooked(settings, "fail")
    with pytest.raises(switches.HookEssential):
        switches.switch(FINALIZE_PREV, on=False, by_id=None)
    with pytest.raises(switches.UnknownHook):
        switches.switch(HERE + "retitle", on=False, by_id=None)


def test_P4_a_hook_that_has_become_essential_since_runs(
    tape: Tape, person: User, settings: SettingsWrapper, monkeypatch: pytest.MonkeyPatch
) -> None:
    _hooked(settings, "retitle")
    switches.switch(HERE + "retitle", on=False, by_id=None)
    essential = hooks.Hook(sample_hooks.retitle.body, essential=True, does="Matters now.")
    monkeypatch.setattr(sample_hooks, "retitle", essential)
    assert acting.start(tape, person, title="Refunds").title == "[T-1] Refunds"


def test_P4_each_way_a_pre_hook_can_end_is_counted(
    tape: Tape, person: User, settings: SettingsWrapper
) -> None:
    _hooked(settings, "retitle", "call_out", "fail")
    acting.start(tape, person, title="Refunds")
    _hooked(settings, "fail", "retitle", "refuse")
    with pytest.raises(acts.TopicRefused):
        acting.start(tape, person, title="Salaries")
    figures = {name: hook_figures.of(START, HERE + name) for name in ("retitle", "fail", "refuse")}
    assert figures["retitle"].outcomes == {"done": 1}
    assert figures["fail"].outcomes == {"failed": 1}, "what was rolled back is no run"
    assert figures["refuse"].outcomes == {"refused": 1}
    assert hook_figures.of(START, HERE + "call_out").outcomes == {"failed": 1}
    assert figures["retitle"].median_seconds is not None
    assert figures["retitle"].last_outcome == "done"


def test_P4_retries_of_a_post_hook_are_seen_in_its_figures(
    tape: Tape, person: User, settings: SettingsWrapper
) -> None:
    _hooked(settings, "fail", stage=END)
    topic = acting.start(tape, person, title="Refunds")
    lifecycle.finalize(topic.pk, reason="owner", actor=f"person:{person.pk}")
    runner.run(HookRun.objects.get().pk)
    assert hook_figures.of(END, HERE + "fail").outcomes == {"again": 1}
    HookRun.objects.update(status="failed")
    assert hook_figures.of(END, HERE + "fail").outcomes == {"failed": 1}


def test_P4_figures_are_of_the_newest_runs_and_older_rows_go(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = [
        PreHookRun(stage=START, hook="a.hook", outcome="failed" if at < 5 else "done", seconds=at)
        for at in range(12)
    ]
    PreHookRun.objects.bulk_create(rows)
    monkeypatch.setattr(hook_figures, "NEWEST", 7)
    monkeypatch.setattr(hook_figures, "KEPT", 10)
    figures = hook_figures.of(START, "a.hook")
    assert (figures.runs, figures.outcomes, figures.median_seconds) == (7, {"done": 7}, 8.0)
    assert hook_figures.forget_old() == 2
