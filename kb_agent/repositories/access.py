"""Who may read which code: the one policy for repositories (C7)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kb_agent.accounts import roles
from kb_agent.accounts.models import User
from kb_agent.repositories.models import Repository

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser
    from django.db.models import QuerySet


def readable(user: User | AnonymousUser) -> QuerySet[Repository]:
    """Repositories that `user` reads through a group; an auditor reads all, an administrator none by role."""
    return _granted(user).filter(removed_at=None)


def readable_ids(user: User | AnonymousUser) -> frozenset[int]:
    """Ids of `readable`, and of removed repositories: what was said and cited of those still opens."""
    return frozenset(_granted(user).values_list("pk", flat=True))


def company_ids() -> frozenset[int]:
    """Repositories whose prose, never their code, the whole company may read."""
    company = Repository.objects.filter(answers=Repository.Answers.COMPANY)
    return frozenset(company.values_list("pk", flat=True))


def _granted(user: User | AnonymousUser) -> QuerySet[Repository]:
    if not isinstance(user, User) or not user.is_active:
        return Repository.objects.none()
    if roles.has(user, "auditor"):
        return Repository.objects.all()
    return Repository.objects.filter(grants__group__user=user).distinct()
