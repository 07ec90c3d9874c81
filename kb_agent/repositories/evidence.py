"""Evidence: places in code minted for a topic, tied to a commit and a hash of their bytes (A5)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from django.db import connection, transaction

from kb_agent.repositories import git, mirror, secrets, text
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

    Raises `mirror.MissingFile` for a place that is not there.
    """
    asked = list(places)
    hashes = _hashes(dict.fromkeys(map(_key, asked)))
    for repository_id, commit in {(place.repository_id, place.commit) for place in asked}:
        mirror.keep(Repository(pk=repository_id), commit)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [MINTING, topic_id % 2**31])
        known = {_key(row): row for row in Evidence.objects.filter(topic_id=topic_id)}
        last = max((row.number for row in known.values()), default=0)
        for place in asked:
            key = _key(place)
            if key not in known:
                last += 1
                known[key] = _row(topic_id, turn_id, last, place, hashes[key])
    return [known[_key(place)] for place in asked]


def check(evidence: Evidence) -> bool:
    """Whether the lines still are, at that commit, what they were when minted."""
    try:
        key = _key(evidence)
        return _hashes([key])[key] == evidence.content_hash
    except (mirror.MissingFile, mirror.TooLarge, git.GitFailed):
        return False


def changed_since(evidence: Evidence) -> bool:
    """Whether the branch now holds other lines there: the file is gone, or the cited text is not in it."""
    branch = Branch.objects.filter(repository=evidence.repository_id, name=evidence.branch).first()
    if branch is None:
        return True
    if branch.indexed_commit == evidence.commit or not branch.indexed_commit:
        return False
    try:
        was = mirror.find(evidence.repository, evidence.commit, evidence.path)
        now = mirror.find(evidence.repository, branch.indexed_commit, evidence.path)
        if was.sha == now.sha:
            return False
        key = _key(evidence)
        cited = _cut(_read(key), key)
        return cited not in mirror.read(evidence.repository, branch.indexed_commit, evidence.path)
    except (mirror.MissingFile, mirror.TooLarge):
        return True


def open(evidence: Evidence, *, context: int = 20) -> Lines:  # noqa: A001 - `evidence.open(row)` is how it reads
    """The cited lines with `context` lines around, masked. Raises `mirror.MissingFile`, `text.Binary`."""
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


def _hashes(keys: Iterable[Key]) -> dict[Key, str]:
    """Hashes of the places' raw bytes; a file is read once for all its places."""
    read: dict[tuple[int, str, str], bytes] = {}
    found: dict[Key, str] = {}
    for key in keys:
        file = key[:3]
        if file not in read:
            read[file] = _read(key)
        found[key] = hashlib.sha256(_cut(read[file], key)).hexdigest()
    return found


def _read(key: Key) -> bytes:
    repository_id, commit, path, _, _ = key
    return mirror.read(Repository(pk=repository_id), commit, path)


def _cut(data: bytes, key: Key) -> bytes:
    """The raw bytes of the lines, line ends kept as they are but for the last."""
    _, _, path, start_line, end_line = key
    lines = data.split(b"\n")
    if not 1 <= start_line <= end_line or start_line > len(lines):
        raise mirror.MissingFile(f"{path} has no line {start_line}")
    return b"\n".join(lines[start_line - 1 : end_line])


def _language(path: str) -> str:
    """The name by which highlighters know the file's language: its ending."""
    name = path.rpartition("/")[2]
    return name.rpartition(".")[2].lower() if "." in name else name.lower()
