"""Finds where a name is defined and used, in code one may read; what depends on it before what speaks of it."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

import numpy as np

from kb_agent.repositories import branches, mirror, terms, text
from kb_agent.repositories.evidence import excerpts
from kb_agent.repositories.indexing import corpus, outline
from kb_agent.repositories.mirror import git
from kb_agent.repositories.models import Branch, File, Repository, Symbol
from kb_agent.repositories.structure import languages, references, roles

MOST_DEFINITIONS = 100
MOST_USES = 200
MOST_FILES = 80
# More uses than these in one file come after those of other files.
FIRST_OF_FILE = 3
AROUND = 1
LONGEST_DEFINITION = 40
SECONDS = 10.0
ROLES_LAST = ("test", "docs", "migration", "data", "style")


@dataclass(frozen=True)
class Occurrence:
    """A definition or use of a name; `excerpt` is its masked text from `start_line` on.

    `kind` is what is defined, or one of `references.KINDS`.
    """

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


@dataclass(frozen=True)
class _Text:
    """A file as it is read: `lines` masked."""

    place: Occurrence
    role: str
    lines: list[str]


def find(name: str, readable: Iterable[int], *, branch: str = "") -> Found:
    """Definitions and uses of `name` at the indexed commits, exactly as spelt; uses ranked by what they depend.

    A dotted name means a member: `Order.cancel` finds definitions of that one, and uses of `cancel`. A repository that has
    no branch named `branch` is looked at at its default one.
    """
    whole, last = _names(name)
    if not last:
        return Found([], [])
    chosen = branches.chosen(readable, branch)
    definitions = list(_definitions(whole, last, chosen))
    return Found(definitions, _uses(last, _indexed_texts(last, chosen, definitions), definitions))


def find_at(name: str, repository: Repository, *, commit: str, branch: str = "") -> Found:
    """The same in one repository as it stood at any commit, without the index.

    Raises `mirror.MissingFile` for a commit that is not there, `git.TookTooLong`.
    """
    whole, last = _names(name)
    if not last:
        return Found([], [])
    place = Occurrence(
        repository.pk, repository.name, branch, commit, "", 0, 0, symbol="", kind="", excerpt=""
    )
    texts = list(_texts_at(last, repository, place))
    definitions = [found for each in texts for found in _defined_in(each, whole, last)]
    return Found(definitions[:MOST_DEFINITIONS], _uses(last, texts, definitions))


def _names(name: str) -> tuple[str, str]:
    """The name as it was asked for, with dots, and its last part."""
    whole = re.sub(r"[.:#]+", ".", name.strip("() "))
    return whole, whole.rpartition(".")[2]


def _definitions(name: str, last: str, chosen: dict[int, Branch]) -> Iterator[Occurrence]:
    found = Symbol.objects.filter(name=last[:200], blob__files__branch__in=chosen).exclude(
        kind="section"
    )
    if last != name:
        found = found.filter(qualified__endswith=name[:300])
    rows = found.values_list(
        "blob__files__branch",
        "blob__files__path",
        "blob__sha",
        "qualified",
        "kind",
        "start_line",
        "end_line",
    ).order_by("blob__files__branch", "blob__files__path", "start_line", "pk")
    listed = list(rows[:MOST_DEFINITIONS])
    read = _read(chosen, {(branch, sha) for branch, _, sha, *_ in listed})
    for branch, path, sha, qualified, kind, start, end in listed:
        place = replace(_place(chosen[branch], path), symbol=qualified, kind=kind)
        yield _cut(place, read[branch, sha], start, min(end, start + LONGEST_DEFINITION - 1), end)


def _defined_in(file: _Text, name: str, last: str) -> Iterator[Occurrence]:
    """Definitions of the name in a file, read on the spot."""
    for each in outline.of_lines(file.lines, languages.language(file.place.path)):
        same = each.symbol.rpartition(".")[2] == last and each.symbol.endswith(name)
        if same and each.kind != "section":
            place = replace(file.place, symbol=each.symbol, kind=each.kind)
            shown = min(each.end_line, each.start_line + LONGEST_DEFINITION - 1)
            yield _cut(place, file.lines, each.start_line, shown, each.end_line)


def _uses(name: str, texts: Iterable[_Text], definitions: Sequence[Occurrence]) -> list[Occurrence]:
    """Where the name stands elsewhere: uses before imports, texts and comments; what decides before tests."""
    defined = {(each.repository_id, each.path, each.start_line) for each in definitions}
    ranked: list[tuple[tuple[int, bool, bool], Occurrence]] = []
    for each in texts:
        seen: Counter[str] = Counter()
        place, lines = each.place, each.lines
        for number, kind in references.lines(lines, place.path, name).items():
            if (place.repository_id, place.path, number) in defined:
                continue
            seen[kind] += 1
            first, last = max(1, number - AROUND), min(len(lines), number + AROUND)
            use = _cut(replace(place, kind=kind), lines, first, last, last)
            rank = (
                references.KINDS.index(kind),
                each.role in ROLES_LAST,
                seen[kind] > FIRST_OF_FILE,
            )
            ranked.append((rank, use))
    # Sorting is stable: within a rank the files keep their order, nearest to the definition first.
    ranked.sort(key=lambda each: each[0])
    return [use for _, use in ranked[:MOST_USES]]


def _indexed_texts(
    name: str, chosen: dict[int, Branch], definitions: Sequence[Occurrence]
) -> Iterator[_Text]:
    files = _files_with(name, chosen, definitions)
    read = _read(chosen, {(file.branch_id, file.blob.sha) for file in files})
    for file in files:
        branch = chosen[file.branch_id]
        yield _Text(_place(branch, file.path), file.role, read[branch.pk, file.blob.sha])


def _files_with(
    name: str, chosen: dict[int, Branch], definitions: Sequence[Occurrence]
) -> list[File]:
    """Files whose postings say that the name, or all its parts, stand there; those near a definition first."""
    expanded = terms.expand(name) if re.fullmatch(r"\w+", name) else ()
    wanted = [term for term in expanded if term.startswith("=")] or list(expanded)[:1]
    if not wanted:
        return []
    read = corpus.read({row.repository_id for row in chosen.values()}, list(chosen), wanted[:1])
    ids = np.unique(read.documents.file[read.of(wanted[0])[0]]).tolist()
    found = File.objects.filter(pk__in=ids).select_related("blob")
    near = {(each.repository_id, each.path) for each in definitions[:10]}

    def order(file: File) -> tuple[bool, int, int, str]:
        owner = chosen[file.branch_id].repository_id
        return file.role in ROLES_LAST, -_nearness(owner, file.path, near), owner, file.path

    return sorted(found, key=order)[:MOST_FILES]


def _nearness(repository_id: int, path: str, near: Iterable[tuple[int, str]]) -> int:
    """How many folders a file shares with the nearest definition; one more for the same repository."""
    parts = PurePosixPath(path).parts
    return max(
        (
            1 + next((at for at, two in enumerate(zip(parts, other, strict=False)) if two[0] != two[1]), len(parts))
            for owner, each in near
            if owner == repository_id
            for other in [PurePosixPath(each).parts]
        ),
        default=0,
    )  # fmt: skip


def _texts_at(name: str, repository: Repository, place: Occurrence) -> Iterator[_Text]:
    """The files that hold the name at a commit, as git itself finds them."""
    command = ["grep", "-l", "-z", "-I", "-w", "-F", "-e", name, place.commit, "--"]
    try:
        out = git.run(mirror.folder(repository), *command, timeout=SECONDS)
    except git.TookTooLong:
        raise
    except git.GitFailed as nothing:
        if nothing.stderr.strip():
            raise mirror.MissingFile(f"there is no commit {place.commit[:10]}") from nothing
        return  # git ends with an error, and without a word, when it finds none.
    raw = (each.partition(b":")[2] for each in out.split(b"\0") if each)
    paths = [path for each in raw if (path := text.name(each))]
    paths.sort(key=lambda path: (roles.role(path) in ROLES_LAST, path))
    read = mirror.read_all(repository, place.commit, paths[:MOST_FILES])
    for path in paths[:MOST_FILES]:
        if path in read:
            lines = excerpts.masked_lines(read[path])
            yield _Text(replace(place, path=path), roles.role(path), lines)


def _read(
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


def _place(branch: Branch, path: str) -> Occurrence:
    return Occurrence(
        branch.repository_id,
        branch.repository.name,
        branch.name,
        branch.indexed_commit,
        path,
        0,
        0,
        symbol="",
        kind="",
        excerpt="",
    )


def _cut(place: Occurrence, lines: list[str], start: int, shown: int, end: int) -> Occurrence:
    excerpt = "\n".join(lines[start - 1 : shown])
    return replace(place, start_line=start, end_line=end, excerpt=excerpt)
