"""T15: closed tapes are copied and verified, leave as whole partitions, and are read all the same."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import CommandError, call_command

from tapes import (
    entries,
    errors,
    forks,
    heads,
    messages,
    models,
    saw,
    store,
    text,
    transfer,
    verify,
    views,
)
from tapes.archive import copies, departed
from tapes.archive.objects import ArchiveUnreachable
from tapes.stores import archiving
from tapes.views import View
from tests.tapes.contract.conftest import BUCKET, s3_address

if TYPE_CHECKING:
    from pytest_django.fixtures import SettingsWrapper

    from tapes.models import Tape
    from tests.tapes.conftest import Behind

__all__ = ["s3_address"]

FIRST, END = 20_000, 40_000
"""The partition of this file; ids of tapes are moved there."""


@pytest.fixture(params=["folder"])
def place(
    request: pytest.FixtureRequest, settings: SettingsWrapper, tmp_path: Path
) -> dict[str, str]:
    """An archive of this test's own."""
    said = {"endpoint": "", "region": "us-east-1", "key": "some", "secret": "thing"}
    if request.param == "folder":
        said["url"] = (tmp_path / "archive").as_uri()
    else:
        said["endpoint"] = request.getfixturevalue("s3_address")
        said["url"] = f"s3://{BUCKET}/{tmp_path.name}"
    settings.TAPES_ARCHIVE = said
    return said


both = pytest.mark.parametrize("place", ["folder", "S3"], indirect=True)


@pytest.fixture
def partition(behind: Behind) -> Iterator[str]:
    """New tapes lie in a partition of their own, which is put back when a test let it leave."""
    table = "tapes_entry_p001"
    behind(f"ALTER SEQUENCE tapes_tape_id_seq RESTART WITH {FIRST + 1}")
    yield table
    if behind("SELECT to_regclass(%s)", [table]) == [(None,)]:
        behind("DELETE FROM tapes_entry_rest")
        behind(
            f"CREATE TABLE {table} PARTITION OF tapes_entry FOR VALUES FROM ({FIRST}) TO ({END})"
        )


@pytest.fixture
def tape(partition: str) -> Tape:
    """A tape with anchors, forks of every kind and a recorded call."""
    tape = store.create("old", state={"n": 1})
    store.append(tape.id, [entries.message("user", "退款失败后会重试吗？", turn_id=1, topic_id=1)])
    for close in (forks.merge, forks.discard, None):
        fork = forks.open(tape.id)
        new = [entries.anchor("phase/x", {"k": "v"}), entries.message("assistant", "是 \u2028 😀")]
        store.append(tape.id, new, fork=fork)
        if close is not None:
            close(fork)
    store.append(tape.id, [entries.event("x", {"n": number}) for number in range(30)])
    return store.close(tape.id, why="over")


def gone(behind: Behind) -> None:
    """Let the partition leave: there is a newer tape beyond it, and all of it is archived."""
    behind(f"ALTER SEQUENCE tapes_tape_id_seq RESTART WITH {END + 1}")
    store.create("newer")
    for tape in models.Tape.objects.filter(id__lt=END):
        archiving.copy(tape.id)
    assert [one.first for one in archiving.leave()] == [FIRST]


VIEWS = [
    View.seqs(),
    View.seqs(3, 9),
    View.last_anchor(),
    View.after("session/start").only("event").limit(3),
    View.between("session/start", "phase/x"),
    View.dates(),
    View.of_turns([1]),
]


def everything(tape_id: int) -> dict[str, Any]:
    """All that can be asked about a tape."""
    out = io.BytesIO()
    transfer.export(tape_id, out, everything=True)
    open_forks = models.Fork.objects.filter(tape_id=tape_id).values_list("id", flat=True)
    return {
        "views": [views.read(tape_id, view) for view in VIEWS],
        "forks": [views.read(tape_id, View.fork(fork_id)) for fork_id in sorted(open_forks)],
        "at": sorted(views.at([(tape_id, 2), (tape_id, 9)]), key=lambda entry: entry.seq),
        "anchors": views.anchors(tape_id),
        "latest": views.latest_event(tape_id, "x"),
        "counts": views.counts(tape_id),
        "after": views.entries_after(tape_id, 4, limit=7),
        "of topic": views.entries_after(tape_id, 0, topic_ids=[1]),
        "text": text.tape_text(tape_id),
        "export": out.getvalue(),
        "verdict": verify.verify(tape_id),
    }


@both
def test_T15_a_tape_whose_rows_have_left_is_read_as_before(
    place: dict[str, str], tape: Tape, behind: Behind
) -> None:
    assert place["url"]
    before = everything(tape.id)
    gone(behind)
    assert behind("SELECT count(*) FROM tapes_entry WHERE tape_id = %s", [tape.id]) == [(0,)]
    assert everything(tape.id) == before
    with pytest.raises(errors.MissingAnchor):
        views.read(tape.id, View.after("nowhere"))
    assert views.read(tape.id, View.seqs(500)) == []


