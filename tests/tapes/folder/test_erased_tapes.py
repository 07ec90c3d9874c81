"""T19 in a folder: a tape's file is replaced under readers, writers and crashes, and nothing is lost but the words."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tapes import entries
from tapes.archive import objects
from tapes.archive.copies import Archive
from tapes.stores import strips
from tapes.stores.folder import FolderStore
from tapes.stores.spills import Spills
from tapes.windows import View
from tests.tapes.contract import shelves

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tapes.entries import Entry
    from tapes.source import Source

WORDS = "hunter2"
LATER, EACH = 12, 9


@pytest.fixture
def store(root: Path) -> FolderStore:
    """A folder with one tape, whose entries 2 to 13 have words."""
    store = FolderStore(root)
    store.create("work")
    for number in range(LATER):
        store.append(1, [entries.message("user", f"{WORDS} {number} " + "x" * number)])
    return store


def erase(store: FolderStore, first: int, last: int) -> int:
    return store.erase(1, first, last, actor="system", why="a leaked password").entries


def seqs(store: FolderStore) -> list[int]:
    return [entry.seq for entry in store.read(1, View.seqs())]


def test_T15_a_store_that_knows_the_old_file_reads_and_goes_on_in_each_new_one(
    store: FolderStore, root: Path
) -> None:
    other = FolderStore(root)
    for first in range(2, LATER, 2):
        assert other.read(1, View.seqs(first, first))[0].payload["content"].startswith(WORDS)
        head = seqs(other)[-1]
        assert erase(store, first, first + 1) == 2
        assert other.read(1, View.seqs(first, first))[0].payload["content"] == "[erased]"
        (after,) = other.append(1, [entries.event("after")], expected_head=head + 1)
        assert seqs(store)[-1] == after.seq == head + 2
    assert store.verify(1).ok


def test_T15_a_writer_that_waits_at_the_old_file_writes_to_the_new_one(
    store: FolderStore, root: Path
) -> None:
    other = FolderStore(root)
    written: list[int] = []
    thread = threading.Thread(
        target=lambda: written.append(other.append(1, [entries.event("waited")])[0].seq)
    )
    rewrite = strips.Strip.rewrite

    def slowly(strip: strips.Strip, *changed: object, **erasure: object) -> None:
        thread.start()
        while not _waits_for_a_lock(root / "1.jsonl"):
            time.sleep(0.01)
        rewrite(strip, *changed, **erasure)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(strips.Strip, "rewrite", slowly)
        erase(store, 2, 3)
    thread.join()
    assert written == [LATER + 3]
    assert seqs(FolderStore(root)) == list(range(1, LATER + 4))
    assert store.verify(1).ok


def _waits_for_a_lock(path: Path) -> bool:
    inode = f":{path.stat().st_ino} "
    waiting = (line for line in Path("/proc/locks").read_text().splitlines() if "->" in line)
    return any(inode in line for line in waiting)


class ErasedMeanwhile:
    """A scope of everything, before whose reading another process erases, once."""

    def __init__(self, other: FolderStore) -> None:
        self.other = other
        self.looks = 0

    def entries(self, tape: Source) -> Iterator[Entry]:
        self.looks += 1
        if self.looks == 1:
            erase(self.other, 2, 3)
        yield from tape.stretch(1, None)


def test_T15_a_view_whose_file_is_replaced_before_it_is_read_is_read_in_the_new_one(
    store: FolderStore, root: Path
) -> None:
    everything = ErasedMeanwhile(FolderStore(root))
    found = store.read(1, View(everything))
    assert everything.looks == 2
    assert [entry.payload.get("content") for entry in found[1:3]] == ["[erased]"] * 2
    assert [entry.seq for entry in found] == list(range(1, LATER + 3))


def test_T15_readers_beside_erasures_see_a_whole_tape_every_time(
    store: FolderStore, root: Path
) -> None:
    done = threading.Event()
    seen: list[list[int]] = []

    def read() -> None:
        reader = FolderStore(root)
        while not done.is_set():
            seen.append(seqs(reader))

    threads = [threading.Thread(target=read) for _ in range(3)]
    for thread in threads:
        thread.start()
    for seq in range(2, LATER + 2):
        assert erase(store, seq, seq) == 1
    done.set()
    for thread in threads:
        thread.join()
    assert len({len(each) for each in seen}) > 1
    assert all(each == list(range(1, len(each) + 1)) for each in seen)


def test_T15_writers_beside_erasures_lose_nothing(store: FolderStore, root: Path) -> None:
    writers = shelves.writers(shelves.Folder(root), 1, "append", EACH)
    erased = 0
    while any(writer.poll() is None for writer in writers):
        head = seqs(store)[-1]
        erased += erase(store, 2, head)
    said = [line for writer in writers for line in writer.communicate()[0].split()]
    assert {writer.returncode for writer in writers} == {0}
    found = store.read(1, View.seqs())
    assert [entry.seq for entry in found] == list(range(1, len(found) + 1))
    erasures = [entry for entry in found if entry.payload.get("name") == "erased"]
    appended = 8 * sum(1 + number % 3 for number in range(EACH))
    assert len(found) == 1 + LATER + appended + len(erasures)
    assert len({*map(int, said)}) == len(said) == 8 * EACH
    assert erased >= LATER
    assert store.verify(1).ok


@pytest.mark.parametrize("broken", ["the first flush", "the second flush", "the replacing"])
def test_T19_a_full_disk_leaves_the_tape_with_its_words_and_no_file_beside_it(
    store: FolderStore, root: Path, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    before = (root / "1.jsonl").read_bytes()
    with monkeypatch.context() as patch:
        _break(patch, broken)
        with pytest.raises(OSError, match="no space left"):
            erase(store, 2, 3)
    assert (root / "1.jsonl").read_bytes() == before
    assert not (root / "1.new").exists()
    assert seqs(store) == list(range(1, LATER + 2))
    assert erase(store, 2, 3) == 2
    assert store.verify(1).ok


def _break(patch: pytest.MonkeyPatch, broken: str) -> None:
    flushes = iter([broken == "the first flush", broken == "the second flush", False])
    fsync, replace = os.fsync, Path.replace

    def flush(descriptor: int) -> None:
        if next(flushes, False):
            raise OSError(errno.ENOSPC, "no space left")
        fsync(descriptor)

    def put(path: Path, other: Path) -> Path:
        if broken == "the replacing":
            raise OSError(errno.ENOSPC, "no space left")
        return replace(path, other)

    patch.setattr(os, "fsync", flush)
    patch.setattr(Path, "replace", put)


KILLED = """
import os, signal, sys
from pathlib import Path
from tapes.stores.folder import FolderStore

