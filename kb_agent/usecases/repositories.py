"""What a person can see of repositories: those they read, and, as an administrator, how all of them stand."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.core import signing
from django.db.models import Count, DurationField, ExpressionWrapper, F, Min, Prefetch, Q, QuerySet
from django.db.models.functions import Now

from kb_agent.accounts import roles
from kb_agent.repositories import access, evaluation
from kb_agent.repositories.indexing import leases
from kb_agent.repositories.mirror import schedule
from kb_agent.repositories.models import Branch, Grant, IndexRun, Repository, Skipped
from kb_agent.repositories.models.webhooks import Webhook
from kb_agent.usecases import refusals

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kb_agent.accounts.models import User

PAGE = 100


@dataclass(frozen=True)
class BranchShown:
    """A followed branch and how fresh its index is."""

    name: str
    commit: str
    committed_at: datetime | None
    indexed_at: datetime | None
    missing: bool


@dataclass(frozen=True)
class RunShown:
    """The newest indexing."""

    id: int
    status: str
    phase: str
    done: int
    total: int
    seconds_left: int | None
    place: int | None
    error: str
    error_code: str
    files: int
    chunks: int
    seconds: float | None
    started_at: datetime | None
    ended_at: datetime | None


@dataclass(frozen=True)
class GroupShown:
    """A group that reads a repository, and how many people are in it."""

    id: int
    name: str
    people: int


@dataclass(frozen=True)
class RepositoryShown:
    """A repository as a person sees it; an administrator who does not read it sees figures, no code."""

    id: int
    name: str
    description: dict[str, str]
    draft: bool
    status: str
    answers: str
    schedule_minutes: int
    source: str | None
    default_branch: str
    branches: list[BranchShown]
    files: int
    chunks: int
    symbols: int
    skipped: int
    groups: list[GroupShown]
    readable: bool
    may_manage: bool
    webhook: bool
    repo_at_1: float | None
    error: str
    error_code: str
    run: RunShown | None


@dataclass(frozen=True)
class RepositoryPage:
    """Repositories by name, and how many stand how."""

    results: list[RepositoryShown]
    counts: dict[str, int]


@dataclass(frozen=True)
class SkippedCount:
    """How many files were left out for a reason, and one of them."""

    reason: str
    count: int
    example: str


@dataclass(frozen=True)
class SkippedPage:
    """Files left out of the default branch's index: counts by reason, and some of the files."""

    counts: list[SkippedCount]
    results: list[dict[str, str]]
    next: str | None


def page(person: User) -> RepositoryPage:
    """The repositories a person reads or manages, by name."""
    found = _shown(person, reachable(person).order_by("name"))
    counts = dict.fromkeys(("fresh", "indexing", "waiting", "failed"), 0)
    for each in found:
        counts[_standing(each)] += 1
    return RepositoryPage(found, counts)


def show(person: User, repository_id: int) -> RepositoryShown:
    """One repository. Raises `refusals.NotFound`, also for one that may not be known of."""
    found = _shown(person, reachable(person).filter(pk=repository_id))
    if not found:
        raise refusals.NotFound("repository")
    return found[0]


def skipped(person: User, repository_id: int, *, reason: str = "", cursor: str = "") -> SkippedPage:
    """Files left out of the default branch, 100 at a time; whoever may not read the code sees counts only."""
    row = reachable(person).filter(pk=repository_id).first()
    if row is None:
        raise refusals.NotFound("repository")
    rows = Skipped.objects.filter(branch__repository=row, branch__name=row.default_branch)
    reads = access.readable(person).filter(pk=row.pk).exists()
    counted = rows.values("reason").annotate(count=Count("pk"), example=Min("path"))
    counts = [
        SkippedCount(each["reason"], each["count"], each["example"] if reads else "")
        for each in counted.order_by("-count", "reason")
    ]
    if not reads:
        return SkippedPage(counts, [], None)
    if reason:
        rows = rows.filter(reason=reason)
    found = list(_after(rows, cursor).order_by("path", "pk")[: PAGE + 1])
    following = _cursor(found[PAGE - 1]) if len(found) > PAGE else None
    results = [{"path": each.path, "reason": each.reason} for each in found[:PAGE]]
    return SkippedPage(counts, results, following)


def reachable(person: User) -> QuerySet[Repository]:
    """What a person may know of: the repositories they read, and all for an administrator."""
    if roles.has(person, "administrator"):
        return Repository.objects.filter(removed_at=None)
    return access.readable(person)


def _standing(shown: RepositoryShown) -> str:
    """Which of the four counts a repository belongs to."""
    if shown.run and shown.run.status in {"waiting", "running"}:
        return "waiting" if shown.run.status == "waiting" else "indexing"
    if shown.status == Repository.Status.FAILED or shown.error:
        return "failed"
    return "fresh" if shown.status == Repository.Status.FRESH else "waiting"


