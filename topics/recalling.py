"""Keeps what finished topics are recalled by, and finds those that a question is near to (P7).

Words, places in code and vectors are handed in. A topic's score is the share of the question's words that it has, the
rarer the more, and what speaks for it beside: that both land in the same places of the code, and that the question lands
where the topic's answers cite. Or it is near in meaning: whichever says more, never both together.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from django.contrib.postgres.fields import ArrayField
from django.db.models import F, Func, TextField, Value
from django.dispatch import receiver

from tapes import signals as tape_signals
from topics.models import Topic, TopicStatus
from topics.models.recall import Recollection

if TYPE_CHECKING:
    from django.db.models import QuerySet

Place = tuple[int, str, int, int]
"""Repository, path, first and last line."""

WEAK = "~"
"""Before a term that may stand for one of the topic's words."""
AT = "@"
"""Before a place of code among a topic's words, so that one index finds both."""
WEAK_WEIGHT = 0.3
# Chosen on the half of docs/bench/recall that is for choosing; a meaning as near as the least is two spreads (decision 8).
LANDING, CITED, MEANING = 0.15, 0.1, 0.12
SAME_FILE = 0.35
# How much a place counts by its rank: the first 1, the fifth half.
FALLS = 4
MOST_CANDIDATES = 5_000
LOOKED_AT = 200
# Topics that are taken to be there beside, with none of the words: in a small company few words are truly rare.
BESIDE = 30


