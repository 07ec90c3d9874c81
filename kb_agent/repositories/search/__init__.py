"""Finds the places in code that a question is about (C5, C6): the seam the agent and the browser use."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import Q

from kb_agent.repositories import branches, terms
from kb_agent.repositories.evidence import excerpts
from kb_agent.repositories.indexing import corpus
from kb_agent.repositories.measuring import EVERYTHING, Signals
from kb_agent.repositories.models import Chunk, File
from kb_agent.repositories.search import (
    confidence,
    fusing,
    meaning,
    naming_systems,
    places,
    ranking,
    refining,
    routing,
)
from kb_agent.repositories.search.why import MOST, Match, Spelling, matches
from kb_agent.repositories.vocabulary import corrections, questions, translating

if TYPE_CHECKING:
    from kb_agent.repositories.indexing.corpus import Corpus
    from kb_agent.repositories.models import Branch
    from kb_agent.repositories.search.places import Place
    from kb_agent.repositories.search.ranking import Scores
    from kb_agent.repositories.search.routing import Routing
    from kb_agent.repositories.vectors import Nearest
    from kb_agent.repositories.vocabulary.questions import Concept

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
    """Places, best first; where the question lands; the words that were looked for.

    `found` is False where the code searched does not seem to hold an answer, whatever places came nearest.
    """

    hits: list[Hit]
    routing: Routing | None
    tried: list[str]
    found: bool = True


NOTHING = Results([], None, [], found=False)


@dataclass(frozen=True)
class _Asked:
    """A wording and what it meets."""

    query: str
    corpus: Corpus
    concepts: list[Concept]
    pairs: list[Concept]
    near: Nearest | None


@dataclass(frozen=True)
class _Ranked:
    """A question's ranking before anything is read for showing it."""

    concepts: list[Concept]
    corpus: Corpus
    scores: Scores
    places: list[Place]
    found: bool
    near: Nearest | None


def search(
    query: str,
    *,
    readable: Iterable[int],
    repositories: Iterable[int] = (),
    branch: str = "",
    limit: int = 10,
    signals: Signals = EVERYTHING,
) -> Results:
    """Search the repositories in `readable`, limited to `repositories` when any is named.

    A repository that has no branch named `branch` is searched at its default one. What is not readable takes no
    part: not its code, not its words, not its figures. `signals` are left out only to measure what each brings.
    """
    return search_all(
        [query],
        readable=readable,
        repositories=repositories,
        branch=branch,
        limit=limit,
        signals=signals,
    )


def search_all(
    queries: Sequence[str],
    *,
    readable: Iterable[int],
    repositories: Iterable[int] = (),
    branch: str = "",
    limit: int = 10,
    signals: Signals = EVERYTHING,
) -> Results:
    """Search for several wordings of one question (both languages, the code's likely words), rankings fused.

    Found is what any wording finds. Otherwise like `search`.
    """
    speaking, wanted = frozenset(readable), frozenset(repositories)
    chosen = branches.chosen(sorted(speaking & wanted if wanted else speaking), branch)
    ranked = []
    if chosen:
        meaning.prepare(queries, signals)
    for query in dict.fromkeys(queries) if chosen else ():
        said = questions.concepts(query, sorted(speaking), signals)
        if concepts := corrections.applied(said, query, sorted(speaking)):
            read, asked, pairs = _read(concepts, chosen, sorted(speaking), signals)
            near = meaning.asked(query, read, chosen, signals)
            wording = _Asked(query, read, asked, pairs, near)
            ranked.append(_rank(wording, limit=max(limit, ROUTED_BY), signals=signals))
    if not ranked:
        return NOTHING
    found = any(each.found for each in ranked)
    shown = fusing.fused([each.places for each in ranked])
    hits = _hits(ranked, shown[: min(limit, MOST_HITS)], chosen)
    routed = _routed(ranked, shown, hits, chosen)
    words = [concept for each in ranked for concept in each.concepts]
    tried = [*_tried(words, hits), *meaning.told(each.near for each in ranked)]
    return Results(hits, routed, tried, found=found)


def _read(
    concepts: list[Concept], chosen: dict[int, Branch], speaking: list[int], signals: Signals
) -> tuple[Corpus, list[Concept], list[Concept]]:
    """What the question meets, its words with their families and other words for rare ones, and its pairs of words."""
    pairs = questions.pairs(concepts) if "pairs" in signals else []
    wanted = {term for each in (*concepts, *pairs) for term, _ in (*each.terms, *each.beside)}
    roots = {root for each in concepts for term, _ in each.terms if (root := terms.family(term))}
    allowed = sorted({row.repository_id for row in chosen.values()})
    read = corpus.read(allowed, list(chosen), wanted, roots if "families" in signals else ())
    words = [each for each in concepts if each.kind == "word" and not each.chinese]
    rare = [each for each in words if not each.beside and ranking.rare(read, each)]
    asked = [questions.widened(each, read.relatives) for each in concepts]
    if not rare or "paraphrases" not in signals:
        return read, asked, pairs
    others = translating.paraphrases({each.terms[0][0] for each in rare}, speaking)
    more = corpus.read(
        allowed, list(chosen), {term for some in others.values() for term, _ in some}
    )
    asked = [questions.paraphrased(each, others.get(each.terms[0][0], ())) for each in asked]
    return corpus.joined(read, more), asked, pairs


