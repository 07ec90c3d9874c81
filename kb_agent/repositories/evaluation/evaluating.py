"""Runs evaluations (C9): claimed with a lease, gone through in slices that let others work, queued when the index changed."""

from __future__ import annotations

import hashlib
import logging
import time
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.db import IntegrityError, transaction
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Now

from kb_agent.llm import account
from kb_agent.repositories import access, search
from kb_agent.repositories.evaluation import scoring
from kb_agent.repositories.evaluation.scoring import Score, Spot
from kb_agent.repositories.measuring import Signals
from kb_agent.repositories.models import Branch, IndexRun
from kb_agent.repositories.models.evaluation import (
    Evaluation,
    EvaluationOutcome,
    EvaluationQuestion,
    EvaluationRun,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kb_agent.accounts.models import User

log = logging.getLogger(__name__)
LEASE = timedelta(seconds=60)
RENEW_SECONDS = 10.0
# A worker gives a long run back after so long: index runs wait for the same worker.
SLICE_SECONDS = 20.0
# A run that took its worker down so often without a step is given up.
MOST_ATTEMPTS = 3
# Places asked for: measured are the first ten files, each of which may hold several.
PLACES = 100
KEPT_RUNS, KEPT_OUTCOMES = 200, 3
# After an indexing it is quiet for so long before a run starts; changes that go on do not put it off for ever.
QUIET = timedelta(seconds=20)
LONGEST_WAIT = timedelta(minutes=15)
UNFINISHED = ("waiting", "running")


class Lost(Exception):
    """Another worker holds the run now."""


def queue(evaluation: Evaluation, trigger: str, *, by: User | None = None) -> EvaluationRun:
    """The set's unfinished run, or a new one that waits for a worker."""
    Evaluation.objects.filter(pk=evaluation.pk).update(
        measured=state(evaluation.owner), behind_since=None
    )
    try:
        with transaction.atomic():
            return EvaluationRun.objects.create(evaluation=evaluation, trigger=trigger, asked_by=by)
    except IntegrityError:
        return EvaluationRun.objects.get(evaluation=evaluation, status__in=UNFINISHED)


def due() -> list[int]:
    """Runs that wait, or whose worker was lost; sets whose index has changed get one first."""
    _queue_changed()
    return list(_claimable().values_list("pk", flat=True))


def state(owner: User) -> str:
    """What the owner's questions are measured on: the commits indexed of what they read, as a digest."""
    rows = (
        Branch.objects.filter(repository__in=access.readable(owner).values("pk"))
        .filter(name=F("repository__default_branch"))
        .exclude(indexed_commit="")
        .order_by("pk")
        .values_list("pk", "indexed_commit", "analyser")
    )
    return hashlib.sha256(repr(list(rows)).encode()).hexdigest()


def run(run_id: int, *, seconds: float = SLICE_SECONDS) -> EvaluationRun | None:
    """Go on with a run for a while; None when it is not to be had. What is left waits for the next sweep."""
    claimed = _claim(run_id)
    if claimed is None:
        return None
    began = time.monotonic()
    try:
        left = _slice(claimed, began + seconds)
        claimed.seconds += time.monotonic() - began
        if left:
            _held(claimed).update(
                status="waiting", lease_until=None, attempts=0, seconds=claimed.seconds
            )
        else:
            _finish(claimed)
    except Lost:
        log.warning("evaluation run %s went on elsewhere", run_id)
    except Exception:
        _fail(claimed, "The evaluation failed; the server's log says why.")
        raise
    return EvaluationRun.objects.filter(pk=run_id).first()


def _claimable() -> QuerySet[EvaluationRun]:
    return EvaluationRun.objects.filter(
        Q(status="waiting") | Q(status="running", lease_until__lt=Now())
    )


def _claim(run_id: int) -> EvaluationRun | None:
    taken = (
        _claimable()
        .filter(pk=run_id)
        .update(
            status="running",
            token=F("token") + 1,
            attempts=F("attempts") + 1,
            lease_until=Now() + LEASE,
        )
    )
    if not taken:
        return None
    claimed = EvaluationRun.objects.select_related("evaluation__owner").get(pk=run_id)
    if claimed.attempts > MOST_ATTEMPTS:
        _fail(claimed, f"It took its worker down {MOST_ATTEMPTS} times and was given up.")
        return None
    return claimed


def _held(run: EvaluationRun) -> QuerySet[EvaluationRun]:
    return EvaluationRun.objects.filter(pk=run.pk, token=run.token, status="running")


def _slice(run: EvaluationRun, until: float) -> bool:
    """Ask questions until the time is over; says whether any is left. Raises `Lost`."""
    readable = sorted(access.readable(run.evaluation.owner).values_list("pk", flat=True))
    renewed = time.monotonic()
    for question in _open(run):
        if time.monotonic() > until:
            return True
        outcome = _outcome(run, question, readable)
        with transaction.atomic():
            if not _held(run).select_for_update().exists():
                raise Lost
            # Whoever changes the set meanwhile may have taken the question away.
            kept = EvaluationQuestion.objects.select_for_update().filter(pk=question.pk)
            if kept.exists():
                EvaluationOutcome.objects.bulk_create([outcome], ignore_conflicts=True)
        if time.monotonic() - renewed > RENEW_SECONDS:
            renewed = time.monotonic()
            _held(run).update(lease_until=Now() + LEASE, attempts=0)
    return False


def _open(run: EvaluationRun) -> list[EvaluationQuestion]:
    asked = run.outcomes.values("question")
    return list(run.evaluation.questions.exclude(pk__in=asked).order_by("ordinal"))


def _outcome(
    run: EvaluationRun, question: EvaluationQuestion, readable: list[int]
) -> EvaluationOutcome:
    payer = account.of_system("evaluation", tape="evaluation", payer=run.evaluation.owner_id)
    results = search.search(
        question.text, readable=readable, limit=PLACES, signals=Signals(account=payer)
    )
    found = [
        Spot(hit.repository_id, hit.path, hit.start_line, hit.end_line) for hit in results.hits
    ]
    score = scoring.score(_spots(question.places), _spots(question.also), found)
    first = results.hits[0] if results.hits else None
    return EvaluationOutcome(
        run=run,
        question=question,
        right=sorted({place["repository_id"] for place in question.places}),
        repo_first=score.repo_first,
        file_rank=score.file_rank,
        span=bool(score.span),
        whole=score.whole,
        found=results.found,
        first={
            "repository_id": first.repository_id,
            "repository": first.repository,
            "path": first.path,
        }
        if first
        else None,
    )


def _spots(places: Iterable[dict[str, Any]]) -> list[Spot]:
    return [
        Spot(each["repository_id"], each["path"], each["start_line"], each["end_line"])
        for each in places
    ]


def _finish(run: EvaluationRun) -> None:
    """Close the run with its figures; of older runs only the figures are kept."""
    outcomes = run.outcomes.select_related("question")
    figures = scoring.by_language(
        (each.question.language, _score(each)) for each in outcomes.order_by("question__ordinal")
    )
    _end(run, "done", figures=figures)
    done = EvaluationRun.objects.filter(evaluation=run.evaluation_id).exclude(status__in=UNFINISHED)
    newest = list(done.order_by("-pk").values_list("pk", flat=True)[:KEPT_RUNS])
    done.exclude(pk__in=newest).delete()
    told = list(done.filter(status="done").order_by("-pk").values_list("pk", flat=True))
    EvaluationOutcome.objects.filter(
        run__evaluation=run.evaluation_id, run__status__in=["done", "failed"]
    ).exclude(run__in=told[:KEPT_OUTCOMES]).delete()


def _score(outcome: EvaluationOutcome) -> Score:
    lines = any(place["start_line"] for place in outcome.question.places)
    return Score(
        outcome.repo_first, outcome.file_rank, outcome.span if lines else None, outcome.whole
    )


def _fail(run: EvaluationRun, error: str) -> None:
    _end(run, "failed", error=error)


def _end(run: EvaluationRun, status: str, **values: Any) -> None:
    _held(run).update(
        status=status, ended_at=Now(), lease_until=None, seconds=run.seconds, **values
    )


def _queue_changed() -> None:
    """A run for every set whose owner's index is not the one last measured, once indexing is quiet."""
    for evaluation in Evaluation.objects.select_related("owner").exclude(
        runs__status__in=UNFINISHED
    ):
        if state(evaluation.owner) == evaluation.measured:
            continue
        waiting = Evaluation.objects.filter(pk=evaluation.pk, behind_since=None)
        if waiting.update(behind_since=Now()) or _busy(evaluation):
            continue
        queue(evaluation, EvaluationRun.Trigger.INDEX)


def _busy(evaluation: Evaluation) -> bool:
    """Whether indexing goes on, or went on until just now, and may be waited for."""
    late = Evaluation.objects.filter(pk=evaluation.pk, behind_since__lt=Now() - LONGEST_WAIT)
    recent = IndexRun.objects.filter(
        Q(status__in=UNFINISHED) | Q(ended_at__gt=Now() - QUIET),
        repository__in=access.readable(evaluation.owner).values("pk"),
    )
    return recent.exists() and not late.exists()
