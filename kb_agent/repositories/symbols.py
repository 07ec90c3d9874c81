"""Finds where a name is defined and used, in code one may read."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from kb_agent.repositories import branches, corpus, excerpts, mirror, terms
from kb_agent.repositories.models import Branch, File, Symbol

MOST_DEFINITIONS = 100
MOST_USES = 200
MOST_FILES = 80
AROUND = 1
LONGEST_DEFINITION = 40


@dataclass(frozen=True)
class Occurrence:
    """A definition or use of a name; `excerpt` is its masked text from `start_line` on."""

    repository_id: int
    repository: str
    branch: str
    commit: str
    path: str
    start_line: int
    end_line: int
    symbol: str
    kind: str
    excerpt: str


@dataclass(frozen=True)
class Found:
    """Where a name is defined, and where else it stands."""

    definitions: list[Occurrence]
    uses: list[Occurrence]


def find(name: str, readable: Iterable[int], *, branch: str = "") -> Found:
    """Definitions and uses of `name` at the indexed commits, exactly as spelt; the first of each, by place.

    A dotted name means a member: `Order.cancel` finds definitions of that one, and uses of `cancel`. A repository that has
    no branch named `branch` is looked at at its default one.
    """
    last = re.split(r"[.:#]+", name.strip("() "))[-1]
    if not last:
        return Found([], [])
    chosen = branches.chosen(readable, branch)
    definitions = list(_definitions(name.strip("() "), last, chosen))
    defined = {(each.repository_id, each.path, each.start_line) for each in definitions}
    return Found(definitions, list(_uses(last, chosen, defined)))


def _definitions(name: str, last: str, chosen: dict[int, Branch]) -> Iterator[Occurrence]:
    found = Symbol.objects.filter(name=last[:200], blob__files__branch__in=chosen).exclude(
        kind="section"
    )
    if last != name:
        found = found.filter(qualified__endswith=re.sub(r"[:#]+", ".", name)[:300])
    rows = found.values_list(
        "blob__files__branch",
        "blob__files__path",
        "blob__sha",
        "qualified",
        "kind",
        "start_line",
        "end_line",
    ).order_by("blob__files__branch", "blob__files__path", "start_line")
    listed = list(rows[:MOST_DEFINITIONS])
    texts = _texts(chosen, {(branch, sha) for branch, _, sha, *_ in listed})
    for branch, path, sha, qualified, kind, start, end in listed:
        last_shown = min(end, start + LONGEST_DEFINITION - 1)
        excerpt = "\n".join(texts[branch, sha][start - 1 : last_shown])
        yield _occurrence(chosen[branch], path, (start, end), (qualified, kind), excerpt)


def _uses(
    name: str, chosen: dict[int, Branch], defined: set[tuple[int, str, int]]
) -> Iterator[Occurrence]:
    exact = re.compile(rf"(?<![\w$]){re.escape(name)}(?![\w$])")
    files = _files_with(name, chosen)
    texts = _texts(chosen, {(file.branch_id, file.blob.sha) for file in files})
    count = 0
    for file in files:
        branch = chosen[file.branch_id]
        lines = texts[branch.pk, file.blob.sha]
        for number, line in enumerate(lines, 1):
            if count >= MOST_USES:
                return
            if exact.search(line) and (branch.repository_id, file.path, number) not in defined:
                count += 1
                place = (max(1, number - AROUND), min(len(lines), number + AROUND))
                yield _occurrence(
                    branch, file.path, place, ("", "use"), "\n".join(lines[place[0] - 1 : place[1]])
                )


def _files_with(name: str, chosen: dict[int, Branch]) -> list[File]:
    """Files whose postings say that the name, or all its parts, stand there; code before the rest."""
    expanded = terms.expand(name) if re.fullmatch(r"\w+", name) else ()
    wanted = [term for term in expanded if term.startswith("=")] or list(expanded)[:1]
    if not wanted:
        return []
    read = corpus.read({row.repository_id for row in chosen.values()}, list(chosen), wanted[:1])
    ids = np.unique(read.documents.file[read.of(wanted[0])[0]]).tolist()
    found = File.objects.filter(pk__in=ids).select_related("blob")
    return sorted(found, key=lambda file: (file.role != "code", file.branch_id, file.path))[
        :MOST_FILES
    ]


def _texts(
    chosen: dict[int, Branch], wanted: set[tuple[int, str]]
) -> dict[tuple[int, str], list[str]]:
    shas: dict[int, list[str]] = defaultdict(list)
    for branch, sha in sorted(wanted):
        shas[branch].append(sha)
    return {
        (branch, sha): excerpts.masked_lines(data)
        for branch, some in shas.items()
        for sha, data in mirror.blobs(chosen[branch].repository, some)
    }


def _occurrence(
    branch: Branch, path: str, lines: tuple[int, int], named: tuple[str, str], excerpt: str
) -> Occurrence:
    return Occurrence(
        branch.repository_id,
        branch.repository.name,
        branch.name,
        branch.indexed_commit,
        path,
        *lines,
        *named,
        excerpt,
    )
