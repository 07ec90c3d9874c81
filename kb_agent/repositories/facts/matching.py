"""Finds the accepted facts that a question is about: by words in both languages, and by the code found (P10)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.contrib.postgres.fields import ArrayField
from django.db.models import F, Func, IntegerField, TextField, Value

from kb_agent.repositories import search, terms
from kb_agent.repositories.facts.words import CITED, TRANSLATED
from kb_agent.repositories.vocabulary import corrections, questions
from topics import facts
from topics.models.facts import Fact, FactPlace

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from kb_agent.repositories.search import Hit
    from kb_agent.repositories.vocabulary.questions import Concept

CANDIDATES, MOST = 100, 5
OF_TRANSLATION, OF_CODE, OF_SYNONYM = 0.8, 0.4, 0.5
"""What a word of the question is worth where the fact's text does not say it itself."""
OF_PLACES = 0.3
"""How much citing the lines that the search finds counts beside words."""
BY_RANK = (1.0, 0.8, 0.8, 0.5, 0.5)
LEAST = 0.55
"""A fact below this score is not shown; measured on labelled questions (docs/facts.md)."""
LEAST_WORDS = 0.3
"""Of the question's words at least so much, wherever the lines are."""


@dataclass(frozen=True)
class Found:
    """A fact and how well it fits, from 0 to 1."""

    fact: Fact
    score: float
    words: float
    places: float


def about(
    question: str,
    *,
    readable: Iterable[int],
    repositories: Iterable[int] = (),
    limit: int = MOST,
    least: float = LEAST,
) -> list[Found]:
    """The accepted, fresh facts that fit a question, best first, of what its asker may read now.

    `repositories` limits them to facts that cite one of these.
    """
    allowed = sorted(set(readable))
    said = questions.concepts(question, allowed)
    concepts = [
        each for each in corrections.applied(said, question, allowed) if each.kind != "phrase"
    ]
    if not concepts:
        return []
    open_facts = facts.fresh().filter(sources__contained_by=allowed)
    if wanted := sorted(set(repositories)):
        open_facts = open_facts.filter(repositories__overlap=wanted)
    if not open_facts.exists():
        return []
    hits = search.search(question, readable=allowed, repositories=wanted, limit=len(BY_RANK)).hits
    candidates = {fact.pk: fact for fact in _sharing_words(open_facts, concepts)}
    candidates |= {fact.pk: fact for fact in open_facts.filter(pk__in=_citing(hits))}
    found = [_scored(fact, concepts, hits) for fact in candidates.values()]
    fitting = [each for each in found if each.score >= least and each.words >= LEAST_WORDS]
    return sorted(fitting, key=lambda each: (-each.score, each.fact.pk))[:limit]


def _sharing_words(open_facts: QuerySet[Fact], concepts: Sequence[Concept]) -> QuerySet[Fact]:
    """The facts that share most words with the question."""
    asked = sorted({word for each in concepts for word in _asked(each)})
    shared = Func(
        F("words"),
        Value(asked, output_field=ArrayField(TextField())),
        template="cardinality(ARRAY(SELECT unnest(%(expressions)s)))",
        arg_joiner=") INTERSECT SELECT unnest(",
        output_field=IntegerField(),
    )
    sharing = open_facts.filter(words__overlap=asked).annotate(shared=shared)
    return sharing.order_by("-shared", "pk")[:CANDIDATES]


def _asked(concept: Concept) -> set[str]:
    """What a fact may have among its words for one word of the question."""
    own = [term for term, _ in (*concept.terms, *concept.beside)]
    if concept.chinese:
        own += terms.bigrams(terms.fold(concept.query))
    return {f"{mark}{term}" for term in own for mark in ("", TRANSLATED, CITED)}


def _citing(hits: Sequence[Hit]) -> set[int]:
    """Facts that cite files in which the search landed."""
    paths = {(hit.repository_id, hit.path) for hit in hits}
    rows = FactPlace.objects.filter(
        repository__in={pk for pk, _ in paths}, path__in={path for _, path in paths}
    )
    return set(rows.values_list("fact_id", flat=True))


def _scored(fact: Fact, concepts: Sequence[Concept], hits: Sequence[Hit]) -> Found:
    words = _covered(set(fact.words), concepts)
    places = max((_at(hits, place) for place in fact.places.all()), default=0.0)
    return Found(fact, (1 - OF_PLACES) * words + OF_PLACES * places, words, places)


def _covered(words: set[str], concepts: Sequence[Concept]) -> float:
    """The share of the question's words that a fact meets; one word of several is no sign."""
    met = [(each.weight, _met(words, each)) for each in concepts]
    whole = sum(weight for weight, _ in met)
    if sum(worth > 0 for _, worth in met) < min(2, len(met)) or not whole:
        return 0.0
    return sum(weight * worth for weight, worth in met) / whole


def _met(words: set[str], concept: Concept) -> float:
    """What a fact's words are worth for one word of the question, from 0 to 1."""
    pairs = list(terms.bigrams(terms.fold(concept.query))) if concept.chinese else []
    if pairs and all(pair in words for pair in pairs):
        return 1.0
    worth = [0.0]
    for term, weight in (*concept.terms, *((term, OF_SYNONYM) for term, _ in concept.beside)):
        if term not in pairs:
            said = 1.0 if not concept.chinese else OF_TRANSLATION
            worth.append(min(weight, 1.0) * _of_term(words, term, said=said))
    return max(worth)


def _of_term(words: set[str], term: str, *, said: float) -> float:
    if term in words:
        return said
    if TRANSLATED + term in words:
        return OF_TRANSLATION
    return OF_CODE if CITED + term in words else 0.0


def _at(hits: Sequence[Hit], place: FactPlace) -> float:
    """How near to the top the search found lines that a fact cites."""
    for hit, worth in zip(hits, BY_RANK, strict=False):
        same = (hit.repository_id, hit.path) == (place.repository, place.path)
        if same and hit.start_line <= place.end_line and place.start_line <= hit.end_line:
            return worth
    return 0.0
