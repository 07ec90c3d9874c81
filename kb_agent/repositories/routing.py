"""Decides which repository a question lands in, says why and how sure that is (C6)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kb_agent.repositories import terms
from kb_agent.repositories.models import Branch, Repository

if TYPE_CHECKING:
    from kb_agent.repositories.questions import Group
    from kb_agent.repositories.ranking import Scored
    from kb_agent.repositories.why import Match

# Found in a trial: when the second scores above nine tenths of the first, either may be meant.
CLOSE = 0.9
CLEAR = 0.7
COUNTED = (1.0, 0.4, 0.2)
DESCRIPTION_BOOST = 0.5


@dataclass(frozen=True)
class Routing:
    """The repository a question lands in; `runner_up` is named when it comes close."""

    repository_id: int
    repository: str
    certainty: str
    reason: list[Match]
    runner_up: str | None


def route(
    places: list[Scored], branches: dict[int, Branch], *, asked: int, reason: list[Match]
) -> Routing | None:
    """Where the best places lie; None when nothing was found. `reason` is why the first place matched."""
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
        _certainty(nearness, met=len(places[0].shares), asked=asked),
        reason,
        branches[rest[0]].repository.name if rest and nearness > CLEAR else None,
    )


def _certainty(nearness: float, *, met: int, asked: int) -> str:
    """High, medium or low; a place that met one word of many is no sure sign."""
    if nearness > CLOSE or met < 2 <= asked:
        return "low"
    return "medium" if nearness > CLEAR else "high"


def boosts(repositories: Iterable[int], groups: Sequence[Group]) -> dict[int, float]:
    """How much a repository's name and one-line description speak for it: a factor each, 1 for no word in common."""
    found: dict[int, float] = {}
    rows = Repository.objects.filter(pk__in=list(repositories))
    for pk, *texts in rows.values_list("pk", "name", "description_zh", "description_en"):
        known = set(terms.count(" ".join(texts).replace("-", " ")))
        met = sum(group.weight for group in groups if known & group.terms.keys())
        found[pk] = 1.0 + DESCRIPTION_BOOST * met / (met + 2.0) if met else 1.0
    return found
