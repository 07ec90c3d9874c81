"""What a person can do with evidence: see whether it still stands, and open its lines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kb_agent.repositories import evidence, mirror, text
from kb_agent.repositories.mirror import git
from kb_agent.repositories.models import Evidence, IndexRun
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
    gone: bool


@dataclass(frozen=True)
class OpenedEvidence(EvidenceState):
    """A place in code with its lines and those around them; none when they cannot be read."""

    lines: list[evidence.Line]
    total_lines: int
    language: str


def states(user: User, ids: Iterable[int]) -> list[EvidenceState]:
    """How these places stand; those this person may not see are left out."""
    access = Access(user)
    rows = list(_visible(access).filter(pk__in=ids).order_by("pk"))
    access.note_listing(access.topics().filter(pk__in={row.topic_id for row in rows}))
    return _states(rows)


def open(user: User, evidence_id: int, *, context: int = 20) -> OpenedEvidence:  # noqa: A001 - reads as `evidence.open`
    """One place with `context` lines around it, masked. Raises `NotFound`."""
    row = visible(user, evidence_id)
    try:
        lines = evidence.open(row, context=context)
    except UNREADABLE:
        lines = evidence.Lines([], 0, "")
    return OpenedEvidence(
        **vars(_states([row])[0]),
        lines=lines.lines,
        total_lines=lines.total_lines,
        language=lines.language,
    )


def visible(user: User, evidence_id: int) -> Evidence:
    """The row of a place that this person may open; an auditor's reading is noted. Raises `NotFound`."""
    access = Access(user)
    row = _visible(access).filter(pk=evidence_id).first()
    if row is None:
        raise refusals.NotFound("evidence")
    access.note_reading(access.topics().filter(pk=row.topic_id))
    return row


def _visible(access: Access) -> QuerySet[Evidence]:
    """What this person may open: evidence of topics they may see, in code they may read."""
    return Evidence.objects.select_related("repository").filter(
        topic_id__in=access.topics().values("pk"), repository__in=access.readable
    )


def _states(rows: list[Evidence]) -> list[EvidenceState]:
    standing = evidence.standing(rows)
    commits = {(row.repository_id, row.commit): row for row in rows}
    committed = {place: _committed_at(row) for place, row in commits.items()}
    return [
        EvidenceState(
            id=row.pk,
            repository=Named(row.repository_id, row.repository.name),
            branch=row.branch,
            commit=row.commit,
            committed_at=committed[row.repository_id, row.commit],
            indexed_at=_indexed_at(row),
            path=row.path,
            start_line=row.start_line,
            end_line=row.end_line,
            valid=standing[row.pk].valid,
            changed_since=standing[row.pk].valid and standing[row.pk].changed_since,
            missing=standing[row.pk].missing,
            gone=standing[row.pk].gone,
        )
        for row in rows
    ]


def _committed_at(row: Evidence) -> datetime | None:
    try:
        return mirror.committed_at(row.repository, row.commit)
    except UNREADABLE:
        return None


def _indexed_at(row: Evidence) -> datetime | None:
    """When the index was made that this place was found in: the last one before it was cited."""
    runs = IndexRun.objects.filter(
        repository=row.repository_id, status=IndexRun.Status.DONE, ended_at__lte=row.created_at
    )
    return runs.order_by("-ended_at").values_list("ended_at", flat=True).first()
