"""Reset: the tape is closed with its topic and goes on anew under its name (T12)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tapes import store, views
from tapes.views import View
from tests.topics import acting
from topics import lifecycle, resetting
from topics.hooks import runner
from topics.models import HookRun, Topic

if TYPE_CHECKING:
    from pytest_django.fixtures import SettingsWrapper

    from kb_agent.accounts.models import User
    from tapes.models import Tape


def test_T12_reset_ends_the_open_topic_and_destroys_nothing(tape: Tape, person: User) -> None:
    topic = acting.start(tape, person, title="Refunds")
    before = views.read(tape.pk, View.seqs())
    new = resetting.reset(tape.pk, actor="person:1", why="done")
    ended = Topic.objects.get(pk=topic.pk)
    assert (ended.status, ended.reason) == ("aborted", "reset")
    *kept, finalized, closed = views.read(tape.pk, View.seqs())
    assert kept == before
    assert finalized.payload["name"] == "topic_finalized"
    assert (closed.payload["name"], closed.why) == ("tape_closed", "done")
    assert (new.name, new.pk != tape.pk) == (tape.name, True)
    (start,) = views.read(new.pk, View.seqs())
    assert start.payload == {"name": "session/start", "state": {"continues": tape.pk}}
    assert lifecycle.open_on(new.pk) is None
    with pytest.raises(store.TapeArchived):
        resetting.reset(tape.pk, actor="person:1", why="again")


def test_T12_reset_is_refused_while_a_turn_waits(tape: Tape, person: User) -> None:
    topic = acting.start(tape, person, title="Refunds")
    acting.ask(topic, person, "Why?")
    with pytest.raises(lifecycle.TapeBusy):
        resetting.reset(tape.pk, actor="person:1", why="")
    assert lifecycle.open_on(tape.pk) == topic
    assert store.get(tape.pk).archived_at is None


def test_P4_hooks_after_the_end_run_though_the_tape_takes_no_more(
    tape: Tape, person: User, settings: SettingsWrapper
) -> None:
    settings.TOPIC_HOOKS = {"post_topic_finalized": ["tests.topics.sample_hooks.note"]}
    acting.start(tape, person, title="Refunds")
    resetting.reset(tape.pk, actor="person:1", why="")
    (run,) = HookRun.objects.all()
    runner.run(run.pk)
    assert HookRun.objects.get(pk=run.pk).status == "done"
