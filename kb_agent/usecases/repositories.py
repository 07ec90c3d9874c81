"""What a person can do with repositories: see those they read; add and index them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.db.models import Prefetch, QuerySet

from kb_agent.repositories import access, credentials, indexing, registry, sources
from kb_agent.repositories.models import Branch, IndexRun, Repository
from kb_agent.usecases import refusals

if TYPE_CHECKING:
    from kb_agent.accounts.models import User


@dataclass(frozen=True)
class BranchShown:
    """A followed branch and how fresh its index is."""

    name: str
    commit: str
    committed_at: datetime | None
    indexed_at: datetime | None


@dataclass(frozen=True)
class RunShown:
    """The newest indexing."""

    id: int
    status: str
    phase: str
    done: int
    total: int
    error: str
    files: int
    chunks: int
    seconds: float | None
    started_at: datetime | None
    ended_at: datetime | None


@dataclass(frozen=True)
class RepositoryShown:
    """A repository as its readers see it."""

    id: int
    name: str
    description: dict[str, str]
    status: str
    branches: list[BranchShown]
    files: int
    chunks: int
    error: str
    run: RunShown | None


def page(person: User) -> list[RepositoryShown]:
    """The repositories a person reads, by name."""
    return _shown(access.readable(person).order_by("name"))


def show(person: User, repository_id: int) -> RepositoryShown:
    """One repository. Raises `refusals.NotFound`, also for one that may not be read."""
    found = _shown(access.readable(person).filter(pk=repository_id))
    if not found:
        raise refusals.NotFound("repository")
    return found[0]


def add(
    name: str,
    source: str,
    *,
    branches: Iterable[str] = (),
    groups: Iterable[str] = (),
    about: registry.About | None = None,
    login: credentials.Login | None = None,
) -> Repository:
    """Add a repository and queue its first indexing. Raises `refusals.Invalid`, `refusals.Conflict`."""
    try:
        repository = registry.add(
            name, source, branches=branches, groups=groups, about=about, login=login
        )
    except (sources.BadSource, credentials.BadCredential) as bad:
        raise refusals.Invalid(str(bad), code=bad.code) from bad
    except registry.NameTaken as taken:
        raise refusals.Conflict(str(taken), code=taken.code) from taken
    indexing.queue(repository)
    return repository


def set_login(address: str, login: credentials.Login) -> str:
    """Keep another token for a server; returns the server. Raises `refusals.Invalid`."""
    try:
        return credentials.keep(address, login)
    except (sources.BadSource, credentials.BadCredential) as bad:
        raise refusals.Invalid(str(bad), code=bad.code) from bad


def index(
    names: Iterable[str] = (), *, on_progress: Callable[[IndexRun], None] | None = None
) -> list[IndexRun]:
    """Index the named repositories here and now, or all; each run says how it ended. Raises `refusals.Invalid`."""
    wanted = list(names)
    try:
        rows = [registry.named(name) for name in wanted] or list(
            Repository.objects.order_by("name")
        )
    except registry.UnknownRepository as unknown:
        raise refusals.Invalid(str(unknown), code=unknown.code) from unknown
    ended: list[IndexRun] = []
    for repository in rows:
        waiting = indexing.queue(repository)
        run = indexing.run(waiting.pk, on_progress)
        ended.append(run or indexing.follow(waiting.pk, on_progress))
    return ended


def _shown(rows: QuerySet[Repository]) -> list[RepositoryShown]:
    """Repositories with branches and newest runs, in a few queries however many there are."""
    repositories = list(
        rows.prefetch_related(Prefetch("branches", Branch.objects.order_by("name")))
    )
    newest = _newest(IndexRun.objects.filter(repository__in=repositories))
    indexed = _newest(IndexRun.objects.filter(repository__in=repositories, status="done"))
    return [
        RepositoryShown(
            row.pk,
            row.name,
            {"zh": row.description_zh, "en": row.description_en},
            row.status,
            [
                BranchShown(each.name, each.commit, each.committed_at, each.indexed_at)
                for each in row.branches.all()
            ],
            indexed[row.pk].files if row.pk in indexed else 0,
            indexed[row.pk].chunks if row.pk in indexed else 0,
            row.error,
            _run(newest[row.pk]) if row.pk in newest else None,
        )
        for row in repositories
    ]


def _newest(runs: QuerySet[IndexRun]) -> dict[int, IndexRun]:
    latest = runs.order_by("repository_id", "-pk").distinct("repository_id")
    return {run.repository_id: run for run in latest}


def _run(run: IndexRun) -> RunShown:
    names = RunShown.__dataclass_fields__
    return RunShown(**{name: getattr(run, "pk" if name == "id" else name) for name in names})


def as_json(run: IndexRun) -> dict[str, Any]:
    """A run for programs of those who run the server: with git's own words."""
    return {"repository": run.repository.name, "detail": run.detail, **asdict(_run(run))}


def why(run: IndexRun) -> str:
    """Why a run did not end well, for those who run the server."""
    said = run.error or run.status
    return f"{said} ({run.detail})" if run.detail else said
