"""Holds an index run: claimed with a lease that a thread renews, ended once, bounded in attempts."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta

from django.db import DatabaseError, connection, transaction
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Now

from kb_agent.repositories.mirror import schedule
from kb_agent.repositories.models import Branch, IndexRun, Repository

log = logging.getLogger(__name__)
LEASE = timedelta(seconds=60)
RENEW_SECONDS = 15.0
HEARTBEAT_SECONDS = 1.0
# A run that took its worker down so often is not given to another.
MOST_CLAIMS = 3
# Ended runs of a repository that are kept for people to look back on.
KEPT_RUNS = 20
# A run that reads for so long lets those that wait go first, and goes on after them.
SLICE_SECONDS = 60.0
Progress = Callable[[IndexRun], None]


@dataclass(frozen=True)
class Said:
    """Why a run ended: a sentence for all readers, the same for programs, git's own words for who runs the server."""

    error: str = ""
    code: str = ""
    detail: str = ""


NOTHING = Said()


class Cancelled(Exception):
    """A person asked for the run to stop; what was read stays."""


class GaveWay(Exception):
    """Others waited long enough: the run waits again, and what was read stays."""


class Lost(Exception):
    """Another worker holds the run now."""


def claimable() -> QuerySet[IndexRun]:
    """Runs that wait, or whose worker was lost."""
    rows = IndexRun.objects.filter(Q(status="waiting") | Q(status="running", lease_until__lt=Now()))
    return rows.order_by("queued_at", "pk")


def line() -> dict[int, int]:
    """The place of each waiting run, from 1, in the order in which workers take them."""
    waiting = claimable().filter(status="waiting").values_list("pk", flat=True)
    return {pk: place for place, pk in enumerate(waiting, start=1)}


def claim(index_run_id: int) -> IndexRun | None:
    """The run with a new token, or None when it is not to be had; one claimed too often ends as failed."""
    taken = (
        claimable()
        .filter(pk=index_run_id)
        .update(status="running", token=F("token") + 1, lease_until=Now() + LEASE, started_at=Now())
    )
    if not taken:
        return None
    run = IndexRun.objects.select_related("repository").get(pk=index_run_id)
    if run.token > MOST_CLAIMS:
        end(
            run,
            "failed",
            Said(f"Indexing took its worker down {MOST_CLAIMS} times and was given up.", "gave_up"),
        )
        return None
    Repository.objects.filter(pk=run.repository_id).update(status="indexing")
    return run


def end(run: IndexRun, status: str, said: Said = NOTHING) -> None:
    """Close the run and set the repository's status, unless the run was lost; queue what was asked for meanwhile."""
    with transaction.atomic():
        ended = _held(run).update(
            status=status,
            error=said.error,
            error_code=said.code,
            detail=said.detail,
            ended_at=Now(),
            phase="",
            files=run.files,
            chunks=run.chunks,
            symbols=run.symbols,
            skipped=run.skipped,
            lease_until=None,
        )
        if not ended:
            return
        run.refresh_from_db()
        if run.started_at and run.ended_at:
            run.seconds = (run.ended_at - run.started_at).total_seconds()
            run.save(update_fields=["seconds"])
        _set_standing(run)
        if run.again and status == "done":
            IndexRun.objects.create(repository=run.repository)
    kept = run.repository.runs.order_by("-pk").values_list("pk", flat=True)[:KEPT_RUNS]
    run.repository.runs.exclude(pk__in=list(kept)).delete()


def give_way(run: IndexRun) -> None:
    """Let the run wait again, behind all that wait now; it has not taken its worker down."""
    _held(run).update(
        status="waiting",
        queued_at=Now(),
        lease_until=None,
        token=F("token") - 1,
    )


def _set_standing(run: IndexRun) -> None:
    branches = Branch.objects.filter(repository=run.repository)
    indexed = branches.exclude(indexed_commit="").exists()
    standing = "failed" if run.status == "failed" else ("fresh" if indexed else "new")
    Repository.objects.filter(pk=run.repository_id).update(
        status=standing, error=run.error, error_code=run.error_code
    )


def _held(run: IndexRun) -> QuerySet[IndexRun]:
    return IndexRun.objects.filter(pk=run.pk, token=run.token, status="running")


@contextmanager
def renewing(run: IndexRun) -> Iterator[None]:
    """Renew the lease from a thread of its own: a fetch or a writing may outlast it without a step."""
    stopped = threading.Event()

    def renew() -> None:
        while not stopped.wait(RENEW_SECONDS):
            try:
                _held(run).update(lease_until=Now() + LEASE)
            except DatabaseError:
                log.warning("the lease of index run %s was not renewed", run.pk)
            finally:
                connection.close()

    thread = threading.Thread(target=renew, name=f"lease of index run {run.pk}", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stopped.set()
        thread.join()


@dataclass
class Pulse:
    """Writes a run's progress and tells it, at most every second, and hears a cancel and those who wait.

    A run `gives_way` when a worker runs it; a command that indexes here and now goes on.
    """

    run: IndexRun
    on_progress: Progress | None
    gives_way: bool = False
    beaten: float = 0.0
    began: float = field(default_factory=time.monotonic)

    def phase(self, name: str, total: int = 0) -> None:
        """Begin a phase of `total` steps."""
        self.run.phase, self.run.done, self.run.total = name, 0, total
        _held(self.run).update(phase_at=Now())
        self.beat(now=True)

    def step(self, count: int = 1) -> None:
        """Note steps done. Raises `Cancelled`, `Lost`, `GaveWay`."""
        self.run.done += count
        self.beat(now=False)
        long = time.monotonic() - self.began > SLICE_SECONDS and self.run.done < self.run.total
        if self.gives_way and long and _others_wait():
            raise GaveWay

    def beat(self, *, now: bool = False) -> None:
        """Write progress when it is time. Raises `Cancelled`, `Lost`."""
        if not now and time.monotonic() - self.beaten < HEARTBEAT_SECONDS:
            return
        self.beaten = time.monotonic()
        run = self.run
        held = _held(run).update(
            phase=run.phase, done=run.done, total=run.total, lease_until=Now() + LEASE
        )
        if not held:
            raise Lost
        self.tell()
        if _held(run).filter(cancel_requested=True).exists():
            raise Cancelled

    def tell(self) -> None:
        """Call the listener."""
        if self.on_progress is not None:
            self.on_progress(self.run)


def _others_wait() -> bool:
    """Whether a run waits, or a source is to be looked at."""
    return IndexRun.objects.filter(status="waiting").exists() or schedule.due().exists()
