"""What has become of cited lines: the cited file beside the same file as it is indexed now, masked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from kb_agent.repositories import mirror
from kb_agent.repositories.evidence import excerpts
from kb_agent.repositories.models import Branch

if TYPE_CHECKING:
    from kb_agent.repositories.models import Evidence

AROUND = 3
"""Lines shown around the cited ones."""
MOST_LINES = 4_000
"""Lines of a file that are compared, once the same beginning and end are left out."""
MOST_SHOWN = 400
Pair = tuple[int, int, int, int]


class TooDifferent(Exception):
    """The two files differ in more lines than are compared."""

    code = "too_large"


@dataclass(frozen=True)
class Line:
    """A line that stayed, went or came: its number then and now, None where it was not."""

    kind: str
    """`same`, `gone` or `new`."""
    before: int | None
    now: int | None
    text: str


@dataclass(frozen=True)
class Change:
    """The cited lines with what stands for them at `commit`, where the branch is indexed now."""

    commit: str
    lines: list[Line]


def of(row: Evidence) -> Change:
    """Compare the file of a cited place with itself as it is indexed now.

    Raises `mirror.MissingFile` where the branch or the file is gone, `TooDifferent`.
    """
    branch = Branch.objects.filter(repository=row.repository_id, name=row.branch).first()
    if branch is None or not branch.indexed_commit:
        raise mirror.MissingFile(f"{row.branch} is not indexed any more")
    was, now = (
        excerpts.masked_lines(mirror.read(row.repository, commit, row.path))
        for commit in (row.commit, branch.indexed_commit)
    )
    first, last = row.start_line - 1 - AROUND, row.end_line + AROUND
    near = [line for at, line in _lines(was, now) if first <= at < last]
    return Change(branch.indexed_commit, near[:MOST_SHOWN])


def _lines(was: Sequence[str], now: Sequence[str]) -> Iterator[tuple[int, Line]]:
    """Every line of both, each with its place in the old file; what came stands where it was put."""
    for before, until, at, end in _stretches(was, now):
        if until - before == end - at and was[before:until] == now[at:end]:
            for offset in range(until - before):
                old, new = before + offset, at + offset
                yield old, Line("same", old + 1, new + 1, was[old])
            continue
        for old in range(before, until):
            yield old, Line("gone", old + 1, None, was[old])
        for new in range(at, end):
            yield max(min(before, until - 1), 0), Line("new", None, new + 1, now[new])


def _stretches(was: Sequence[str], now: Sequence[str]) -> Iterator[Pair]:
    """Stretches of the old file with what stands for them in the new one."""
    same = 0
    while same < min(len(was), len(now)) and was[same] == now[same]:
        same += 1
    tail = 0
    while tail < min(len(was), len(now)) - same and was[-1 - tail] == now[-1 - tail]:
        tail += 1
    old, new = was[same : len(was) - tail], now[same : len(now) - tail]
    if max(len(old), len(new)) > MOST_LINES:
        raise TooDifferent("too many lines differ")
    yield 0, same, 0, same
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    for _, before, until, at, end in matcher.get_opcodes():
        yield before + same, until + same, at + same, end + same
    yield len(was) - tail, len(was), len(now) - tail, len(now)
