"""Finds the places in code that a question is about (C5, C6): the seam the agent and the browser use."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import Q

from kb_agent.repositories import branches, excerpts, questions, ranking, routing
from kb_agent.repositories.models import Chunk, File
from kb_agent.repositories.why import Match, Spelling, matches

if TYPE_CHECKING:
    from kb_agent.repositories.models import Branch
    from kb_agent.repositories.questions import Group
    from kb_agent.repositories.ranking import Corpus, Scored
    from kb_agent.repositories.routing import Routing

MOST_HITS = 100
ROUTED_BY = 40
MOST_REASONS = 4


@dataclass(frozen=True)
class Hit:
    """A place in code, why it matched, and its masked text from `start_line` on."""

    repository_id: int
    repository: str
    branch: str
    commit: str
    path: str
    start_line: int
    end_line: int
    symbol: str
    kind: str
    score: float
    why: list[Match]
    excerpt: str


@dataclass(frozen=True)
class Results:
    """Places, best first; where the question lands; the words that were looked for."""

    hits: list[Hit]
    routing: Routing | None
    tried: list[str]


def search(
    query: str,
    *,
    readable: Iterable[int],
    repositories: Iterable[int] = (),
    branch: str = "",
    limit: int = 10,
) -> Results:
    """Search the repositories in `readable`, limited to `repositories` when any is named.

    A repository that has no branch named `branch` is searched at its default one. What is not readable takes no
    part: not its code, not its words, not its figures.
    """
    wanted = frozenset(repositories)
    allowed = sorted(frozenset(readable) & wanted if wanted else frozenset(readable))
    chosen = branches.chosen(allowed, branch)
    allowed = sorted({row.repository_id for row in chosen.values()})
    groups = questions.groups(query, allowed)
    if not groups or not chosen:
        return Results([], None, [])
    corpus = ranking.read(allowed, list(chosen), groups)
    boosts = routing.boosts(allowed, groups)
    places = ranking.best(corpus, groups, boosts=boosts, limit=max(limit, ROUTED_BY))
    hits = _hits(places[: min(limit, MOST_HITS)], chosen, groups, corpus)
    reason = hits[0].why[:MOST_REASONS] if hits else []
    routed = routing.route(places, chosen, asked=len(groups), reason=reason)
    return Results(hits, routed, _tried(groups, hits))


def _hits(
    found: list[Scored], chosen: dict[int, Branch], groups: Sequence[Group], corpus: Corpus
) -> list[Hit]:
    files = File.objects.in_bulk({each.file_id for each in found})
    chunks = _chunks(found, files)
    places = [
        (each, files[each.file_id], chunks[each.file_id, each.ordinal])
        for each in found
        if (each.file_id, each.ordinal) in chunks
    ]
    texts = excerpts.of(
        [(chosen[file.branch_id].repository, file, chunk) for _, file, chunk in places]
    )
    return [
        Hit(
            repository_id=each.repository_id,
            repository=chosen[each.branch_id].repository.name,
            branch=chosen[each.branch_id].name,
            commit=chosen[each.branch_id].indexed_commit,
            path=file.path,
            start_line=chunk.start_line,
            end_line=chunk.end_line,
            symbol=chunk.symbol,
            kind=chunk.kind,
            score=round(each.score, 4),
            why=matches(each, groups, corpus, Spelling(file.path, chunk.symbol, text)),
            excerpt=text,
        )
        for (each, file, chunk), text in zip(places, texts, strict=True)
    ]


def _chunks(found: list[Scored], files: dict[int, File]) -> dict[tuple[int, int], Chunk]:
    """The chunk of each place, by file and ordinal; a file that left the index meanwhile has none."""
    wanted = Q(pk=None)
    for each in found:
        if each.file_id in files:
            wanted |= Q(blob=files[each.file_id].blob_id, ordinal=each.ordinal)
    rows = {(row.blob_id, row.ordinal): row for row in Chunk.objects.filter(wanted)}
    return {
        (each.file_id, each.ordinal): rows[files[each.file_id].blob_id, each.ordinal]
        for each in found
        if each.file_id in files
    }


def _tried(groups: Sequence[Group], hits: list[Hit]) -> list[str]:
    """The words looked for, with the code's own word where another stood for them."""
    met: dict[str, dict[str, None]] = {}
    for match in (match for hit in hits for match in hit.why if match.kind == "vocabulary"):
        met.setdefault(match.query, {})[match.code] = None
    said: list[str] = []
    for group in groups:
        if group.kind == "vocabulary" and group.query in met:
            said.append(f"{group.query} → {', '.join(met[group.query])}")
        elif group.kind == "vocabulary" or group.query[0] < "\u2fff":
            said.append(group.query)
    return list(dict.fromkeys(said))