def _shown(person: User, rows: QuerySet[Repository]) -> list[RepositoryShown]:
    """Repositories with branches and newest runs, in a few queries however many there are."""
    repositories = list(
        rows.prefetch_related(Prefetch("branches", Branch.objects.order_by("name")))
    )
    ids = [row.pk for row in repositories]
    newest = _newest(IndexRun.objects.filter(repository__in=ids))
    indexed = _newest(IndexRun.objects.filter(repository__in=ids, status="done"))
    seen = _Seen(
        manages=roles.has(person, "administrator"),
        reads=access.readable_ids(person),
        groups=_groups(ids),
        hooked=set(Webhook.objects.filter(repository__in=ids).values_list("repository", flat=True)),
        line=leases.line(),
        first=evaluation.repo_at_1(ids),
    )
    return [_one(row, newest.get(row.pk), indexed.get(row.pk), seen) for row in repositories]


@dataclass(frozen=True)
class _Seen:
    """What a list of repositories is shown with."""

    manages: bool
    reads: frozenset[int]
    groups: Mapping[int, list[GroupShown]]
    hooked: set[int]
    line: Mapping[int, int]
    first: Mapping[int, float]


def _one(
    row: Repository, newest: IndexRun | None, indexed: IndexRun | None, seen: _Seen
) -> RepositoryShown:
    return RepositoryShown(
        id=row.pk,
        name=row.name,
        description={"zh": row.description_zh, "en": row.description_en},
        draft=row.description_drafted,
        status=row.status,
        answers=row.answers,
        schedule_minutes=schedule.minutes(row),
        source=row.source if seen.manages else None,
        default_branch=row.default_branch,
        branches=[
            BranchShown(each.name, each.commit, each.committed_at, each.indexed_at, each.missing)
            for each in row.branches.all()
        ],
        files=indexed.files if indexed else 0,
        chunks=indexed.chunks if indexed else 0,
        symbols=indexed.symbols if indexed else 0,
        skipped=indexed.skipped if indexed else 0,
        groups=seen.groups.get(row.pk, []),
        readable=row.pk in seen.reads,
        may_manage=seen.manages,
        webhook=row.pk in seen.hooked,
        repo_at_1=seen.first.get(row.pk),
        error=row.error,
        error_code=row.error_code,
        run=run_shown(newest, seen.line) if newest else None,
    )


def _newest(runs: QuerySet[IndexRun]) -> dict[int, IndexRun]:
    in_phase = ExpressionWrapper(Now() - F("phase_at"), output_field=DurationField())
    latest = runs.order_by("repository_id", "-pk").distinct("repository_id")
    return {run.repository_id: run for run in latest.annotate(in_phase=in_phase)}


def _groups(ids: list[int]) -> dict[int, list[GroupShown]]:
    rows = Grant.objects.filter(repository__in=ids).annotate(
        people=Count("group__user", filter=Q(group__user__is_active=True))
    )
    found: dict[int, list[GroupShown]] = defaultdict(list)
    for row in rows.select_related("group").order_by("group__name"):
        found[row.repository_id].append(GroupShown(row.group_id, row.group.name, row.people))
    return found


def run_shown(run: IndexRun, line: Mapping[int, int]) -> RunShown:
    """A run as people see it; `line` are the places of those that wait."""
    return RunShown(
        id=run.pk,
        status=run.status,
        phase=run.phase,
        done=run.done,
        total=run.total,
        seconds_left=_left(run),
        place=line.get(run.pk),
        error=run.error,
        error_code=run.error_code,
        files=run.files,
        chunks=run.chunks,
        seconds=run.seconds,
        started_at=run.started_at,
        ended_at=run.ended_at,
    )


def _left(run: IndexRun) -> int | None:
    """Seconds that the phase takes yet, at the rate measured since it began."""
    in_phase: timedelta | None = getattr(run, "in_phase", None)
    if run.status != IndexRun.Status.RUNNING or not in_phase or not 0 < run.done <= run.total:
        return None
    return round(in_phase.total_seconds() / run.done * (run.total - run.done))


def _cursor(row: Skipped) -> str:
    return signing.dumps([row.path, row.pk], salt="skipped")


def _after(rows: QuerySet[Skipped], cursor: str) -> QuerySet[Skipped]:
    if not cursor:
        return rows
    try:
        path, pk = signing.loads(cursor, salt="skipped")
    except signing.BadSignature:
        raise refusals.Invalid("This cursor was not given out here.", code="bad_cursor") from None
    return rows.filter(Q(path__gt=path) | Q(path=path, pk__gt=pk))
