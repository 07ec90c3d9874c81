"""T15: which tapes go to the archive by themselves, and that an open topic keeps its tape."""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING

import pytest
from django.utils import timezone

from kb_agent import tasks
from tapes import entries, store
from tapes.errors import TapeInUse
from tapes.models import ArchiveCopy
from topics import archiving, lifecycle
from topics.models import FinalizeReason

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_django.fixtures import SettingsWrapper

    from tapes.models import Tape
    from topics.models import Topic


@pytest.fixture(autouse=True)
def _place(settings: SettingsWrapper, tmp_path: Path) -> None:
    settings.TAPES_ARCHIVE = {**settings.TAPES_ARCHIVE, "url": tmp_path.as_uri()}


def copied() -> list[str]:
    return [copy.tape.name for copy in ArchiveCopy.objects.order_by("tape_id")]


def later(days: int) -> datetime.datetime:
    return timezone.now() + datetime.timedelta(days=days)


def test_T15_closed_tapes_go_at_once_and_still_ones_after_their_days() -> None:
    store.close(store.create("closed").id)
    store.create("still")
    tasks.archive_tapes()
    assert copied() == ["closed"]
    assert archiving.archive_due(90, now=later(89)) == []
    assert [one.name for one in archiving.archive_due(90, now=later(91))] == ["still"]
    assert store.find("still") is None


def test_T15_a_tape_with_an_open_topic_is_never_closed(topic: Topic, tape: Tape) -> None:
    assert archiving.archive_due(90, now=later(1000)) == []
    with pytest.raises(TapeInUse, match="open topic"):
        archiving.archive(tape, close=True, why="over")
    assert store.append(tape.id, [entries.event("goes on")])
    lifecycle.finalize(topic.pk, reason=FinalizeReason.OWNER, actor="system")
    assert [one.name for one in archiving.archive_due(0)] == [tape.name]


def test_T15_a_tape_that_cannot_be_copied_stops_no_other(
    caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    for name in ("first", "second"):
        store.close(store.create(name).id)
    # What the archive of the first tape would be is a file that is in the way.
    (tmp_path / "tapes").mkdir()
    (tmp_path / "tapes" / "1").touch()
    assert [one.name for one in archiving.archive_due(90)] == ["second"]
    assert "archive_unreachable" in caplog.text
    (tmp_path / "tapes" / "1").unlink()
    tasks.archive_tapes()
    assert copied() == ["first", "second"]
