"""Adds repositories and grants: the only writer of both."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.contrib.auth.models import Group
from django.db import IntegrityError, transaction

from kb_agent.repositories import credentials, mirror, sources
from kb_agent.repositories.models import Branch, Grant, Repository


class NameTaken(Exception):
    """There is a repository of that name."""

    code = "name_taken"


class UnknownRepository(Exception):
    """There is no repository of that name."""

    code = "unknown_repository"


@dataclass(frozen=True)
class About:
    """What staff call a repository, in both languages, and what one may ask of it."""

    zh: str = ""
    en: str = ""
    samples: tuple[dict[str, str], ...] = ()


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
    names = [sources.check_branch(branch) for branch in branches]
    about = about or About()
    try:
        with transaction.atomic():
            repository = Repository.objects.create(
                name=name,
                source=classified.location,
                kind=classified.kind,
                default_branch=names[0] if names else "",
                description_zh=about.zh,
                description_en=about.en,
                sample_questions=list(about.samples),
            )
            Branch.objects.bulk_create(
                [Branch(repository=repository, name=branch) for branch in names]
            )
            for group in groups:
                grant(repository, group)
            if login:
                credentials.keep(source, login)
    except IntegrityError as taken:
        raise NameTaken(f"There is already a repository named {name}.") from taken
    mirror.forget(repository)
    return repository


def grant(repository: Repository, group: str) -> None:
    """Let a group read a repository; twice is once."""
    Grant.objects.get_or_create(
        repository=repository, group=Group.objects.get_or_create(name=group)[0]
    )


def named(name: str) -> Repository:
    """The repository of that name. Raises `UnknownRepository`."""
    try:
        return Repository.objects.get(name=name, removed_at=None)
    except Repository.DoesNotExist as missing:
        raise UnknownRepository(f"There is no repository named {name}.") from missing
