"""What administrators, and those who run the server, do with repositories: add, change, index, remove."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from django.contrib.auth.models import Group
from django.db import transaction
from django.db.models import Count, Q

from kb_agent import tasks
from kb_agent.accounts import audit, roles
from kb_agent.repositories import indexing
from kb_agent.repositories.mirror import credentials, registry, sources
from kb_agent.repositories.models import IndexRun, Repository
from kb_agent.usecases import refusals, repositories

if TYPE_CHECKING:
    from kb_agent.accounts.models import User
    from kb_agent.usecases.repositories import GroupShown, RepositoryShown

ONLY_ADMINISTRATORS = "Only an administrator may do this with repositories."


@dataclass(frozen=True)
class New:
    """A repository to be added."""

    name: str
    source: str
    branches: tuple[str, ...] = ()
    groups: tuple[int, ...] = ()
    about: registry.About | None = None
    login: credentials.Login | None = None


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
    with _refusing(), transaction.atomic():
        repository = registry.add(
            name, source, branches=branches, groups=groups, about=about, login=login
        )
        _note(None, "repository_added", repository, {"name": name})
    announce(indexing.queue(repository))
    return repository


def add_by(person: User, new: New) -> RepositoryShown:
    """Add a repository in the browser. Raises `refusals.Forbidden`, `refusals.Invalid`, `refusals.Conflict`."""
    _administers(person)
    with _refusing(), transaction.atomic():
        repository = registry.add(
            new.name, new.source, branches=new.branches, about=new.about, login=new.login
        )
        names = registry.set_grants(repository, new.groups)
        _note(person, "repository_added", repository, {"name": new.name, "groups": names})
    announce(indexing.queue(repository))
    return repositories.show(person, repository.pk)


def change(repository: Repository, wanted: registry.Change, *, by: User | None = None) -> list[str]:
    """Change a repository, and fetch it anew where that matters; returns what is different now."""
    with _refusing(), transaction.atomic():
        changed = registry.change(repository, wanted)
        if changed:
            _note(by, "repository_changed", repository, {"changed": changed})
    if {"name", "source", "login", "branches", "default_branch"}.intersection(changed):
        announce(indexing.moved(repository))
    return changed


def change_by(person: User, repository_id: int, wanted: registry.Change) -> RepositoryShown:
    """Change a repository in the browser. Raises `Forbidden`, `NotFound`, `Invalid`, `Conflict`."""
    change(managed(person, repository_id), wanted, by=person)
    return repositories.show(person, repository_id)


def remove(repository: Repository, *, by: User | None = None) -> None:
    """Remove a repository: its index and words at once; what was cited still opens for its readers."""
    with transaction.atomic():
        _note(by, "repository_removed", repository, {"name": repository.name})
        registry.remove(repository)


def remove_by(person: User, repository_id: int) -> None:
    """Remove a repository in the browser. Raises `Forbidden`, `NotFound`."""
    remove(managed(person, repository_id), by=person)


def index_by(person: User, repository_id: int) -> RepositoryShown:
    """Queue an indexing now. Raises `Forbidden`, `NotFound`."""
    repository = managed(person, repository_id)
    with transaction.atomic():
        _note(person, "repository_indexed", repository, {})
        announce(indexing.moved(repository))
    return repositories.show(person, repository_id)


def cancel_by(person: User, repository_id: int) -> RepositoryShown:
    """Ask the unfinished run, if there is one, to stop. Raises `Forbidden`, `NotFound`."""
    repository = managed(person, repository_id)
    unfinished = repository.runs.filter(status__in=["waiting", "running"]).first()
    if unfinished is not None:
        with transaction.atomic():
            _note(person, "indexing_cancelled", repository, {"run": unfinished.pk})
            indexing.cancel(unfinished.pk)
    return repositories.show(person, repository_id)


def grant_by(person: User, repository_id: int, group_ids: Iterable[int]) -> RepositoryShown:
    """Let exactly these groups read a repository. Raises `Forbidden`, `NotFound`, `Invalid`."""
    repository = managed(person, repository_id)
    with _refusing(), transaction.atomic():
        names = registry.set_grants(repository, group_ids)
        _note(person, "repository_granted", repository, {"groups": names})
    return repositories.show(person, repository_id)


def grant_more(repository: Repository, names: Iterable[str]) -> list[str]:
    """Let more groups (made when missing) read a repository, for those who run the server; returns what changed."""
    wanted = list(names)
    with transaction.atomic():
        for name in wanted:
            registry.grant(repository, name)
        if wanted:
            _note(None, "repository_granted", repository, {"groups": wanted})
    return ["groups"] if wanted else []


def groups(person: User) -> list[GroupShown]:
    """Every group, by name. Raises `Forbidden`."""
    _administers(person)
    rows = Group.objects.annotate(people=Count("user", filter=Q(user__is_active=True)))
    return [repositories.GroupShown(row.pk, row.name, row.people) for row in rows.order_by("name")]


def announce(run: IndexRun) -> None:
    """Wake a worker for a run, once it is written; the sweep finds what is not heard."""
    transaction.on_commit(lambda: tasks.send(tasks.index_repository, run.pk))


def named(name: str) -> Repository:
    """The repository of that name, for those who run the server. Raises `Invalid`."""
    with _refusing():
        return registry.named(name)


def set_login(address: str, login: credentials.Login) -> str:
    """Keep another token for a server; returns the server. Raises `refusals.Invalid`."""
    with _refusing():
        return credentials.keep(address, login)


def index(
    names: Iterable[str] = (), *, on_progress: Callable[[IndexRun], None] | None = None
) -> list[IndexRun]:
    """Index the named repositories here and now, or all; each run says how it ended. Raises `refusals.Invalid`."""
    rows = [named(name) for name in names] or list(
        Repository.objects.filter(removed_at=None).order_by("name")
    )
    ended: list[IndexRun] = []
    for repository in rows:
        waiting = indexing.queue(repository)
        run = indexing.run(waiting.pk, on_progress)
        ended.append(run or indexing.follow(waiting.pk, on_progress))
    return ended


def as_json(run: IndexRun) -> dict[str, Any]:
    """A run for programs of those who run the server: with git's own words."""
    shown = asdict(repositories.run_shown(run, {}))
    return {"repository": run.repository.name, "detail": run.detail, **shown}


