"""What a person can do with evidence: see whether it still stands, and open its lines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kb_agent.repositories import evidence, git, mirror, text
from kb_agent.repositories.models import Branch, Evidence
from kb_agent.usecases import refusals
from kb_agent.usecases.access import Access

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from django.db.models import QuerySet

    from kb_agent.accounts.models import User

UNREADABLE = (mirror.MissingFile, mirror.TooLarge, git.GitFailed, text.Binary)


@dataclass(frozen=True)
class Named:
    """Something with an id and a name."""

    id: int
    name: str


@dataclass(frozen=True)
class EvidenceState:
    """A place in code that something rests on, checked now."""

    id: int
    repository: Named
    branch: str
    commit: str
    committed_at: datetime | None
    indexed_at: datetime | None
    path: str
    start_line: int
    end_line: int
    valid: bool
    changed_since: bool
    missing: bool


@dataclass(frozen=True)
class OpenedEvidence(EvidenceState):
    """A place in code with its lines and those around them; none when they cannot be read."""

    lines: list[evidence.Line]
    total_lines: int
    language: str


def states(user: User, ids: Iterable[int]) -> list[EvidenceState]:
    """How these places stand; those this person may not see are left out."""
    return [_state(row) for row in _visible(user).filter(pk__in=ids).order_by("pk")]


def open(user: User, evidence_id: int, *, context: int = 20) -> OpenedEvidence:  # noqa: A001 - reads as `evidence.open`
    """One place with `context` lines around it, masked. Raises `NotFound`."""
    row = _visible(user).filter(pk=evidence_id).first()
    if row is None:
        raise refusals.NotFound("evidence")
    try:
        lines = evidence.open(row, context=context)
    except UNREADABLE:
        lines = evidence.Lines([], 0, "")
    return OpenedEvidence(
        **vars(_state(row)),
        lines=lines.lines,
        total_lines=lines.total_lines,
        language=lines.language,
    )


def _visible(user: User) -> QuerySet[Evidence]:
    """What this person may open: evidence of topics they may see, in code they may read."""
    access = Access(user)
    return Evidence.objects.select_related("repository").filter(
        topic_id__in=access.topics().values("pk"), repository__in=access.readable
    )


def _state(row: Evidence) -> EvidenceState:
    branch = Branch.objects.filter(repository=row.repository_id, name=row.branch).first()
    valid = evidence.check(row)
    stands = branch is not None and branch.commit == row.commit
    indexed = branch is not None and branch.indexed_commit == row.commit
    return EvidenceState(
        id=row.pk,
        repository=Named(row.repository_id, row.repository.name),
        branch=row.branch,
        commit=row.commit,
        committed_at=branch.committed_at if branch is not None and stands else None,
        indexed_at=branch.indexed_at if branch is not None and indexed else None,
        path=row.path,
        start_line=row.start_line,
        end_line=row.end_line,
        valid=valid,
        changed_since=valid and evidence.changed_since(row),
        missing=not valid and not _there(row),
    )


def _there(row: Evidence) -> bool:
    try:
        mirror.find(row.repository, row.commit, row.path)
    except UNREADABLE:
        return False
    return True
