"""One indexing of a repository: queued as a row, resumable, cancellable; and the fetching of all (C3)."""

from __future__ import annotations

import logging
import time

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.db.models.functions import Now

from kb_agent.repositories import fetching, git, leases, mirror, reading, sources, vocabulary
from kb_agent.repositories.leases import Progress, Pulse
from kb_agent.repositories.models import Chunk, File, IndexRun, Repository

log = logging.getLogger(__name__)
REFUSALS = (
    sources.BadSource,
    fetching.EmptyRepository,
    fetching.UnknownBranch,
    fetching.FetchFailed,
    git.GitFailed,
    mirror.MissingFile,
)


def queue(repository: Repository) -> IndexRun:
    """The repository's unfinished run, or a new one that waits; a worker takes it at its next sweep."""
    try:
        with transaction.atomic():
            return IndexRun.objects.create(repository=repository)
    except IntegrityError:
        return IndexRun.objects.get(repository=repository, status__in=["waiting", "running"])


def cancel(index_run_id: int) -> None:
    """Ask a run to stop; one that waits ends at once."""
    runs = IndexRun.objects.filter(pk=index_run_id)
    runs.filter(status="waiting").update(status="cancelled", ended_at=Now())
    runs.filter(status="running").update(cancel_requested=True)


def due() -> list[int]:
    """Runs that wait, or whose worker was lost."""
    return list(leases.claimable().values_list("pk", flat=True))


def fetch_all() -> None:
    """Fetch every repository that no run is at, and queue a run where a branch moved or is read anew.

    A source that cannot be read is noted on its repository; its index stays, and so does its status.
    """
    for repository in Repository.objects.exclude(runs__status__in=["waiting", "running"]):
        try:
            fetched = fetching.fetch(repository)
        except REFUSALS as refusal:
            _note(repository, refusal)
            continue
        for failure in fetched.failures:
            _note(repository, failure)
        if any(reading.behind(branch) for branch in fetched.branches):
            queue(repository)
        elif repository.error and not fetched.failures:
            Repository.objects.filter(pk=repository.pk).update(error="", status="fresh")
    reading.tidy()


def run(index_run_id: int, on_progress: Progress | None = None) -> IndexRun | None:
    """Fetch and index; None when the run is not to be had. A refusal of the source ends the run as failed."""
    claimed = leases.claim(index_run_id)
    if claimed is None:
        return None
    pulse = Pulse(claimed, on_progress)
    try:
        with leases.renewing(claimed):
            failures = _index(claimed, pulse)
        leases.end(claimed, "done", *_said(failures))
    except leases.Cancelled:
        leases.end(claimed, "cancelled")
    except REFUSALS as refusal:
        leases.end(claimed, "failed", *_said([refusal]))
    except leases.Lost:
        log.warning("index run %s went on elsewhere", index_run_id)
    except Exception:
        leases.end(claimed, "failed", "Indexing failed; the server's log says why.")
        raise
    pulse.tell()
    return claimed


def follow(index_run_id: int, on_progress: Progress | None = None) -> IndexRun:
    """Wait for a run that a worker holds, and take it over when that worker is lost."""
    while True:
        waited = IndexRun.objects.select_related("repository").get(pk=index_run_id)
        if waited.status not in {"waiting", "running"}:
            return waited
        if on_progress is not None:
            on_progress(waited)
        if (taken := run(index_run_id, on_progress)) is not None:
            return taken
        time.sleep(0.5)


def _index(run: IndexRun, pulse: Pulse) -> list[Exception]:
    """Bring the index to where the source stands; returns what kept branches from being fetched."""
    repository = run.repository
    pulse.phase("fetch")
    fetched = fetching.fetch(repository)
    words_changed = [reading.read_branch(branch, pulse) for branch in fetched.branches]
    if any(words_changed):
        pulse.phase("vocabulary")
        vocabulary.mine(repository)
    of_default = Q(branch__repository=repository, branch__name=repository.default_branch)
    run.files = File.objects.filter(of_default).count()
    run.chunks = Chunk.objects.filter(blob__files__in=File.objects.filter(of_default)).count()
    return fetched.failures


def _said(refusals: list[Exception]) -> tuple[str, str]:
    """(a sentence for every reader, git's own words for those who run the server)."""
    said = dict.fromkeys(fetching.sentence(refusal) for refusal in refusals)
    details = dict.fromkeys(fetching.detail(refusal) for refusal in refusals)
    return " ".join(said), " ".join(filter(None, details))


def _note(repository: Repository, refusal: Exception) -> None:
    log.warning(
        "repository %s was not fetched: %s", repository.name, fetching.detail(refusal) or refusal
    )
    Repository.objects.filter(pk=repository.pk).update(error=fetching.sentence(refusal))
