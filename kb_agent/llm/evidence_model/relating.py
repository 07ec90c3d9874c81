"""Finds what stands around the deciding place: who calls it, what tries it, where people read of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kb_agent.llm.evidence_model import choosing, narrowing

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kb_agent.llm.evidence_model.places import Place
    from kb_agent.llm.evidence_model.reading import Reading

CALLERS, TESTS, TEXTS, SETTINGS, OTHERS = 3, 2, 2, 2, 3


@dataclass
class Related:
    """Places by what they are to the deciding one, each once."""

    callers: list[Place] = field(default_factory=list)
    settings: list[Place] = field(default_factory=list)
    texts: list[Place] = field(default_factory=list)
    tests: list[Place] = field(default_factory=list)
    others: list[Place] = field(default_factory=list)


def of(state: Reading, first: Place, places: list[Place]) -> Related:
    """What is related to `first`: uses of its name, then the further places of the search."""
    found = Related()
    seen: list[Place] = [first]
    for place in _uses(state, first):
        if place.kind == "use" and place.role == "test":
            _take(found.tests, place, seen, TESTS)
        elif place.kind == "use":
            _take(found.callers, place, seen, CALLERS)
    sure = choosing.leading_search(state).certainty == "high"
    for place in places:
        if sure and place.repository != first.repository:
            continue
        kept, most = {
            "test": (found.tests, TESTS),
            "text": (found.texts, TEXTS),
            "setting": (found.settings, SETTINGS),
        }.get(place.role, (found.others, OTHERS))
        _take(kept, place, seen, most)
    return found


def _uses(state: Reading, first: Place) -> Iterable[Place]:
    name = name_of(first)
    return [each for each in state.looked_up.get(name, []) if each.kind != "definition"]


def name_of(place: Place) -> str:
    """The last part of the name of what a place defines: what callers write."""
    return narrowing.named_at(place, place.start, place.end).rpartition(".")[2]


def _take(kept: list[Place], place: Place, seen: list[Place], most: int) -> None:
    """Keep a place unless its lines are told already; of a file only one."""
    if len(kept) < most and not any(
        place.overlaps(other) or (place.path == other.path and other in kept) for other in seen
    ):
        kept.append(place)
        seen.append(place)