@both
def test_T15_a_copy_is_verified_before_it_counts_and_before_its_rows_leave(
    place: dict[str, str], tape: Tape, behind: Behind
) -> None:
    copy = archiving.copy(tape.id)
    assert archiving.copy(tape.id).folder == copy.folder
    objects = departed.archive().objects
    part = next(key for key in objects.keys(f"{copy.folder}/") if key.endswith("gz"))
    objects.put(part, b"something else")
    behind(f"ALTER SEQUENCE tapes_tape_id_seq RESTART WITH {END + 1}")
    store.create("newer")
    with pytest.raises(copies.ChangedCopy):
        archiving.leave()
    assert views.read(tape.id, View.seqs(2, 2))[0].turn_id == 1
    # The rows are still there, so a new copy takes the place of the broken one.
    assert archiving.copy(tape.id).folder != copy.folder
    assert not [key for key in objects.keys("tapes/") if key.startswith(copy.folder)]
    assert len(archiving.leave()) == 1
    assert place["url"]


@pytest.mark.usefixtures("place")
def test_T15_a_partition_stays_while_a_tape_of_it_is_in_use_or_not_copied_or_to_come(
    tape: Tape, behind: Behind
) -> None:
    archiving.copy(tape.id)
    assert archiving.leave() == []
    behind(f"ALTER SEQUENCE tapes_tape_id_seq RESTART WITH {FIRST + 2}")
    other = store.create("in use")
    behind(f"ALTER SEQUENCE tapes_tape_id_seq RESTART WITH {END + 1}")
    store.create("newer")
    assert archiving.leave() == []
    store.close(other.id)
    assert archiving.leave() == []
    archiving.copy(other.id)
    assert len(archiving.leave()) == 1


@pytest.mark.usefixtures("place")
def test_T5_verify_names_what_was_changed_in_the_archive(tape: Tape, behind: Behind) -> None:
    gone(behind)
    copy = models.ArchiveCopy.objects.get(tape_id=tape.id)
    assert verify.verify(tape.id).ok
    forged = heads.Logged(bytearray(b"\x01" * 8 * 3))
    assert verify.verify(tape.id, forged).first_bad_seq == 1
    objects = departed.archive().objects
    objects.put(f"{copy.folder}/000001.jsonl.gz", b"forged")
    with pytest.raises(copies.ChangedCopy):
        views.read(tape.id, View.seqs())
    verdict = verify.verify(tape.id)
    assert (verdict.ok, verdict.first_bad_seq) == (False, 1)
    assert departed.archive().verify(tape.id).first_bad_seq == 1


@pytest.mark.usefixtures("place")
def test_T18_what_the_model_saw_is_rebuilt_from_the_archive(tape: Tape, behind: Behind) -> None:
    shown = messages.render(views.read(tape.id, View.seqs()), readable=frozenset())
    call = {"seqs": shown.seqs, "renderer": 1, "messages_digest": shown.digest}
    gone(behind)
    assert saw.rebuild(tape.id, call).proven


@pytest.mark.usefixtures("place")
def test_T15_rows_come_back_from_the_copy_and_a_new_copy_takes_the_old_ones_place(
    tape: Tape, behind: Behind
) -> None:
    before = everything(tape.id)
    gone(behind)
    with pytest.raises(copies.ChangedCopy):
        archiving.recopy(tape.id)
    assert archiving.restore(tape.id) == tape.head
    assert archiving.restore(tape.id) == 0
    assert behind("SELECT count(*) FROM tapes_entry WHERE tape_id = %s", [tape.id]) == [
        (tape.head,)
    ]
    assert everything(tape.id) == before
    old = models.ArchiveCopy.objects.get(tape_id=tape.id)
    new = archiving.recopy(tape.id)
    assert new.folder != old.folder
    assert not list(departed.archive().objects.keys(f"{old.folder}/"))
    assert departed.archive().verify(tape.id).ok


def test_T15_a_tape_in_use_and_a_place_that_cannot_be_reached_are_named(
    settings: SettingsWrapper, tape: Tape, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    wrong = {"endpoint": "", "region": "x", "key": "k", "secret": "s"}
    for url, refusal in (
        ("ftp://somewhere", departed.BadArchive),
        ((tmp_path / "file").as_uri(), ArchiveUnreachable),
    ):
        settings.TAPES_ARCHIVE = wrong | {"url": url}
        with pytest.raises(refusal):
            archiving.copy(tape.id)
    assert not models.ArchiveCopy.objects.exists()
    with pytest.raises(errors.TapeInUse):
        archiving.copy(store.create("in use").id)


def run(*arguments: str) -> str:
    out = io.StringIO()
    call_command("tape", *arguments, stdout=out)
    return out.getvalue()


@pytest.mark.usefixtures("place")
def test_T15_the_command_archives_by_name_and_by_stillness(tape: Tape, behind: Behind) -> None:
    assert f"old: {tape.head} entries" in run("archive", "old")
    store.create("still")
    with pytest.raises(CommandError, match="tape_in_use"):
        run("archive", "still")
    with pytest.raises(CommandError, match="--close needs --why"):
        run("archive", "still", "--close")
    with pytest.raises(CommandError, match="name a tape"):
        run("archive")
    assert json.loads(run("archive", "--due", "--json")) == {"copied": [], "left": []}
    moved = run("archive", "--due", "--still-days", "0", "--json")
    assert [one["name"] for one in json.loads(moved)["copied"]] == ["still"]
    event = views.latest_event(store.by_name("still").id, "tape_closed")
    assert event is not None
    assert event.why == "nothing happened for 0 days"
    behind(f"ALTER SEQUENCE tapes_tape_id_seq RESTART WITH {END + 1}")
    store.create("newer")
    assert json.loads(run("archive", "--leave", "--json"))["left"] == ["tapes_entry_p001"]
    assert "退款失败" in run("show", "old")
    assert "all as written" in run("verify", "old")
