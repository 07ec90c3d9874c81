"""Adds, changes and removes repositories and grants: the only writer of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.contrib.auth.models import Group
from django.db import IntegrityError, transaction
from django.db.models.functions import Now

from kb_agent.repositories import mirror
from kb_agent.repositories.mirror import credentials, schedule, sources
from kb_agent.repositories.models import Branch, Grant, IndexRun, Repository, Vocabulary
from kb_agent.repositories.models.webhooks import Webhook


class NameTaken(Exception):
    """There is a repository of that name."""

    code = "name_taken"


class UnknownRepository(Exception):
    """There is no repository of that name."""

    code = "unknown_repository"


class UnknownGroup(Exception):
    """There is no group of that id."""

    code = "unknown_group"


@dataclass(frozen=True)
class About:
    """What staff call a repository, in both languages, and what one may ask of it."""

    zh: str = ""
    en: str = ""
    samples: tuple[dict[str, str], ...] = ()


@dataclass(frozen=True)
class Change:
    """What becomes of a repository; None leaves a thing as it is."""

    name: str | None = None
    source: str | None = None
    zh: str | None = None
    en: str | None = None
    answers: str | None = None
    schedule_minutes: int | None = None
    branches: Sequence[str] | None = None
    """Every branch and tag to follow; none follows the source's default branch alone."""

    default_branch: str | None = None
    login: credentials.Login | None = None


def add(
    name: str,
    source: str,
    *,
    branches: Iterable[str] = (),
    groups: Iterable[str] = (),
    about: About | None = None,
    login: credentials.Login | None = None,
) -> Repository:
    """Add a repository; it is read by `groups` (made when missing) and follows `branches`, or the default one.

    `login` is kept for its server. Raises `sources.BadSource`, `NameTaken`, `credentials.BadCredential`.
    """
    sources.check_name(name)
    classified = sources.classify(source)
    names = list(dict.fromkeys(sources.check_branch(branch) for branch in branches))
    about = about or About()
    try:
        with transaction.atomic():
            repository = Repository.objects.create(
                name=name,
                source=classified.location,
                kind=classified.kind,
                default_branch=names[0] if names else "",
                follows_default=not names,
                description_zh=about.zh,
                description_en=about.en,
                sample_questions=list(about.samples),
            )
            _follow(repository, names)
            for group in groups:
                grant(repository, group)
            if login:
                credentials.keep(source, login)
            schedule.spread(repository)
    except IntegrityError as taken:
        raise NameTaken(f"There is already a repository named {name}.") from taken
    mirror.forget(repository)
    return repository


def change(repository: Repository, wanted: Change) -> list[str]:
    """Change what is named; returns the names of what is different now.

    Raises `sources.BadSource`, `NameTaken`, `credentials.BadCredential`.
    """
    try:
        with transaction.atomic():
            row = Repository.objects.select_for_update().get(pk=repository.pk)
            changed = [
                *_set_plain(row, wanted),
                *_set_source(row, wanted),
                *_set_branches(row, wanted),
            ]
            row.save()
            if "name" in changed:
                # The name stands in every part of the index: another reading of each branch.
                row.branches.update(analyser=0)
            if "schedule_minutes" in changed:
                schedule.spread(row)
    except IntegrityError as taken:
        raise NameTaken(f"There is already a repository named {wanted.name}.") from taken
    repository.refresh_from_db()
    return changed


def _set_plain(row: Repository, wanted: Change) -> list[str]:
    """Set what needs no thought; returns what differs."""
    if wanted.name is not None:
        sources.check_name(wanted.name)
    values = {
        "name": wanted.name,
        "description_zh": wanted.zh,
        "description_en": wanted.en,
        "answers": wanted.answers,
        "schedule_minutes": wanted.schedule_minutes,
    }
    changed = [
        name for name, value in values.items() if value is not None and value != getattr(row, name)
    ]
    for name in changed:
        setattr(row, name, values[name])
    if wanted.zh is not None or wanted.en is not None:
        row.description_drafted = False
    return changed


def _set_source(row: Repository, wanted: Change) -> list[str]:
    """Take the code from elsewhere from now on; what is indexed stays until it has been fetched."""
    changed = []
    if wanted.source is not None:
        source = sources.classify(wanted.source)
        if source.location != row.source:
            row.source, row.kind = source.location, source.kind
            changed.append("source")
    if wanted.login is not None:
        credentials.keep(row.source, wanted.login)
        changed.append("login")
    return changed


def _set_branches(row: Repository, wanted: Change) -> list[str]:
    """Follow these branches; the index of one that is no longer followed is gone at once."""
    held = list(row.branches.order_by("pk").values_list("name", flat=True))
    names = held if wanted.branches is None else list(dict.fromkeys(wanted.branches))
    default = wanted.default_branch or row.default_branch
    if wanted.branches is not None and not names:
        names = [row.default_branch] if row.default_branch else []
        row.follows_default = True
    if wanted.default_branch:
        names = list(dict.fromkeys([*names, wanted.default_branch]))
    if names and default not in names:
        default = names[0]
    for name in names:
        sources.check_branch(name)
    changed = ["branches"] if set(names) != set(held) else []
    if default != row.default_branch:
        row.default_branch = default
        changed.append("default_branch")
    if wanted.default_branch or "default_branch" in changed:
        row.follows_default = False
    row.branches.exclude(name__in=names).delete()
    _follow(row, [name for name in names if name not in held])
    return changed


def _follow(repository: Repository, names: Iterable[str]) -> None:
    Branch.objects.bulk_create([Branch(repository=repository, name=name) for name in names])


def remove(repository: Repository) -> None:
    """Take a repository away: its index and words at once; who could read it still opens what was cited."""
    with transaction.atomic():
        row = Repository.objects.select_for_update().get(pk=repository.pk)
        unfinished = IndexRun.objects.filter(repository=row, status__in=["waiting", "running"])
        unfinished.update(status="cancelled", ended_at=Now(), lease_until=None, phase="")
        row.branches.all().delete()
        Vocabulary.objects.filter(repository=row).delete()
        Webhook.objects.filter(repository=row).delete()
        Repository.objects.filter(pk=row.pk).update(
            removed_at=Now(), mined={}, sample_questions=[], status="new", error="", error_code=""
        )
    repository.refresh_from_db()


def grant(repository: Repository, group: str) -> None:
    """Let a group read a repository; twice is once."""
    Grant.objects.get_or_create(
        repository=repository, group=Group.objects.get_or_create(name=group)[0]
    )


def set_grants(repository: Repository, group_ids: Iterable[int]) -> list[str]:
    """Let exactly these groups read a repository; returns their names. Raises `UnknownGroup`."""
    wanted = set(group_ids)
    with transaction.atomic():
        groups = list(Group.objects.filter(pk__in=wanted).order_by("name"))
        if unknown := wanted - {group.pk for group in groups}:
            raise UnknownGroup(f"There is no group {min(unknown)}.")
        Grant.objects.filter(repository=repository).exclude(group__in=groups).delete()
        for group in groups:
            Grant.objects.get_or_create(repository=repository, group=group)
    return [group.name for group in groups]


def named(name: str) -> Repository:
    """The repository of that name. Raises `UnknownRepository`."""
    try:
        return Repository.objects.get(name=name, removed_at=None)
    except Repository.DoesNotExist as missing:
        raise UnknownRepository(f"There is no repository named {name}.") from missing