@dataclass(frozen=True, kw_only=True)
class Kept:
    """What one topic is recalled by."""

    language: str
    words: Collection[str]
    landed: Sequence[tuple[str, float]] = ()
    cited: Sequence[Place] = ()
    text: str = ""
    sources: Iterable[int] = ()


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A question: words with what may stand for each, where it lands, and how near topics are in meaning."""

    words: Sequence[tuple[float, Mapping[str, float]]]
    landed: Sequence[tuple[str, float]] = ()
    places: Sequence[Place] = ()
    meant: Mapping[int, float] = field(default_factory=dict)
    """By topic, how many spreads it stands above the middle of the nearest."""

    @property
    def terms(self) -> list[str]:
        """All that a topic may be found by."""
        plain = {term for _, terms in self.words for term in terms}
        keys = {AT + key for key, _ in self.landed} | {AT + file_of(one) for one in self.places}
        return sorted({*plain, *(WEAK + term for term in plain), *keys})


@dataclass(frozen=True, kw_only=True)
class Near:
    """A topic that a question is near to."""

    topic: Topic
    score: float


def file_of(place: Place) -> str:
    """The key of the file a place lies in."""
    return f"{place[0]}:{place[1]}"


def keep(topic_id: int, kept: Kept) -> None:
    """Write, or write anew, what a topic is recalled by; a vector of another text is dropped."""
    places = {AT + key for key, _ in kept.landed} | {AT + file_of(one) for one in kept.cited}
    row, made = Recollection.objects.update_or_create(
        topic_id=topic_id,
        defaults={
            "language": kept.language,
            "words": sorted({*kept.words, *places}),
            "landed": [[key, round(weight, 3)] for key, weight in kept.landed],
            "cited": [list(place) for place in kept.cited],
            "text": kept.text,
            "sources": sorted(set(kept.sources)),
        },
    )
    if not made:
        row.vectors.all().delete()


@receiver(tape_signals.erased, dispatch_uid="recollections")
def forget(*, topic_ids: Sequence[int], using: str, **_: Any) -> None:
    """Drop what erased topics are recalled by, with their vectors (T19)."""
    rows = Recollection.objects.using(using).filter(topic__in=topic_ids)
    rows.delete()


def recallable(visible: QuerySet[Topic], readable: frozenset[int]) -> QuerySet[Topic]:
    """The finished ones of these topics whose every word may be read."""
    return visible.exclude(status=TopicStatus.OPEN).filter(
        recollection__sources__contained_by=sorted(readable),
        sources__contained_by=sorted(readable),
    )


def near(topics: QuerySet[Topic], asked: Asked, *, least: float, limit: int) -> list[Near]:
    """The nearest of these topics, best first, none below the score `least`."""
    scored = _scored(topics, asked)
    best = sorted(scored.items(), key=lambda one: (-one[1], -one[0]))[:limit]
    kept = [(topic_id, score) for topic_id, score in best if score >= least]
    rows = topics.in_bulk([topic_id for topic_id, _ in kept])
    return [Near(topic=rows[one], score=round(score, 3)) for one, score in kept if one in rows]


def _scored(topics: QuerySet[Topic], asked: Asked) -> dict[int, float]:
    met = _met(topics, asked)
    count = topics.count() + BESIDE
    worded = _by_words(met, asked, count)
    rough = {one: worded.get(one, 0.0) + _keys(words) for one, words in met.items()}
    top = sorted(rough, key=lambda one: (-rough[one], -one))[:LOOKED_AT]
    rows = Recollection.objects.filter(topic__in={*top, *asked.meant})
    return {
        row.pk: max(
            worded.get(row.pk, 0.0)
            + LANDING * _landing(row.landed, asked.landed)
            + CITED * _citing(row.cited, asked.places),
            MEANING * asked.meant.get(row.pk, 0.0),
        )
        for row in rows
    }


def _met(topics: QuerySet[Topic], asked: Asked) -> dict[int, list[str]]:
    """What each topic has of what is asked for; only the fullest where there are many."""
    terms = asked.terms
    array = ArrayField(TextField())
    both = Func(
        F("recollection__words"),
        Value(terms, output_field=array),
        template="ARRAY(SELECT unnest(%(expressions)s))",
        arg_joiner=") INTERSECT SELECT unnest(",
        output_field=array,
    )
    found = topics.filter(recollection__words__overlap=terms).annotate(met=both)
    fullest = found.order_by(Func(F("met"), function="cardinality").desc(), "-pk")
    return dict(fullest.values_list("pk", "met")[:MOST_CANDIDATES])


def _by_words(met: Mapping[int, Iterable[str]], asked: Asked, count: int) -> dict[int, float]:
    """The share of the question's words that each topic has, the rarer the more."""
    held: dict[int, dict[str, float]] = {}
    for topic_id, words in met.items():
        own = {word: 1.0 for word in words if word[0] not in WEAK + AT}
        weak = {word[1:]: WEAK_WEIGHT for word in words if word[0] == WEAK}
        held[topic_id] = weak | own
    seen = Counter(term for terms in held.values() for term in terms)
    rarity = {term: math.log(1 + (count - n + 0.5) / (n + 0.5)) for term, n in seen.items()}
    most = math.log(1 + (count + 0.5) / 0.5) * sum(weight for weight, _ in asked.words)
    return {
        topic_id: sum(
            weight
            * max((x * own[t] * rarity[t] for t, x in terms.items() if t in own), default=0.0)
            for weight, terms in asked.words
        )
        / max(most, 1e-9)
        for topic_id, own in held.items()
    }


def _keys(words: Iterable[str]) -> float:
    return 0.05 * sum(word[0] == AT for word in words)


def _landing(one: Iterable[Sequence[Any]], other: Iterable[Sequence[Any]]) -> float:
    """How alike two lists of places are: 1 where they are the same in the same order."""
    left, right = ({str(key): float(weight) for key, weight in each} for each in (one, other))
    together = sum(weight * right[key] for key, weight in left.items() if key in right)
    lengths = [math.sqrt(sum(weight**2 for weight in each.values())) for each in (left, right)]
    return together / (lengths[0] * lengths[1]) if all(lengths) else 0.0


def _citing(cited: Iterable[Sequence[Any]], places: Sequence[Place]) -> float:
    """How high a place stands that an answer of the topic cites: 1 for the first."""
    best = 0.0
    for repository, path, first, last in cited:
        for rank, (other, file, start, end) in enumerate(places):
            if (repository, path) == (other, file):
                share = 1.0 if start <= last and first <= end else SAME_FILE
                best = max(best, share * by_rank(rank))
    return best


def by_rank(rank: int) -> float:
    """What a place counts by its rank, from 0."""
    return FALLS / (FALLS + rank)
