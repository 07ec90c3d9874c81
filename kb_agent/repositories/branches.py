"""Chooses the branch a question is about: the one named where a repository has it, else its default (C2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import F, Q

from kb_agent.repositories.models import Branch

if TYPE_CHECKING:
    from collections.abc import Iterable


def chosen(repositories: Iterable[int], name: str = "") -> dict[int, Branch]:
    """One indexed branch a repository, by id, with its repository."""
    rows = (
        Branch.objects.filter(repository__in=list(repositories))
        .exclude(indexed_commit="")
        .filter(Q(name=name) | Q(name=F("repository__default_branch")))
        .select_related("repository")
    )
    found: dict[int, Branch] = {}
    for row in rows:
        if row.repository_id not in found or row.name == name:
            found[row.repository_id] = row
    return {row.pk: row for row in found.values()}
