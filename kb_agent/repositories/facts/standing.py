"""Whether the lines that facts cite are still in the code: looked at after each indexing (P10).

Lines that moved are there still: their bytes are looked for in the whole file, and a file that was
only renamed is known by its content. A file whose content is as it was last time is not read.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kb_agent.repositories import evidence, mirror
from kb_agent.repositories.models import Branch, File, Repository
from topics import facts
from topics.models.facts import Fact, FactPlace, FactStatus

AT_ONCE = 500
"""Places looked at in one call; what is left is due still."""
GONE = "gone"
"""Stands for the commit of a branch that is no longer followed, or of a repository that was removed."""
LIVING = (FactStatus.PROPOSED, FactStatus.ACCEPTED)


@dataclass(frozen=True)
class Seen:
    """What was found of a place: whether its lines are there, and the file's content."""

    holds: bool
    blob: str


def due() -> list[int]:
    """Repositories whose branches stand elsewhere than when the lines of facts were last looked for."""
    heads = _heads()
    places = FactPlace.objects.filter(fact__status__in=LIVING).order_by()
    looked = places.values_list("repository", "branch", "seen_commit").distinct()
    return sorted({pk for pk, name, seen in looked if heads.get((pk, name), GONE) != seen})


def check(repository_id: int) -> int:
    """Look for the lines of a repository's facts where its branches stand; returns how many facts changed."""
    heads = _heads(repository_id)
    places = FactPlace.objects.filter(repository=repository_id, fact__status__in=LIVING)
    looked: list[FactPlace] = []
    for name in sorted(set(places.values_list("branch", flat=True))):
        head = heads.get((repository_id, name), GONE)
        waiting = places.filter(branch=name).exclude(seen_commit=head).order_by("pk")
        some = list(waiting[: AT_ONCE - len(looked)])
        _look(some, Repository(pk=repository_id), name, head)
        looked += some
    return sum(_note(fact_id) for fact_id in sorted({place.fact_id for place in looked}))


def located(places: Iterable[FactPlace]) -> list[evidence.Place]:
    """Where cited lines stand now, at the indexed commits; those no longer there are left out."""
    heads = _heads()
    wanted = [
        (place, head, _path(place))
        for place in places
        if (head := heads.get((place.repository, place.branch))) is not None
    ]
    was = _read((place.repository, place.commit, place.path) for place, _, _ in wanted)
    now = _read((place.repository, head, path) for place, head, path in wanted)
    found = []
    for place, head, path in wanted:
        lines = _lines(was.get((place.repository, place.commit, place.path)), place)
        start = _start(now.get((place.repository, head, path)), lines, near=place.start_line)
        if start:
            found.append(
                evidence.Place(
                    repository_id=place.repository,
                    commit=head,
                    branch=place.branch,
                    path=path,
                    start_line=start,
                    end_line=start + place.end_line - place.start_line,
                )
            )
    return found


def _path(place: FactPlace) -> str:
    """Where the file is now: renamed, it is known by its content."""
    of_branch = File.objects.filter(branch__repository=place.repository, branch__name=place.branch)
    if not place.seen_blob or of_branch.filter(path=place.path).exists():
        return place.path
    same = of_branch.filter(blob__sha=place.seen_blob).order_by("path")
    return same.values_list("path", flat=True).first() or place.path


def _heads(repository_id: int | None = None) -> dict[tuple[int, str], str]:
    branches = Branch.objects.exclude(indexed_commit="")
    if repository_id is not None:
        branches = branches.filter(repository=repository_id)
    return {
        (pk, name): commit
        for pk, name, commit in branches.values_list("repository_id", "name", "indexed_commit")
    }


def _look(places: Sequence[FactPlace], repository: Repository, branch: str, head: str) -> None:
    if not places:
        return
    seen = {} if head == GONE else _seen(places, repository, branch, head)
    for place in places:
        found = seen.get(place.pk, Seen(holds=False, blob=""))
        place.holds, place.seen_commit, place.seen_blob = found.holds, head, found.blob
    FactPlace.objects.bulk_update(places, ["holds", "seen_commit", "seen_blob"])


def _seen(
    places: Sequence[FactPlace], repository: Repository, branch: str, head: str
) -> dict[int, Seen]:
    indexed = File.objects.filter(branch__repository=repository, branch__name=branch)
    blobs = dict(
        indexed.filter(path__in={each.path for each in places}).values_list("path", "blob__sha")
    )
    same = {each.pk for each in places if each.seen_blob and blobs.get(each.path) == each.seen_blob}
    seen = {each.pk: Seen(each.holds, each.seen_blob) for each in places if each.pk in same}
    rest = [each for each in places if each.pk not in same]
    was = _read((repository.pk, each.commit, each.path) for each in rest)
    now = _read((repository.pk, head, each.path) for each in rest)
    lost = {each.seen_blob for each in rest if (repository.pk, head, each.path) not in now}
    renamed = set(indexed.filter(blob__sha__in=lost - {""}).values_list("blob__sha", flat=True))
    for each in rest:
        data = now.get((repository.pk, head, each.path))
        if data is None:
            held = each.holds and each.seen_blob in renamed
            seen[each.pk] = Seen(held, each.seen_blob if held else "")
        else:
            lines = _lines(was.get((repository.pk, each.commit, each.path)), each)
            there = bool(_start(data, lines, near=each.start_line))
            seen[each.pk] = Seen(there, blobs.get(each.path, ""))
    return seen


def _note(fact_id: int) -> bool:
    fact = Fact.objects.filter(pk=fact_id).first()
    if fact is None:
        return False
    return facts.note_standing(fact_id, gone=list(fact.places.filter(holds=False).order_by("pk")))


def _read(files: Iterable[tuple[int, str, str]]) -> dict[tuple[int, str, str], bytes]:
    """The bytes of files by repository, commit and path, two git processes a commit."""
    grouped: dict[tuple[int, str], set[str]] = defaultdict(set)
    for repository_id, commit, path in files:
        grouped[repository_id, commit].add(path)
    return {
        (repository_id, commit, path): data
        for (repository_id, commit), paths in grouped.items()
        for path, data in mirror.read_all(Repository(pk=repository_id), commit, paths).items()
    }


def _lines(data: bytes | None, place: FactPlace) -> bytes | None:
    """The cited bytes, if they are what was cited."""
    if data is None:
        return None
    lines = b"\n".join(data.split(b"\n")[place.start_line - 1 : place.end_line])
    return lines if hashlib.sha256(lines).hexdigest() == place.content_hash else None


def _start(data: bytes | None, lines: bytes | None, *, near: int) -> int:
    """The line on which these lines begin, the nearest to where they stood; 0 for nowhere."""
    if data is None or not lines:
        return 0
    whole, sought = b"\n" + data.rstrip(b"\n") + b"\n", b"\n" + lines.rstrip(b"\n") + b"\n"
    starts: list[int] = []
    at = whole.find(sought)
    while at >= 0:
        starts.append(whole.count(b"\n", 0, at) + 1)
        at = whole.find(sought, at + 1)
    return min(starts, key=lambda start: abs(start - near), default=0)
