"""Decides which repository a question lands in, says why and how sure that is (C6)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kb_agent.repositories import terms
from kb_agent.repositories.models import Branch, Repository
from kb_agent.repositories.questions import Group
from kb_agent.repositories.ranking import Corpus, Scored
from kb_agent.repositories.why import Match, matches

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
    files: list[list[Scored]], branches: dict[int, Branch], groups: Sequence[Group], corpus: Corpus
) -> Routing | None:
    """Where the best files lie; None when nothing was found."""
    scores: dict[int, list[float]] = {}
    for places in files:
        scores.setdefault(places[0].branch_id, []).append(places[0].score)
    if not scores:
        return None
    total = {
        branch: sum(value * share for value, share in zip(values, COUNTED, strict=False))
        for branch, values in scores.items()
    }
    top = files[0][0].branch_id
    rest = sorted((branch for branch in total if branch != top), key=lambda branch: -total[branch])
    nearness = total[rest[0]] / total[top] if rest else 0.0
    certainty = "low" if nearness > CLOSE else ("medium" if nearness > CLEAR else "high")
    if len(files[0][0].shares) < 2 <= len(groups):
        certainty = "low"
    repository = branches[top].repository
    return Routing(
        repository.pk,
        repository.name,
        certainty,
        matches(files[0][0], groups, corpus, path="", symbol="")[:4],
        branches[rest[0]].repository.name if rest and nearness > CLEAR else None,
    )


def boosts(repositories: Iterable[int], groups: Sequence[Group]) -> dict[int, float]:
    """How much a repository's name and one-line description speak for it: a factor each, 1 for no word in common."""
    found: dict[int, float] = {}
    rows = Repository.objects.filter(pk__in=list(repositories))
    for pk, *texts in rows.values_list("pk", "name", "description_zh", "description_en"):
        known = set(terms.count(" ".join(texts).replace("-", " ")))
        met = sum(group.weight for group in groups if known & group.terms.keys())
        found[pk] = 1.0 + DESCRIPTION_BOOST * met / (met + 2.0) if met else 1.0
    return found
