"""What a person can do about themselves, and what an operator can do about people."""

from __future__ import annotations

import functools
import tomllib
from dataclasses import dataclass
from importlib import metadata
from typing import TYPE_CHECKING

from django.conf import settings
from django.contrib.auth.models import Group
from django.db import transaction

from kb_agent.accounts import audit, roles
from kb_agent.accounts.models import User
from kb_agent.repositories import access as code_access
from kb_agent.usecases import refusals

if TYPE_CHECKING:
    from collections.abc import Iterable

OPERATOR = "operator"
"""The person whom commands act as when none is named."""


@dataclass(frozen=True)
class Person:
    """A person as others see them."""

    id: int
    display_name: str


@dataclass(frozen=True)
class Me:
    """The person signed in, what they may read and what they could ask."""

    id: int
    username: str
    display_name: str
    language: str
    roles: list[str]
    samples: list[dict[str, str]]
    repositories: list[dict[str, object]]
    version: str


def person(user: User) -> Person:
    """A person as others see them."""
    return Person(user.pk, user.shown_name)


def me(user: User) -> Me:
    """Who this person is, what they may read, and questions worth asking of it."""
    readable = list(code_access.readable(user).order_by("name"))
    return Me(
        id=user.pk,
        username=user.username,
        display_name=user.shown_name,
        language=user.language,
        roles=roles.of(user),
        samples=[sample for each in readable for sample in each.sample_questions],
        repositories=[{"id": each.pk, "name": each.name} for each in readable],
        version=version(),
    )


def change(user: User, *, language: str) -> Me:
    """Change the language this person reads."""
    user.language = language
    user.save(update_fields=["language"])
    return me(user)


def named(username: str) -> User:
    """The active person of this name, or `NotFound`."""
    found = User.objects.filter(username=username, is_active=True).first()
    if found is None:
        raise refusals.NotFound(f"person {username!r}")
    return found


def operator() -> User:
    """The person whom commands act as when none is named: reads what any group reads.

    Whoever may run commands has the database and the mirrors at hand anyway; that they asked
    stays on the tape under a name of its own. Raises `Conflict` where a person signs in by it.
    """
    with transaction.atomic():
        found = User.objects.filter(username=OPERATOR).first()
        if found is None:
            found = User.objects.create_user(OPERATOR, display_name="Operator")
            audit.note(None, "person_added", f"user:{found.pk}", details={"username": OPERATOR})
        elif found.has_usable_password():
            raise refusals.Conflict(
                f"Someone signs in as {OPERATOR!r}, so commands cannot act under that name:"
                " say as whom to ask.",
                code="operator_is_a_person",
            )
        granted = Group.objects.filter(repository_grants__isnull=False).distinct()
        _join(found, granted.exclude(user=found))
    return found


def reviewing_operator() -> User:
    """The operator, who may also review facts; that they may stays in the audit."""
    found = operator()
    roles.grant(found, "reviewer", by=None)
    return found


def add(
    username: str,
    password: str,
    *,
    display_name: str = "",
    groups: Iterable[str] = (),
    names: Iterable[str] = (),
) -> User:
    """Add a person with a password, groups (made when missing) and roles; `Conflict` when taken."""
    with transaction.atomic():
        if username == OPERATOR:
            raise refusals.Conflict(f"{OPERATOR!r} is kept for commands.", code="name_reserved")
        if User.objects.filter(username=username).exists():
            raise refusals.Conflict(f"There already is a person {username!r}.", code="name_taken")
        user = User.objects.create_user(username, password=password, display_name=display_name)
        audit.note(None, "person_added", f"user:{user.pk}", details={"username": username})
        return grant(username, groups=groups, names=names)


def grant(username: str, *, groups: Iterable[str] = (), names: Iterable[str] = ()) -> User:
    """Put a person into groups (made when missing) and give them roles, each with an audit line."""
    user = named(username)
    with transaction.atomic():
        _join(user, [Group.objects.get_or_create(name=name)[0] for name in groups])
        for name in names:
            roles.grant(user, name, by=None)
    return user


def _join(user: User, groups: Iterable[Group]) -> None:
    """Put a person into groups, with a line for each."""
    for group in groups:
        user.groups.add(group)
        audit.note(None, "group_joined", f"user:{user.pk}", details={"group": group.name})


@functools.cache
def version() -> str:
    """This product's version."""
    try:
        return metadata.version("kb-agent")
    except metadata.PackageNotFoundError:
        project = tomllib.loads((settings.BASE_DIR / "pyproject.toml").read_text())
        return str(project["project"]["version"])
