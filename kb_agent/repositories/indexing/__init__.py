"""One indexing of a repository: queued as a row, resumable, cancellable; and the fetching of all (C3)."""

from __future__ import annotations

import logging
import time

from django.db import IntegrityError, transaction
from django.db.models import Count, Q
from django.db.models.functions import Now

from kb_agent.repositories import mirror, vocabulary
from kb_agent.repositories.indexing import leases, reading
from kb_agent.repositories.indexing.leases import Progress, Pulse
from kb_agent.repositories.mirror import fetching, git, schedule
from kb_agent.repositories.models import File, IndexRun, Repository, Skipped
from kb_agent.repositories.vocabulary import describing

log = logging.getLogger(__name__)
REFUSALS = fetching.REFUSALS
# A sweep of the schedule fetches for so long at most; what is left is overdue and comes first next time.
SWEEP_SECONDS = 20.0


def queue(repository: Repository) -> IndexRun:
    """The repository's unfinished run, or a new one that waits; a worker takes it at its next sweep."""
    while True:
        try:
            with transaction.atomic():
                return IndexRun.objects.create(repository=repository)
        except IntegrityError:
            rows = IndexRun.objects.filter(repository=repository)
            unfinished = rows.filter(status__in=["waiting", "running"]).first()
            if unfinished is not None:
                return unfinished


def moved(repository: Repository) -> IndexRun:
    """Queue a run because the source moved; one that goes on, and may have fetched, is followed by another."""
    run = queue(repository)
    if run.status == IndexRun.Status.WAITING:
        return run
    goes_on = IndexRun.objects.filter(pk=run.pk, status=IndexRun.Status.RUNNING)
    return run if goes_on.update(again=True) else queue(repository)


def cancel(index_run_id: int) -> None:
    """Ask a run to stop; one that waits ends at once."""
    runs = IndexRun.objects.filter(pk=index_run_id)
    runs.filter(status="waiting").update(status="cancelled", ended_at=Now())
    runs.filter(status="running").update(cancel_requested=True)


def due() -> list[int]:
    """Runs that wait, or whose worker was lost, in the order in which they are taken."""
    return list(leases.claimable().values_list("pk", flat=True))


def run_next() -> IndexRun | None:
    """Run what waits longest; a long run gives way to those that wait."""
    for index_run_id in due():
        if (ended := run(index_run_id, gives_way=True)) is not None:
            return ended
    return None


def fetch_due() -> None:
    """Fetch the repositories whose time has come, and queue a run where a branch moved or is read anew.

    A source that cannot be read is noted on its repository; its index stays, and so does its status.
    """
    began = time.monotonic()
    for repository in schedule.due():
        if time.monotonic() - began > SWEEP_SECONDS:
            return
        fetch(repository)
    for repository in Repository.objects.exclude(removed_at=None):
        _strip(repository)
    reading.tidy()


def _strip(repository: Repository) -> None:
    """Take a removed repository's code from the disk; a mirror that cannot be worked on keeps no other's."""
    try:
        mirror.strip(repository)
    except git.GitFailed as failure:
        log.warning("the removed repository %s keeps its code: %s", repository.pk, failure)


def fetch(repository: Repository) -> None:
    """Fetch one repository, and queue a run where a branch moved or is read anew."""
    schedule.fetched(repository)
    try:
        fetched = fetching.fetch(repository)
    except REFUSALS as refusal:
        _note(repository, refusal)
        return
    for failure in fetched.failures:
        _note(repository, failure)
    if any(reading.behind(branch) for branch in fetched.branches):
        queue(repository)
    elif repository.error and not fetched.failures:
        standing = Repository.objects.filter(pk=repository.pk)
        standing.update(error="", error_code="", status="fresh")


def run(
    index_run_id: int, on_progress: Progress | None = None, *, gives_way: bool = False
) -> IndexRun | None:
    """Fetch and index; None when the run is not to be had. A refusal of the source ends the run as failed."""
    claimed = leases.claim(index_run_id)
    if claimed is None:
        return None
    pulse = Pulse(claimed, on_progress, gives_way)
    try:
        with leases.renewing(claimed):
            failures = _index(claimed, pulse)
        leases.end(claimed, "done", _said(failures))
    except leases.Cancelled:
        leases.end(claimed, "cancelled")
    except leases.GaveWay:
        leases.give_way(claimed)
    except REFUSALS as refusal:
        leases.end(claimed, "failed", _said([refusal]))
    except leases.Lost:
        log.warning("index run %s went on elsewhere, or its repository was removed", index_run_id)
    except Exception:
        leases.end(claimed, "failed", FAILED)
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
    with git.watched(pulse.beat):
        fetched = fetching.fetch(repository)
    schedule.fetched(repository)
    words_changed = [reading.read_branch(branch, pulse) for branch in fetched.branches]
    if any(words_changed):
        pulse.phase("vocabulary")
        _mine(repository)
    if any(words_changed) or not repository.runs.filter(status="done").exists():
        describing.draft(repository)
    _count(run)
    return fetched.failures


def _mine(repository: Repository) -> None:
    """Mine its words, unless it is removed: then it has none, and a removal waits for us."""
    with transaction.atomic():
        rows = Repository.objects.select_for_update(no_key=True)
        if rows.filter(pk=repository.pk, removed_at=None).exists():
            vocabulary.mine(repository)


def _count(run: IndexRun) -> None:
    """What the index of the default branch holds now."""
    repository = run.repository
    branch = Q(branch__repository=repository, branch__name=repository.default_branch)
    # Each table once: joined to itself, a branch would take the square of its files where the plan
    # was made for statistics from before they came.
    run.files, run.chunks, run.symbols = (
        File.objects.filter(branch).aggregate(rows=Count(counted))["rows"]
        for counted in ("pk", "blob__chunks", "blob__symbols")
    )
    run.skipped = Skipped.objects.filter(branch).count()


FAILED = leases.Said("Indexing failed; the server's log says why.", "failed")


def _said(refusals: list[Exception]) -> leases.Said:
    said = dict.fromkeys(fetching.sentence(refusal) for refusal in refusals)
    details = dict.fromkeys(fetching.detail(refusal) for refusal in refusals)
    code = fetching.reason(refusals[0]) if refusals else ""
    return leases.Said(" ".join(said), code, " ".join(filter(None, details)))


def _note(repository: Repository, refusal: Exception) -> None:
    log.warning(
        "repository %s was not fetched: %s", repository.name, fetching.detail(refusal) or refusal
    )
    Repository.objects.filter(pk=repository.pk).update(
        error=fetching.sentence(refusal), error_code=fetching.reason(refusal)
    )