left = int(sys.argv[2])
fsync = os.fsync
def flush(descriptor):
    global left
    fsync(descriptor)
    left -= 1
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)
os.fsync = flush
FolderStore(Path(sys.argv[1])).erase(1, 2, 3, actor="system", why="a leaked password")
"""


def test_T19_a_long_text_that_a_crash_kept_goes_when_it_is_done_again(
    store: FolderStore, root: Path
) -> None:
    digest = store.spill(f"{WORDS} at length")
    seq, later = _naming(store, digest), _naming(store, store.spill(f"{WORDS} at length too"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Spills, "forget", _killed)
        with pytest.raises(KeyboardInterrupt):
            erase(store, seq, seq)
    with (root / "1.erased").open("ab") as file:
        file.write(b'{"first": 2, "la')
    assert FolderStore(root).unspill(digest)
    assert store.erase(1, seq, seq, actor="system", why="again").spilled == 1
    assert store.erase(1, 2, later, actor="system", why="all of it").spilled == 1
    assert store.read(1, View.seqs(2, 2))[0].payload["content"] == "[erased]"
    assert not shelves.Folder(root).says(f"{WORDS} at length")


def _naming(store: FolderStore, digest: str) -> int:
    result = {"name": "grep", "content": "…", "spill": {"id": digest}}
    return store.append(1, [entries.tool_result([result])])[0].seq


def _killed(*_: object) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize(("flushes", "gone"), [(1, False), (2, False), (3, True)])
def test_T19_a_process_killed_in_an_erasure_leaves_all_words_or_none(
    store: FolderStore, root: Path, flushes: int, *, gone: bool
) -> None:
    assert seqs(store)[-1] == LATER + 1
    command = [sys.executable, "-c", KILLED, str(root), str(flushes)]
    assert subprocess.run(command, check=False).returncode == -signal.SIGKILL
    for reader in (store, FolderStore(root)):
        texts = [entry.payload.get("content") for entry in reader.read(1, View.seqs(2, 3))]
        assert (texts == ["[erased]"] * 2) is gone
        assert reader.verify(1).ok
    assert erase(store, 2, 3) == (0 if gone else 2)
    assert not shelves.Folder(root).says(f"{WORDS} 0")


def test_T19_an_archive_that_did_not_answer_loses_the_words_when_it_is_done_again(
    root: Path, tmp_path: Path
) -> None:
    place = objects.Folder(tmp_path / "archive")
    store = FolderStore(root, Archive(place))
    store.create("work")
    store.append(1, [entries.message("user", WORDS)])
    store.close(1)
    store.archive(1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(objects.Folder, "keys", _unreachable)
        with pytest.raises(objects.ArchiveUnreachable):
            erase(store, 2, 2)
    shelf = shelves.Folder(root, Archive(place))
    assert shelf.says(WORDS)
    assert erase(store, 2, 2) == 0
    assert not shelf.says(WORDS)
    assert Archive(place).verify(1).ok


def _unreachable(place: objects.Folder, prefix: str) -> None:
    raise objects.ArchiveUnreachable(f"{place.root / prefix} does not answer")
