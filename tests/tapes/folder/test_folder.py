"""T15: the folder of tapes, alone, after torn writes, and beside somebody who changes its files."""

from __future__ import annotations

import errno
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tapes import entries, errors
from tapes.stores import strips
from tapes.stores.folder import FolderStore
from tapes.windows import View
from tests.tapes.contract import shelves
from tests.tapes.contract.test_writing import whole_batches

if TYPE_CHECKING:
    from collections.abc import Sequence


@pytest.fixture
def store(root: Path) -> FolderStore:
    """A folder with one tape: 1."""
    store = FolderStore(root)
    store.create("work")
    return store


def seqs(store: FolderStore, tape: int = 1) -> list[int]:
    return [entry.seq for entry in store.read(tape, View.seqs())]


ALONE = """
import sys
from pathlib import Path
from tapes import entries
from tapes.stores.folder import FolderStore
from tapes.windows import View

store = FolderStore(Path(sys.argv[1]))
tape = store.create("alone")
store.append(tape.id, [entries.message("user", "hello"), entries.anchor("phase/two")])
assert [entry.seq for entry in store.read(tape.id, View.seqs())] == [1, 2, 3]
from django.conf import settings
assert not settings.configured
"""


def test_T15_tapes_are_used_alone_without_settings_or_a_database(root: Path) -> None:
    environment = {key: value for key, value in os.environ.items() if "DJANGO" not in key}
    subprocess.run([sys.executable, "-c", ALONE, str(root)], env=environment, check=True)
    assert seqs(FolderStore(root)) == [1, 2, 3]


def test_T15_bub_reads_the_lines_as_its_own(store: FolderStore, root: Path) -> None:
    store.append(1, [entries.message("user", "退款 \u2028 x")])
    lines = [json.loads(line) for line in (root / "1.jsonl").read_text().split("\n") if line]
    assert [line["id"] for line in lines] == [1, 2]
    assert lines[1]["payload"] == {"role": "user", "content": "退款 \u2028 x"}
    assert {"kind", "payload", "meta", "date"} < set(lines[1])


def test_T15_another_store_on_the_folder_sees_and_goes_on(store: FolderStore, root: Path) -> None:
    other = FolderStore(root)
    fork = store.open_fork(1)
    other.append(1, [entries.event("x")], fork=fork, expected_head=1)
    with pytest.raises(errors.WrongHead):
        store.append(1, [entries.event("y")], expected_head=1)
    renewed = other.renew_fork(1, fork.id)
    with pytest.raises(errors.StaleFork):
        store.merge(fork)
    assert store.merge(renewed) == 3
    assert seqs(other) == [1, 2, 3]
    with pytest.raises(errors.NameTaken):
        other.create("work")


def test_T15_whatever_byte_a_crash_ends_the_file_at_only_whole_batches_are_left(
    store: FolderStore, root: Path
) -> None:
    store.append(1, [entries.event("before")])
    path = root / "1.jsonl"
    before = path.stat().st_size
    batch: Sequence[entries.NewEntry] = [entries.event(f"torn {n}", {"退": n}) for n in range(3)]
    store.append(1, batch)
    whole = path.read_bytes()
    for end in range(before, len(whole)):
        path.write_bytes(whole[:end])
        reader = FolderStore(root)
        assert seqs(reader) == [1, 2], end
        if end % 37 == 0:
            (after,) = reader.append(1, [entries.event("after")])
            assert after.seq == 3
            assert (reader.verify(1).ok, reader.verify(1).entries) == (True, 3)
    path.write_bytes(whole)
    assert seqs(FolderStore(root)) == [1, 2, 3, 4, 5]


def test_T15_a_block_the_disk_lost_within_the_last_batch_is_a_torn_write_too(
    store: FolderStore, root: Path
) -> None:
    store.append(1, [entries.event("before")])
    path = root / "1.jsonl"
    before = path.stat().st_size
    store.append(1, [entries.event(f"torn {n}") for n in range(4)])
    whole = path.read_bytes()
    path.write_bytes(whole[:before] + bytes(300) + whole[before + 300 :])
    reader = FolderStore(root)
    assert seqs(reader) == [1, 2]
    reader.append(1, [entries.event("after")])
    assert reader.verify(1).ok


def test_T15_a_line_broken_before_the_last_batch_is_named_and_nothing_after_it_is_lost(
    store: FolderStore, root: Path
) -> None:
    for number in range(3):
        store.append(1, [entries.event(f"fact {number}")])
    path = root / "1.jsonl"
    lines = path.read_bytes().split(b"\n")
    lines[1] = b"x" * len(lines[1])
    path.write_bytes(b"\n".join(lines))
    reader = FolderStore(root)
    for refused in (
        lambda: reader.read(1, View.seqs()),
        lambda: reader.append(1, [entries.event("after")]),
    ):
        with pytest.raises(errors.BrokenTape) as refusal:
            refused()
        assert refusal.value.seq == 2
    assert reader.verify(1).first_bad_seq == 2
    assert path.read_bytes() == b"\n".join(lines)


def test_T15_a_full_disk_leaves_the_tape_as_it_was(
    store: FolderStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "no space left")

    with monkeypatch.context() as patch:
        patch.setattr(strips.os, "fsync", full)
        with pytest.raises(OSError, match="no space left"):
            store.append(1, [entries.event("x"), entries.event("y")])
    (after,) = store.append(1, [entries.event("after")])
    assert after.seq == 2
    assert store.verify(1).ok


def test_T15_names_and_tokens_cut_off_by_a_crash_are_dropped(
    store: FolderStore, root: Path
) -> None:
    fork = store.open_fork(1)
    for file, torn in (("tapes.jsonl", b'{"tape": 2, "na'), ("1.forks", b'{"fork": 1, "tok')):
        with (root / file).open("ab") as opened:
            opened.write(torn)
    # A crash between a tape's file and its name leaves a file that nobody can have read.
    (root / "2.jsonl").write_bytes(b"left over")
    reader = FolderStore(root)
    assert [tape.name for tape in reader.tapes()] == ["work"]
    assert reader.create("next").id == 2
    renewed = reader.renew_fork(1, fork.id)
    assert FolderStore(root).merge(renewed) == 2


def test_T15_writers_killed_at_any_moment_lose_nothing_they_said_and_leave_whole_batches(
    store: FolderStore, root: Path
) -> None:
    chance = random.Random(1)  # noqa: S311 — when to kill
    shelf = shelves.Folder(root)
    processes = shelves.writers(shelf, 1, "append", 10_000)
    deadline = time.monotonic() + 60
    while (root / "1.jsonl").read_bytes().count(b"\n") < 500:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    for process in processes:
        time.sleep(chance.random() / 10)
        os.kill(process.pid, signal.SIGKILL)
    said = []
    for process in processes:
        output = process.communicate(timeout=60)[0].decode()
        said += [int(line) for line in output.split("\n")[:-1]]
    found = store.read(1, View.seqs())
    assert [entry.seq for entry in found] == list(range(1, len(found) + 1))
    assert max(said, default=1) <= len(found)
    assert whole_batches(found[1:])
    store.append(1, [entries.event("after")])
    assert store.verify(1).ok
