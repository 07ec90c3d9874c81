"""What a person may do: the only reader and writer of roles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from kb_agent.accounts import audit
from kb_agent.accounts.models import Role, RoleName, User

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser


def of(user: User | AnonymousUser) -> list[str]:
    """Every role of a person, sorted; an active person is always a member.

    Someone who is signed out or deactivated has none.
    """
    if not isinstance(user, User) or not user.is_active:
        return []
    named = Role.objects.filter(user=user).values_list("name", flat=True)
    return sorted({RoleName.MEMBER.value, *named})


def has(user: User | AnonymousUser, name: str) -> bool:
    """Whether an active person has the role."""
    return name in of(user)


def grant(user: User, name: str, *, by: User | None) -> None:
    """Give a person a role and leave an audit line; giving it twice leaves one."""
    role = RoleName(name)
    with transaction.atomic():
        _, given = Role.objects.get_or_create(user=user, name=role.value)
        if given:
            audit.note(by, "role_granted", f"user:{user.pk}", details={"role": role.value})


def withdraw(user: User, name: str, *, by: User | None) -> None:
    """Take a role from a person and leave an audit line; one they lack leaves none."""
    role = RoleName(name)
    with transaction.atomic():
        taken, _ = Role.objects.filter(user=user, name=role.value).delete()
        if taken:
            audit.note(by, "role_withdrawn", f"user:{user.pk}", details={"role": role.value})
