"""Decides which repository a question lands in, says why and how sure that is (C6)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kb_agent.repositories import terms
from kb_agent.repositories.models import Branch, Repository

if TYPE_CHECKING:
    from kb_agent.repositories.search.places import Place
    from kb_agent.repositories.search.ranking import Part
    from kb_agent.repositories.search.why import Match
    from kb_agent.repositories.vocabulary.questions import Concept

# How near the second comes. Of the benchmark company's 212 questions the first was right below CLEAR in 97 of 100, up to
# CLOSE in 84, above it in 60; above TIED the first in 58 and the second in 29.
CLEAR, CLOSE, TIED = 0.75, 0.87, 0.95
COUNTED = (1.0, 0.4, 0.2)
# What speaks for a repository, as shares of a file's score: its use of the words, its name, its description.
FIT, NAMED, DESCRIBED = 0.01, 0.1, 0.5
# A rare word of a description tells as much as it can; few words in common are no full agreement.
TELLING, LEAST_AGREEMENT = 4.0, 3.0


@dataclass(frozen=True)
class Routing:
    """The repository a question lands in; `runner_up` is named when it comes close."""

    repository_id: int
    repository: str
    certainty: str
    reason: list[Match]
    runner_up: str | None
    tied: bool = False
    """Two repositories fit about equally: ask which is meant."""


def route(
    places: Sequence[Place],
    branches: Mapping[int, Branch],
    *,
    met: float,
    reason: list[Match],
    found: bool = True,
) -> Routing | None:
    """Where the best places lie; None when nothing was found. The first met a share `met` of the words, for `reason`.

    What hardly answers the question (`found` is False) lands nowhere for sure.
    """
    if not places:
        return None
    scores: dict[int, list[float]] = {}
    for place in places:
        scores.setdefault(place.branch_id, []).append(place.score)
    total = {
        branch: sum(value * share for value, share in zip(values, COUNTED, strict=False))
        for branch, values in scores.items()
    }
    top = places[0].branch_id
    rest = sorted((branch for branch in total if branch != top), key=lambda branch: -total[branch])
    nearness = total[rest[0]] / total[top] if rest else 0.0
    repository = branches[top].repository
    return Routing(
        repository.pk,
        repository.name,
        _certainty(nearness, met=met) if found else "low",
        reason,
        branches[rest[0]].repository.name if rest and nearness > CLEAR else None,
        tied=found and nearness > TIED,
    )


def _certainty(nearness: float, *, met: float) -> str:
    """High, medium or low; a place that met next to nothing is no sure sign."""
    if nearness > CLOSE or not met:
        return "low"
    return "medium" if nearness > CLEAR else "high"


def bonus(
    asked: Sequence[Concept], parts: Sequence[Part], fits: Mapping[int, float]
) -> dict[int, float]:
    """What speaks for each repository: how its code uses the words, its name, what its owner says of it."""
    rows = Repository.objects.filter(pk__in=list(fits)).order_by("pk")
    said = ("description_zh", "description_en", "description_drafted")
    texts = list(rows.values_list("pk", "name", *said))
    rarity = {part.concept.query: part.rarity for part in parts}
    named = _agreements(asked, rarity, [name.replace("-", " ") for _, name, *_ in texts])
    described = _agreements(asked, rarity, [_told(*row[2:]) for row in texts])
    best = max(fits.values(), default=0.0)
    return {
        pk: FIT * (fits.get(pk, best) - best) + NAMED * name + DESCRIBED * description
        for (pk, *_), name, description in zip(texts, named, described, strict=True)
    }


def _told(zh: str, en: str, drafted: bool) -> str:  # noqa: FBT001
    """What a person says of a repository; a draft from its code tells nothing that its code does not."""
    return "" if drafted else f"{zh}\n{en}"


def _agreements(
    concepts: Sequence[Concept], rarity: Mapping[str, float], texts: Sequence[str]
) -> list[float]:
    """How well each text meets the question, 0 to 1; a word that stands in few texts tells more."""
    folded = [terms.fold(text) for text in texts]
    held = [set(terms.count(text)) for text in folded]
    total = [0.0] * len(texts)
    for concept in concepts:
        met = [_meets(concept, text, have) for text, have in zip(folded, held, strict=True)]
        if any(met):
            tells = math.log(1 + len(texts) / sum(met)) * min(
                1.0, rarity.get(concept.query, TELLING) / TELLING
            )
            total = [value + each * tells for value, each in zip(total, met, strict=True)]
    best = max(LEAST_AGREEMENT, *total) if total else 1.0
    return [value / best for value in total]


def _meets(concept: Concept, text: str, held: set[str]) -> float:
    if concept.chinese and concept.query in text:
        return 1.0
    ascii_terms = (weight for term, weight in concept.terms if term.isascii() and term in held)
    return max(ascii_terms, default=0.0)
