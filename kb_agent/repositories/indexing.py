"""One indexing of a repository: queued as a row, claimed with a lease, resumable, cancellable (C3)."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from django.db import IntegrityError, transaction
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Now
from django.dispatch import Signal

from kb_agent.repositories import fetching, git, mirror, reading, sources, vocabulary
from kb_agent.repositories.models import Branch, Chunk, File, IndexRun, Repository

log = logging.getLogger(__name__)
LEASE = timedelta(seconds=60)
HEARTBEAT_SECONDS = 2.0
Progress = Callable[[IndexRun], None]
# Sent after commit with `index_run_id`, so that a worker starts at once.
run_due = Signal()


class Cancelled(Exception):
    """A person asked for the run to stop; what was read stays."""


class Lost(Exception):
    """Another worker holds the run now."""


REFUSALS = (
    sources.BadSource,
    fetching.EmptyRepository,
    fetching.UnknownBranch,
    fetching.FetchFailed,
    git.GitFailed,
    mirror.MissingFile,
)


def queue(repository: Repository) -> IndexRun:
    """The repository's unfinished run, or a new one that waits."""
    try:
        with transaction.atomic():
            run = IndexRun.objects.create(repository=repository)
    except IntegrityError:
        return IndexRun.objects.get(repository=repository, status__in=["waiting", "running"])
    transaction.on_commit(lambda: run_due.send(IndexRun, index_run_id=run.pk))
    return run


def cancel(index_run_id: int) -> None:
    """Ask a run to stop; one that waits ends at once."""
    runs = IndexRun.objects.filter(pk=index_run_id)
    runs.filter(status="waiting").update(status="cancelled", ended_at=Now())
    runs.filter(status="running").update(cancel_requested=True)


def due() -> list[int]:
    """Runs that wait, or whose worker was lost."""
    return list(_claimable().values_list("pk", flat=True))


def fetch_all() -> None:
    """Fetch every repository that no run is at, and queue a run where a branch moved.

    A source that cannot be read is noted on its repository; its index stays.
    """
    for repository in Repository.objects.exclude(runs__status__in=["waiting", "running"]):
        try:
            branches = fetching.fetch(repository)
        except REFUSALS as refusal:
            log.warning("repository %s was not fetched: %s", repository.name, refusal)
            Repository.objects.filter(pk=repository.pk).update(error=str(refusal))
            continue
        if any(branch.commit != branch.indexed_commit for branch in branches):
            queue(repository)
        elif repository.error:
            Repository.objects.filter(pk=repository.pk).update(error="", status="fresh")


def run(index_run_id: int, on_progress: Progress | None = None) -> IndexRun | None:
    """Fetch and index; None when the run is not to be had. A refusal of the source ends the run as failed."""
    claimed = _claim(index_run_id)
    if claimed is None:
        return None
    pulse = Pulse(claimed, on_progress)
    try:
        _index(claimed, pulse)
        _end(claimed, "done")
    except Cancelled:
        _end(claimed, "cancelled")
    except REFUSALS as refusal:
        _end(claimed, "failed", str(refusal))
    except Lost:
        log.warning("index run %s went on elsewhere", index_run_id)
    except Exception:
        _end(claimed, "failed", "Indexing failed; the server's log says why.")
        raise
    pulse.tell()
    return claimed


def follow(index_run_id: int, on_progress: Progress | None = None) -> IndexRun:
    """Wait for a run that a worker holds, and take it over when that worker is lost."""
    while True:
        run_now = IndexRun.objects.select_related("repository").get(pk=index_run_id)
        if run_now.status not in {"waiting", "running"}:
            return run_now
        if on_progress is not None:
            on_progress(run_now)
        if (taken := run(index_run_id, on_progress)) is not None:
            return taken
        time.sleep(0.5)


@dataclass
class Pulse:
    """Keeps a run's lease and tells its progress, at most every two seconds."""

    run: IndexRun
    on_progress: Progress | None
    beaten: float = 0.0

    def phase(self, name: str, total: int = 0) -> None:
        """Begin a phase of `total` steps."""
        self.run.phase, self.run.done, self.run.total = name, 0, total
        self.beat(now=True)

    def step(self, count: int = 1) -> None:
        """Note steps done. Raises `Cancelled`, `Lost`."""
        self.run.done += count
        self.beat(now=False)

    def beat(self, *, now: bool) -> None:
        """Write progress and renew the lease when it is time. Raises `Cancelled`, `Lost`."""
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


def _index(run: IndexRun, pulse: Pulse) -> None:
    repository = run.repository
    pulse.phase("fetch")
    branches = fetching.fetch(repository)
    changed = False
    for branch in branches:
        changed |= reading.read_branch(branch, pulse)
    if changed:
        pulse.phase("vocabulary")
        vocabulary.mine(repository)
    of_default = Q(branch__repository=repository, branch__name=repository.default_branch)
    run.files = File.objects.filter(of_default).count()
    run.chunks = Chunk.objects.filter(blob__files__in=File.objects.filter(of_default)).count()


def _claimable() -> QuerySet[IndexRun]:
    return IndexRun.objects.filter(Q(status="waiting") | Q(status="running", lease_until__lt=Now()))


def _claim(index_run_id: int) -> IndexRun | None:
    taken = (
        _claimable()
        .filter(pk=index_run_id)
        .update(status="running", token=F("token") + 1, lease_until=Now() + LEASE, started_at=Now())
    )
    if not taken:
        return None
    run = IndexRun.objects.select_related("repository").get(pk=index_run_id)
    Repository.objects.filter(pk=run.repository_id).update(status="indexing")
    return run


def _held(run: IndexRun) -> QuerySet[IndexRun]:
    return IndexRun.objects.filter(pk=run.pk, token=run.token, status="running")


def _end(run: IndexRun, status: str, error: str = "") -> None:
    """Close the run and set the repository's status, unless the run was lost."""
    with transaction.atomic():
        ended = _held(run).update(
            status=status,
            error=error,
            ended_at=Now(),
            phase="",
            files=run.files,
            chunks=run.chunks,
            lease_until=None,
        )
        if not ended:
            return
        run.refresh_from_db()
        if run.started_at and run.ended_at:
            run.seconds = (run.ended_at - run.started_at).total_seconds()
            run.save(update_fields=["seconds"])
        indexed = (
            Branch.objects.filter(repository=run.repository).exclude(indexed_commit="").exists()
        )
        standing = "failed" if status == "failed" else ("fresh" if indexed else "new")
        Repository.objects.filter(pk=run.repository_id).update(status=standing, error=error)
