"""T19: topics that ended long ago lose their words by the erasing function, and no others do."""

from __future__ import annotations

import datetime
import io
import json
import shutil
from typing import TYPE_CHECKING

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from kb_agent import tasks
from kb_agent.accounts.models import Audit
from tapes import entries, erased_form, store, verify, views
from tapes.stores import erased_copies
from tapes.views import View
from tests.topics import acting
from topics import archiving, lifecycle, retention, turns
from topics.models import Topic

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_django.fixtures import SettingsWrapper

    from kb_agent.accounts.models import User
    from tapes.models import Tape

LONG_AGO = timezone.now() - datetime.timedelta(days=40)


@pytest.fixture
def old(tape: Tape, person: User) -> Topic:
    """A topic that ended forty days ago."""
    topic = finished(tape, person, "How long are words kept?")
    Topic.objects.filter(pk=topic.pk).update(finalized_at=LONG_AGO)
    return topic


def finished(tape: Tape, person: User, question: str) -> Topic:
    topic = acting.start(tape, person, title=question)
    claimed = acting.claim(acting.ask(topic, person, question))
    said = entries.message("assistant", f"{question} Yes.", actor="agent")
    turns.finish(claimed, "done", entries=[said], answer_seq_from=0)
    return lifecycle.finalize(topic.pk, reason="owner", actor="person:1")


def said(tape: Tape, topic: Topic) -> list[str]:
    found = views.read(tape.pk, View.seqs().only("message"))
    return [one.payload["content"] for one in found if one.topic_id == topic.pk]


def test_T19_a_topic_that_ended_before_loses_its_words_and_one_after_keeps_them(
    tape: Tape, person: User, old: Topic
) -> None:
    new = finished(tape, person, "And this one?")
    open_one = acting.start(tape, person, title="Still open")
    done = retention.retain(30)
    assert (done.topics, done.waiting) == (1, 0)
    assert said(tape, old) == ["[erased]", "[erased]"]
    assert said(tape, new) == ["And this one?", "And this one? Yes."]
    titles = {topic.pk: topic.title for topic in Topic.objects.all()}
    assert titles == {
        old.pk: erased_form.ERASED,
        new.pk: "And this one?",
        open_one.pk: "Still open",
    }
    assert verify.verify(tape.pk).ok


def test_T19_what_was_said_of_a_topic_after_its_end_goes_too_and_a_second_run_finds_nothing(
    tape: Tape, old: Topic
) -> None:
    lifecycle.rename(old.pk, title="a later name", actor="person:1")
    assert retention.retain(30).topics == 1
    renamed = acting.last(tape, "topic_renamed")
    assert renamed.payload["data"]["title"] == erased_form.ERASED
    assert retention.retain(30) == retention.Retained()


def test_T19_retention_is_audited(tape: Tape, old: Topic) -> None:
    retention.retain(30)
    lines = Audit.objects.filter(action="tape_erased", object=f"tape:{tape.pk}")
    assert old.pk in lines[0].details["topic_ids"]


def test_T19_a_tape_on_which_a_question_waits_is_left_for_the_next_run(
    tape: Tape, person: User, old: Topic
) -> None:
    acting.ask(acting.start(tape, person, title="Busy"), person, "Wait")
    assert retention.retain(30) == retention.Retained(waiting=1)
    assert said(tape, old)[0] == "How long are words kept?"


def test_T19_without_the_setting_nothing_is_erased(
    tape: Tape, old: Topic, settings: SettingsWrapper
) -> None:
    tasks.retain()
    assert said(tape, old)[0] == "How long are words kept?"
    with pytest.raises(CommandError, match="no retention is set"):
        call_command("tape", "retain")
    settings.RETENTION_DAYS = 30
    tasks.retain()
    assert said(tape, old) == ["[erased]", "[erased]"]


def test_T19_a_copy_in_the_archive_that_cannot_be_written_anew_stops_nothing(
    tape: Tape, old: Topic, settings: SettingsWrapper, tmp_path: Path
) -> None:
    settings.TAPES_ARCHIVE = {**settings.TAPES_ARCHIVE, "url": (tmp_path / "archive").as_uri()}
    closed = store.close(store.create("closed").id)
    archiving.archive(closed)
    erased_copies.outdate(closed.id)
    shutil.rmtree(tmp_path / "archive")
    (tmp_path / "archive").touch()
    done = retention.retain(30)
    assert (done.topics, done.waiting, done.archived) == (1, 0, 0)
    assert said(tape, old) == ["[erased]", "[erased]"]
    assert erased_copies.outdated() == [closed.id]


def test_T19_the_command_takes_its_own_days(tape: Tape, old: Topic) -> None:
    out = io.StringIO()
    call_command("tape", "retain", "--days", "30", "--json", stdout=out)
    assert json.loads(out.getvalue())["topics"] == 1
    assert said(tape, old) == ["[erased]", "[erased]"]
