"""Lists the indexed files of a branch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kb_agent.repositories.models import File, Repository

if TYPE_CHECKING:
    from django.db.models import QuerySet


def listing(
    repository: Repository, branch: str, prefix: str = "", *, limit: int | None = None
) -> list[str]:
    """Paths that begin with `prefix`, sorted, the first `limit` of them."""
    rows = _rows(repository, branch, prefix).order_by("path")
    return list(rows.values_list("path", flat=True)[:limit])


def count(repository: Repository, branch: str, prefix: str = "") -> int:
    """How many paths begin with `prefix`."""
    return _rows(repository, branch, prefix).count()


def _rows(repository: Repository, branch: str, prefix: str) -> QuerySet[File]:
    rows = File.objects.filter(branch__repository=repository, branch__name=branch)
    return rows.filter(path__startswith=prefix.lstrip("/"))