def why(run: IndexRun) -> str:
    """Why a run did not end well, for those who run the server."""
    said = run.error or run.status
    return f"{said} ({run.detail})" if run.detail else said


def managed(person: User, repository_id: int) -> Repository:
    """A repository for someone who administers them. Raises `NotFound`, `Forbidden` where it may only be read."""
    row = repositories.reachable(person).filter(pk=repository_id).first()
    if row is None:
        raise refusals.NotFound("repository")
    _administers(person)
    return row


def _administers(person: User) -> None:
    if not roles.has(person, "administrator"):
        raise refusals.Forbidden(ONLY_ADMINISTRATORS)


def _note(by: User | None, action: str, repository: Repository, details: dict[str, Any]) -> None:
    audit.note(by, action, f"repository:{repository.pk}", details=details)


@contextmanager
def _refusing() -> Iterator[None]:
    """Say what the registry refuses as a person is told it: with the field it is about, and one word why."""
    try:
        yield
    except sources.BadSource as bad:
        raise _invalid(bad, field=bad.of, reason=bad.reason) from bad
    except credentials.BadCredential as bad:
        raise _invalid(bad, field="login", reason=bad.reason) from bad
    except registry.UnknownGroup as unknown:
        raise _invalid(unknown, field="groups") from unknown
    except registry.UnknownRepository as unknown:
        raise _invalid(unknown, field="name") from unknown
    except registry.NameTaken as taken:
        details = {"field": "name"}
        raise refusals.Conflict(str(taken), code=taken.code, details=details) from taken


def _invalid(bad: Exception, **details: str) -> refusals.Invalid:
    return refusals.Invalid(str(bad), code=str(getattr(bad, "code", "")), details=details)
