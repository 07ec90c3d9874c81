"""C3: who is indexed when, and how a run is stopped while a server keeps it waiting."""

from __future__ import annotations

import socket
import time
from typing import TYPE_CHECKING

import pytest

from kb_agent.repositories import indexing
from kb_agent.repositories.indexing import leases, reading
from kb_agent.repositories.mirror import registry
from kb_agent.repositories.models import Blob, IndexRun
from tests.repositories.code import REFUND, Code, add, indexed

if TYPE_CHECKING:
    from pathlib import Path

    from kb_agent.repositories.models import Repository

pytestmark = pytest.mark.django_db


@pytest.fixture
def two(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Repository, Repository]:
    """A large repository that waits before a small one; a worker's patience is over after each batch."""
    monkeypatch.setattr(leases, "SLICE_SECONDS", 0.0)
    monkeypatch.setattr(reading, "BATCH_BLOBS", 2)
    large, small = Code(tmp_path / "large"), Code(tmp_path / "small")
    large.commit({f"m{n}.py": REFUND + f"\nN = {n}\n" for n in range(8)})
    small.commit({"refund.py": REFUND})
    repositories = add(large, "large"), add(small, "small")
    for repository in repositories:
        indexing.queue(repository)
    return repositories


def test_C3_a_long_run_lets_those_that_wait_go_first_and_goes_on_after_them(
    two: tuple[Repository, Repository],
) -> None:
    large, small = two
    gave_way = indexing.run_next()
    assert gave_way is not None
    assert (gave_way.repository_id, Blob.objects.count()) == (large.pk, 2)
    assert leases.line() == {small.runs.get().pk: 1, large.runs.get().pk: 2}
    done = indexing.run_next()
    assert done is not None
    assert (done.repository_id, done.status) == (small.pk, "done")
    done = indexing.run_next()
    assert done is not None
    assert (done.repository_id, done.status, done.token) == (large.pk, "done", 1)
    assert indexing.run_next() is None


def test_C3_a_command_indexes_without_giving_way(two: tuple[Repository, Repository]) -> None:
    run = indexing.run(two[0].runs.get().pk)
    assert run is not None
    assert run.status == "done"


def test_C3_runs_are_taken_in_the_order_in_which_they_wait(tmp_path: Path) -> None:
    code = Code(tmp_path / "code")
    code.commit({"refund.py": REFUND})
    waiting = [indexing.queue(add(code, name)).pk for name in ("c", "a", "b")]
    assert leases.line() == {pk: place for place, pk in enumerate(waiting, 1)}
    indexing.cancel(waiting[0])
    assert leases.line() == {waiting[1]: 1, waiting[2]: 2}


def test_C3_a_run_is_cancelled_while_a_server_keeps_it_waiting() -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        address = f"https://127.0.0.1:{silent.getsockname()[1]}/shop.git"
        waiting = indexing.queue(registry.add("shop", address))
        began = time.monotonic()

        def cancel(run: IndexRun) -> None:
            if run.phase == "fetch":
                indexing.cancel(run.pk)

        run = indexing.run(waiting.pk, cancel)
    assert run is not None
    assert run.status == "cancelled"
    assert time.monotonic() - began < 15


def test_C3_a_deleted_file_is_not_found_after_the_next_indexing(code: Code) -> None:
    code.commit({"refund.py": REFUND, "other.py": "X = 1\n"})
    repository = indexed(code)
    code.commit({"refund.py": None})
    run = indexing.run(indexing.queue(repository).pk)
    assert run is not None
    assert (run.files, run.symbols, run.skipped) == (1, 0, 0)


def test_C3_what_is_asked_for_while_a_run_goes_on_is_done_after_it(code: Code) -> None:
    code.commit({"refund.py": REFUND})
    repository = add(code)

    def push(run: IndexRun) -> None:
        if run.phase == "list":
            code.commit({"later.py": REFUND + "\n"})
            indexing.moved(repository)
            indexing.moved(repository)

    first = indexing.run(indexing.queue(repository).pk, push)
    assert first is not None
    assert first.files == 1
    second = indexing.run_next()
    assert second is not None
    assert second.files == 2
    assert indexing.due() == []
