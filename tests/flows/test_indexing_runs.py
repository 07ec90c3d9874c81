"""C3, R3: an indexing killed at work goes on where it was, and one that is cancelled in the browser stops."""

from __future__ import annotations

import sys
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.db import connection
from django.db.models.functions import Now

from kb_agent.accounts import roles
from kb_agent.repositories import files, indexing, search
from kb_agent.repositories.models import Blob, IndexRun, Repository
from tests.api import company
from tests.flows import harness
from tests.repositories.code import Code, add

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MANY = 3000
pytestmark = pytest.mark.usefixtures("committed_database")


@pytest.fixture
def large(committed_database: None, tmp_path: Path) -> Repository:
    """A repository that takes some seconds to read."""
    code = Code(tmp_path / "large")
    body = "\n".join(
        f"def step_{n}(order):\n    '''Step {n} of an order.'''\n    return order + {n}\n"
        for n in range(20)
    )
    code.commit({f"module_{n}.py": f"NUMBER = {n}\n\n{body}" for n in range(MANY)})
    return add(code, "large")


@pytest.fixture
def at_work(large: Repository, tmp_path: Path) -> Iterator[harness.Process]:
    """A process that is reading it, and has written some of what it learnt."""
    command = [sys.executable, "manage.py", "index", "large"]
    with harness.running(command, tmp_path / "index.log", ready=lambda _: some_read()) as process:
        yield process


def some_read() -> bool:
    """Whether a batch is done, and not all of them."""
    return IndexRun.objects.filter(phase="read", done__gt=0).exists()


def test_R3_a_run_killed_at_work_is_taken_over_and_reads_only_what_is_left(
    large: Repository, at_work: harness.Process
) -> None:
    at_work.kill()
    read = Blob.objects.count()
    assert 0 < read < MANY
    left = IndexRun.objects.get()
    assert (left.status, indexing.due()) == ("running", [])
    IndexRun.objects.update(lease_until=Now() - timedelta(seconds=1))
    assert indexing.due() == [left.pk]
    totals: list[int] = []
    ended = indexing.run(left.pk, lambda run: totals.append(run.total))
    assert ended is not None
    assert max(totals) == MANY - read
    assert (ended.pk, ended.status, ended.token) == (left.pk, "done", 2)
    assert (Blob.objects.count(), files.count(large, "main")) == (MANY, MANY)
    large.refresh_from_db()
    assert large.status == "fresh"
    assert search.search("step_7", readable=[large.pk]).hits


def test_C3_a_run_is_cancelled_in_the_browser_within_a_batch_and_its_progress_is_told(
    large: Repository, at_work: harness.Process
) -> None:
    root = company.person("root")
    roles.grant(root, "administrator", by=None)
    browser = company.browser(root)
    address = f"/api/repositories/{large.pk}"
    run = browser.get(address).json()["run"]
    assert (run["status"], run["phase"], run["total"]) == ("running", "read", MANY)
    assert 0 < run["done"] < MANY
    assert run["seconds_left"] >= 0
    began = time.monotonic()
    assert browser.post(f"{address}/cancel", format="json").status_code == 202
    harness.until(lambda: IndexRun.objects.get().status == "cancelled", within=20)
    assert time.monotonic() - began < 8
    assert 0 < Blob.objects.count() < MANY
    assert browser.get(address).json()["status"] == "new"
    lines = root.audit_lines.exclude(action="role_granted").values_list("action", flat=True)
    assert list(lines) == ["indexing_cancelled"]


def test_C2_many_pushes_at_the_same_moment_make_one_run_or_one_more(tmp_path: Path) -> None:
    code = Code(tmp_path / "shop")
    code.commit({"refund.py": "x = 1\n"})
    shop = add(code)

    def act(number: int) -> int:
        """The first of all works, every other is a push."""
        try:
            if number == 0:
                indexing.run_next()
            return indexing.moved(shop).pk
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(act, range(1, 40)))) == 1
        list(pool.map(act, range(40)))
    while indexing.run_next():
        pass
    assert set(IndexRun.objects.values_list("status", flat=True)) == {"done"}
    assert IndexRun.objects.count() <= 40