def _rank(wording: _Asked, *, limit: int, signals: Signals) -> _Ranked:
    read, asked = wording.corpus, wording.concepts
    parts = ranking.parts(read, [*asked, *wording.pairs])
    fits = ranking.fits(read, parts)
    bonus = routing.bonus(asked, parts, fits) if "routing" in signals else {}
    scores = ranking.score(read, parts, bonus=bonus, signals=signals)
    systems = naming_systems.words(wording.query, asked)
    refined = refining.refined(read, scores, systems) if "refining" in signals else scores
    joined = meaning.joined(read, refined, asked, wording.near)
    best = places.best(read, joined, limit=limit, signals=signals)
    found = confidence.found(read, asked, scores, fits)
    return _Ranked(asked, read, refined, best, found and bool(best), wording.near)


def _routed(
    ranked: Sequence[_Ranked], shown: list[Place], hits: list[Hit], chosen: dict[int, Branch]
) -> Routing | None:
    reason = hits[0].why[:MOST_REASONS] if hits else []
    met = max(_met(each, shown[0]) for each in ranked) if hits else 0.0
    found = any(each.found for each in ranked)
    return routing.route(shown, chosen, met=met, reason=reason, found=found)


def _met(ranked: _Ranked, place: Place) -> float:
    """The share of a wording's words that a place met; one word of many is no sure sign."""
    number = _number(ranked, place)
    single = [part for part in ranked.scores.parts if part.concept.kind != "pair"]
    met = sum(float(part.score[number]) > 0 for part in single) if number is not None else 0
    return 0.0 if met < 2 <= len(ranked.concepts) else met / len(ranked.concepts)


def _number(ranked: _Ranked, place: Place) -> int | None:
    """The document of a place in this ranking's corpus, which may be of another edition than the place's own."""
    documents, at = ranked.corpus.documents, place.number
    if at < len(documents.file) and (documents.file[at], documents.ordinal[at]) == (
        place.file_id,
        place.ordinal,
    ):
        return at
    return None


def _hits(ranked: Sequence[_Ranked], shown: list[Place], chosen: dict[int, Branch]) -> list[Hit]:
    files = File.objects.in_bulk({each.file_id for each in shown})
    chunks = _chunks(shown, files)
    kept = [
        (each, files[each.file_id], chunks[each.file_id, each.ordinal])
        for each in shown
        if (each.file_id, each.ordinal) in chunks
    ]
    texts = excerpts.of(
        [
            (chosen[file.branch_id].repository, file, (each.start_line, each.end_line))
            for each, file, _ in kept
        ]
    )
    return [
        Hit(
            repository_id=each.repository_id,
            repository=chosen[each.branch_id].repository.name,
            branch=chosen[each.branch_id].name,
            commit=chosen[each.branch_id].indexed_commit,
            path=file.path,
            start_line=each.start_line,
            end_line=each.end_line,
            symbol=chunk.symbol,
            kind=chunk.kind,
            score=round(each.score, 4),
            why=_why(ranked, each, Spelling(file.path, chunk.symbol, text)),
            excerpt=text,
        )
        for (each, file, chunk), text in zip(kept, texts, strict=True)
    ]


def _why(ranked: Sequence[_Ranked], place: Place, spelling: Spelling) -> list[Match]:
    """What the place met of every wording."""
    found: dict[Match, None] = {}
    for each in ranked:
        number = _number(each, place)
        if number is not None:
            found.update(dict.fromkeys(matches(number, each.scores.parts, each.corpus, spelling)))
    words = " ".join(concept.query for concept in ranked[0].concepts)
    return list(found)[:MOST] or meaning.match(
        [each.near for each in ranked], words, place.file_id, spelling.symbol or spelling.path
    )


def _chunks(shown: list[Place], files: dict[int, File]) -> dict[tuple[int, int], Chunk]:
    """The chunk of each place, by file and ordinal; a file that left the index meanwhile has none."""
    wanted = Q(pk=None)
    for each in shown:
        if each.file_id in files:
            wanted |= Q(blob=files[each.file_id].blob_id, ordinal=each.ordinal)
    rows = {(row.blob_id, row.ordinal): row for row in Chunk.objects.filter(wanted)}
    return {
        (each.file_id, each.ordinal): rows[files[each.file_id].blob_id, each.ordinal]
        for each in shown
        if each.file_id in files
    }


def _tried(concepts: Sequence[Concept], hits: list[Hit]) -> list[str]:
    """The words looked for, with the code's own word where another stood for them."""
    met: dict[str, dict[str, None]] = {}
    for match in (match for hit in hits for match in hit.why if match.kind == "vocabulary"):
        met.setdefault(match.query, {})[match.code] = None
    said = [
        f"{each.query} → {', '.join(met[each.query])}" if each.query in met else each.query
        for each in concepts
    ]
    return list(dict.fromkeys(said))
