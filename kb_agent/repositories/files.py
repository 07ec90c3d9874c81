"""Lists the indexed files of a branch."""

from __future__ import annotations

from kb_agent.repositories.models import File, Repository


def listing(repository: Repository, branch: str, prefix: str = "") -> list[str]:
    """Paths that begin with `prefix`, sorted."""
    rows = File.objects.filter(branch__repository=repository, branch__name=branch)
    return sorted(rows.filter(path__startswith=prefix.lstrip("/")).values_list("path", flat=True))
