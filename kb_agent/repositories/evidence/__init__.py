"""Evidence: places in code minted for a topic, tied to a commit and a hash of their bytes (A5)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from django.db import connection, transaction

from kb_agent.repositories import mirror, secrets, text
from kb_agent.repositories.models import Branch, Evidence, Repository

MINTING = 0x65766964
MOST_CONTEXT = 2000


class PlaceLike(Protocol):
    """What names a place in code: `Place`, `search.Hit`, `symbols.Occurrence`."""

    @property
    def repository_id(self) -> int: ...
    @property
    def commit(self) -> str: ...
    @property
    def branch(self) -> str: ...
    @property
    def path(self) -> str: ...
    @property
    def start_line(self) -> int: ...
    @property
    def end_line(self) -> int: ...


@dataclass(frozen=True, kw_only=True)
class Place:
    """Lines of a file at a commit; 1-based, inclusive."""

    repository_id: int
    commit: str
    branch: str
    path: str
    start_line: int
    end_line: int


@dataclass(frozen=True)
class Line:
    """One line as people see it."""

    number: int
    text: str
    cited: bool


@dataclass(frozen=True)
class Lines:
    """The cited lines with their neighbours, masked."""

    lines: list[Line]
    total_lines: int
    language: str


def mint(topic_id: int, turn_id: int, places: Iterable[PlaceLike]) -> list[Evidence]:
    """A row for each place, in order; a place minted before in the topic keeps its number.

    One that goes on past its file's end ends there. Raises `mirror.MissingFile` for a place that is
    not there, `git.GitFailed`.
    """
    asked = _there(places)
    for repository_id, commit in {(place.repository_id, place.commit) for place, _ in asked}:
        mirror.keep(Repository(pk=repository_id), commit)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [MINTING, topic_id % 2**31])
        known = {_key(row): row for row in Evidence.objects.filter(topic_id=topic_id)}
        last = max((row.number for row in known.values()), default=0)
        for place, content_hash in asked:
            key = _key(place)
            if key not in known:
                last += 1
                known[key] = _row(topic_id, turn_id, last, place, content_hash)
    return [known[_key(place)] for place, _ in asked]


@dataclass(frozen=True)
class Standing:
    """How evidence stands now.

    `valid`: its lines are what they were at its commit. `changed_since`: the branch moved under them; `gone`: it has no
    such file any more. `missing`: the commit or the file can no longer be read at all.
    """

    valid: bool
    changed_since: bool
    missing: bool
    gone: bool = False


def check(evidence: Evidence) -> bool:
    """Whether the lines still are, at that commit, what they were when minted."""
    return standing([evidence])[evidence.pk].valid


def changed_since(evidence: Evidence) -> bool:
    """Whether the branch now holds other lines there: the file is gone, or the cited text is not in it."""
    return standing([evidence])[evidence.pk].changed_since


def standing(rows: Iterable[Evidence]) -> dict[int, Standing]:
    """How each row stands, by id; every file is read once, a few git processes a repository."""
    asked = list(rows)
    heads = _heads(asked)
    was = _read_all(_file(row) for row in asked)
    moved = {
        row.pk: (row.repository_id, head, row.path) for row in asked if (head := heads[row.pk])
    }
    now = _read_all(moved.values())
    found: dict[int, Standing] = {}
    for row in asked:
        data = was.get(_file(row))
        lines = _cut(data, row.start_line, row.end_line) if data is not None else None
        valid = lines is not None and hashlib.sha256(lines).hexdigest() == row.content_hash
        changed = heads[row.pk] is None or (
            row.pk in moved and not _holds(now.get(moved[row.pk]), lines)
        )
        gone = heads[row.pk] is None or (row.pk in moved and moved[row.pk] not in now)
        found[row.pk] = Standing(valid, changed, missing=data is None, gone=gone)
    return found


def _heads(rows: Iterable[Evidence]) -> dict[int, str | None]:
    """The commit to compare each row with: none for a branch that is gone, empty where it has not moved."""
    wanted = list(rows)
    branches = {
        (repository_id, name): commit
        for repository_id, name, commit in Branch.objects.filter(
            repository__in={row.repository_id for row in wanted}
        ).values_list("repository_id", "name", "indexed_commit")
    }
    found: dict[int, str | None] = {}
    for row in wanted:
        head = branches.get((row.repository_id, row.branch))
        found[row.pk] = "" if head in {row.commit, ""} else head
    return found


def _holds(data: bytes | None, lines: bytes | None) -> bool:
    return data is not None and lines is not None and lines in data


def open(evidence: Evidence, *, context: int = 20) -> Lines:  # noqa: A001 - `evidence.open(row)` is how it reads
    """The cited lines with `context` lines around, masked.

    Raises `mirror.MissingFile`, `mirror.TooLarge`, `text.Binary`, `git.GitFailed`.
    """
    data = mirror.read(evidence.repository, evidence.commit, evidence.path)
    lines = text.lines(secrets.mask(text.decode(data)).text)
    around = max(0, min(context, MOST_CONTEXT))
    first = max(1, evidence.start_line - around)
    last = min(len(lines), evidence.end_line + around)
    shown = [
        Line(number, lines[number - 1], evidence.start_line <= number <= evidence.end_line)
        for number in range(first, last + 1)
    ]
    return Lines(shown, len(lines), _language(evidence.path))


Key = tuple[int, str, str, int, int]
File = tuple[int, str, str]


def _key(place: PlaceLike | Evidence) -> Key:
    return place.repository_id, place.commit, place.path, place.start_line, place.end_line


def _row(topic_id: int, turn_id: int, number: int, place: PlaceLike, content_hash: str) -> Evidence:
    return Evidence.objects.create(
        topic_id=topic_id,
        turn_id=turn_id,
        number=number,
        repository_id=place.repository_id,
        commit=place.commit,
        branch=place.branch,
        path=place.path,
        start_line=place.start_line,
        end_line=place.end_line,
        content_hash=content_hash,
    )


def _there(places: Iterable[PlaceLike]) -> list[tuple[Place, str]]:
    """The places as far as their files go, each with the hash of its raw bytes. Raises `mirror.MissingFile`."""
    asked = list(places)
    read = _read_all(_file(place) for place in asked)
    found: list[tuple[Place, str]] = []
    for place in asked:
        data = read.get(_file(place))
        end = place.end_line if data is None else min(place.end_line, _count(data))
        lines = None if data is None else _cut(data, place.start_line, end)
        if lines is None:
            raise mirror.MissingFile(
                f"there are no lines {place.start_line}-{place.end_line} of {place.path!r}"
                f" at {place.commit[:10]}"
            )
        there = Place(
            repository_id=place.repository_id,
            commit=place.commit,
            branch=place.branch,
            path=place.path,
            start_line=place.start_line,
            end_line=end,
        )
        found.append((there, hashlib.sha256(lines).hexdigest()))
    return found


def _file(place: PlaceLike | Evidence) -> File:
    return place.repository_id, place.commit, place.path


def _read_all(files: Iterable[File]) -> dict[File, bytes]:
    """The bytes of files, by repository, commit and path; what cannot be read is left out."""
    grouped: dict[tuple[int, str], set[str]] = {}
    for repository_id, commit, path in files:
        grouped.setdefault((repository_id, commit), set()).add(path)
    return {
        (repository_id, commit, path): data
        for (repository_id, commit), paths in grouped.items()
        for path, data in mirror.read_all(Repository(pk=repository_id), commit, paths).items()
    }


def _cut(data: bytes, start_line: int, end_line: int) -> bytes | None:
    """The raw bytes of the lines, line ends kept as they are but for the last; None when there are no such lines."""
    lines = data.split(b"\n")
    if not 1 <= start_line <= end_line or start_line > len(lines):
        return None
    return b"\n".join(lines[start_line - 1 : end_line])


def _count(data: bytes) -> int:
    """How many lines a file has, as editors count them."""
    return data.count(b"\n") + (not data.endswith(b"\n"))


def _language(path: str) -> str:
    """The name by which highlighters know the file's language: its ending."""
    name = path.rpartition("/")[2]
    return name.rpartition(".")[2].lower() if "." in name else name.lower()
