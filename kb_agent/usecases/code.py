"""What a person can do with code that an answer cites: its outline, history and names; other lines at a commit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kb_agent.accounts import audit
from kb_agent.repositories import evidence as places
from kb_agent.repositories import mirror, text
from kb_agent.repositories.evidence import changes, history
from kb_agent.repositories.indexing import outline
from kb_agent.repositories.mirror import git
from kb_agent.repositories.models import Branch, Evidence, Grant, Repository
from kb_agent.repositories.search import symbols
from kb_agent.usecases import evidence, refusals
from kb_agent.usecases.access import Access
from kb_agent.usecases.evidence import Named

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import datetime

    from kb_agent.accounts.models import User

UNREADABLE = (
    history.NoHistory,
    mirror.MissingFile,
    mirror.TooLarge,
    text.Binary,
    git.TookTooLong,
    git.GitFailed,
    changes.TooDifferent,
)
MISSING = "missing_file"
TOO_LONG = "took_too_long"
MOST_LINES = 2_000


@dataclass(frozen=True)
class Outline:
    """What a file defines; `unavailable` says why that is not known."""

    symbols: list[OutlinedSymbol]
    unavailable: str | None


@dataclass(frozen=True)
class OutlinedSymbol(outline.Outlined):
    """A definition, and whether cited lines lie in it."""

    cited: bool


@dataclass(frozen=True)
class Blame:
    """Who last wrote the cited lines."""

    spans: list[history.Span]
    unavailable: str | None


@dataclass(frozen=True)
class Log:
    """The commits that touched the cited lines, the newest first."""

    commits: list[history.Commit]
    unavailable: str | None


@dataclass(frozen=True)
class Change:
    """What became of the cited lines on their branch; `commit` is where that stands now."""

    commit: str
    lines: list[changes.Line]
    unavailable: str | None


@dataclass(frozen=True)
class Symbol:
    """Where a name is defined and used."""

    definitions: list[symbols.Occurrence]
    uses: list[symbols.Occurrence]
    unavailable: str | None


@dataclass(frozen=True, kw_only=True)
class CodeLines:
    """Lines of a file at a commit with those around them; none where `unavailable` says why."""

    repository: Named
    branch: str
    commit: str
    committed_at: datetime | None
    path: str
    start_line: int
    end_line: int
    lines: list[places.Line]
    total_lines: int
    language: str
    unavailable: str | None


def outlined(user: User, evidence_id: int) -> Outline:
    """What the cited file defines, at the cited commit. Raises `NotFound`."""
    row = evidence.visible(user, evidence_id)
    found, why = _told(lambda: outline.of(row.repository, row.commit, row.path))
    return Outline(
        [
            OutlinedSymbol(
                each.symbol,
                each.kind,
                each.start_line,
                each.end_line,
                cited=each.start_line <= row.end_line and row.start_line <= each.end_line,
            )
            for each in found
        ],
        why,
    )


def blame(user: User, evidence_id: int) -> Blame:
    """Who last wrote each of the cited lines. Raises `NotFound`."""
    row = evidence.visible(user, evidence_id)
    return Blame(
        *_told(
            lambda: history.blame(
                row.repository, row.commit, row.path, row.start_line, row.end_line
            )
        )
    )


def log(user: User, evidence_id: int, *, limit: int = 20) -> Log:
    """Which commits touched the cited lines. Raises `NotFound`."""
    row = evidence.visible(user, evidence_id)
    lines = (row.start_line, row.end_line)
    return Log(
        *_told(lambda: history.log(row.repository, row.commit, row.path, lines=lines, limit=limit))
    )


def change(user: User, evidence_id: int) -> Change:
    """The cited lines beside what stands for them now. Raises `NotFound`."""
    row = evidence.visible(user, evidence_id)
    found, why = _told(lambda: [changes.of(row)])
    return Change(found[0].commit, found[0].lines, None) if found else Change("", [], why)


def symbol(user: User, evidence_id: int, name: str) -> Symbol:
    """Where a name of the cited lines is defined and used: in the cited repository at the cited commit first.

    Other readable repositories are looked at as they are indexed. Raises `NotFound`.
    """
    row = evidence.visible(user, evidence_id)
    readable = Access(user).readable
    indexed = Branch.objects.filter(
        repository=row.repository_id, name=row.branch, indexed_commit=row.commit
    )
    if indexed.exists():
        found = symbols.find(name, readable, branch=row.branch)
        return _nearest(row.repository_id, [found], None)
    found = symbols.find(name, readable - {row.repository_id}, branch=row.branch)
    there, why = _told(
        lambda: [symbols.find_at(name, row.repository, commit=row.commit, branch=row.branch)]
    )
    return _nearest(row.repository_id, [*there, found], why)


def lines(  # noqa: PLR0913 - a place has these parts
    user: User,
    repository_id: int,
    *,
    commit: str,
    path: str,
    start: int = 1,
    end: int = 0,
    context: int = 20,
) -> CodeLines:
    """Lines of a readable repository at a commit that was indexed or cited, masked.

    Raises `NotFound` for a repository, commit, file or line that is not there or may not be read.
    """
    readable = Repository.objects.filter(pk__in=Access(user).readable)
    repository = readable.filter(pk=repository_id).first()
    if repository is None:
        raise refusals.NotFound("repository")
    branch = _known(repository, commit)
    _note_reading(user, repository)
    last = end or start + MOST_LINES - 1
    place = Evidence(
        repository=repository, commit=commit, path=path, start_line=start, end_line=last
    )
    opened, why = _told(lambda: [places.open(place, context=context)])
    if why == MISSING or (opened and start > opened[0].total_lines):
        raise refusals.NotFound("line")
    shown = opened[0] if opened else places.Lines([], 0, "")
    dated, _ = _told(lambda: [mirror.committed_at(repository, commit)])
    return CodeLines(
        repository=Named(repository.pk, repository.name),
        branch=branch,
        commit=commit,
        committed_at=dated[0] if dated else None,
        path=path,
        start_line=start,
        end_line=min(last, shown.total_lines) if shown.lines else last,
        lines=shown.lines[: MOST_LINES + 2 * context],
        total_lines=shown.total_lines,
        language=shown.language,
        unavailable=why,
    )


def _told(ask: Callable[[], list[Any]]) -> tuple[list[Any], str | None]:
    """What was found, or nothing and the word for why."""
    try:
        return ask(), None
    except UNREADABLE as why:
        return [], TOO_LONG if isinstance(why, git.TookTooLong) else why.code


def _nearest(repository_id: int, found: Iterable[symbols.Found], why: str | None) -> Symbol:
    """The cited repository's places first; otherwise in the order they were ranked in."""
    every = list(found)
    definitions = [place for each in every for place in each.definitions]
    uses = [place for each in every for place in each.uses]
    for listed in (definitions, uses):
        listed.sort(key=lambda place: place.repository_id != repository_id)
    return Symbol(definitions, uses, why)


def _known(repository: Repository, commit: str) -> str:
    """The branch on which a commit was indexed or cited. Raises `NotFound` for any other commit."""
    indexed = Branch.objects.filter(repository=repository, indexed_commit=commit).order_by("pk")
    cited = Evidence.objects.filter(repository=repository, commit=commit).order_by("pk")
    found = (
        indexed.values_list("name", flat=True).first()
        or cited.values_list("branch", flat=True).first()
        if commit
        else None
    )
    if found is None:
        raise refusals.NotFound("commit")
    return found


def _note_reading(user: User, repository: Repository) -> None:
    """Leave an audit line where code is read by right of a role (C10)."""
    if not Grant.objects.filter(repository=repository, group__user=user).exists():
        audit.note(user, "code_read", f"repository:{repository.pk}")
