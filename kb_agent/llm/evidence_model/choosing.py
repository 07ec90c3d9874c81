"""Chooses among what was found: which place is best, whether anything fits, which system is meant."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

from kb_agent.llm.evidence_model import narrowing, rewording

if TYPE_CHECKING:
    from kb_agent.llm.evidence_model.places import Place
    from kb_agent.llm.evidence_model.reading import Reading, Search

# Reciprocal ranks are flattened by this much, so that a place second in both searches can win.
_FLATTENED = 2
# A rewording counts less than the question itself.
_REWORDING_WEIGHT = 0.6
OPENED = 3
# What a place is worth that meets none of the words; one that meets all of them is worth one more.
LEAST_WORTH = 0.2


def best_places(state: Reading) -> list[Place]:
    """Every place found, best first: reciprocal ranks of the searches are added up."""
    scores: defaultdict[str, float] = defaultdict(float)
    found: dict[str, Place] = {}
    for number, search in enumerate(state.searches):
        weight = _REWORDING_WEIGHT if number else 1.0
        for rank, place in enumerate(search.places, start=1):
            scores[place.id] += weight / (rank + _FLATTENED)
            found.setdefault(place.id, place)
    return sorted(found.values(), key=lambda place: -scores[place.id])


def unmet(state: Reading, place: Place) -> list[str]:
    """What was looked for and not met in a place."""
    looked_for = [part.partition(" → ")[0] for part in leading_search(state).tried.split("; ")]
    met = {match.query for match in place.matches}
    return [word for word in looked_for if word and word not in met and len(word) > 1]


def fits_nothing(state: Reading, places: list[Place]) -> bool:
    """True when nothing was found, or every search took what it found for no answer."""
    return not places or all(search.doubtful for search in state.searches if search.places)


def certainty(state: Reading, places: list[Place]) -> str:
    """How sure the landing is: high, medium or low."""
    leading = leading_search(state)
    agree = leading.repository == places[0].repository
    return leading.certainty if agree and leading.certainty else "low"


def leading_search(state: Reading) -> Search:
    """The search whose routing is told: the first that landed and did not doubt, else the first that landed."""
    landed = [search for search in state.searches if search.repository]
    sure = [search for search in landed if not search.doubtful]
    return next(iter([*sure, *landed]), state.searches[0])


def rivals(state: Reading, places: list[Place]) -> list[Place]:
    """The best place of each of two systems that fit equally well, or nothing.

    Nobody is asked twice, nor when the question names one of the two, nor when one of them meets more of its words.
    """
    leading = leading_search(state)
    if not leading.tied or not leading.runner_up or state.choice_made or state.repository:
        return []
    names = (leading.repository, leading.runner_up)
    if sum(_named(name, state.question) for name in names) == 1:
        return []
    first, second = (_best_of(name, places) for name in names)
    if first is None or second is None or _met(first) != _met(second):
        return []
    return [first, second]


def _best_of(repository: str, places: list[Place]) -> Place | None:
    return next((place for place in places if place.repository == repository), None)


def _met(place: Place) -> int:
    return len({match.query for match in place.matches})


def _named(repository: str, question: str) -> bool:
    name = re.sub(r"[_-]+", " ", repository.casefold())
    folded = re.sub(r"[\s_-]+", " ", question.casefold())
    return re.search(rf"(?<![a-z0-9]){re.escape(name)}(?![a-z0-9])", folded) is not None


def as_read(state: Reading, place: Place) -> Place:
    """The place with the lines that were read of it, under the id of the reading."""
    for read in state.reads:
        same_file = (read.repository, read.path) == (place.repository, place.path)
        if same_file and read.start <= place.start <= read.end and read.lines:
            read.symbol, read.matches = place.symbol, place.matches
            return read
    return place


def deciding(state: Reading, places: list[Place]) -> list[Place]:
    """The same places, first the one whose deciding lines meet most of the question, of those that were opened.

    How much they meet is weighed against their rank: the first is only passed by one that says clearly more.
    """
    opened = [place for place in places if as_read(state, place) is not place][:OPENED]
    if not opened:
        return places
    best = max(opened, key=lambda place: _worth(state, place) / (places.index(place) + _FLATTENED))
    return [best, *(place for place in places if place is not best)]


def _worth(state: Reading, place: Place) -> float:
    whole = as_read(state, place)
    asked = narrowing.asked_words(state.question, whole)
    return LEAST_WORTH + narrowing.covered(whole, stretch(state, whole), asked)


def stretch(state: Reading, place: Place) -> tuple[int, int]:
    """The lines of a place that decide."""
    asked = narrowing.asked_words(state.question, place)
    measured = rewording.asks_how_much(state.question)
    return narrowing.stretch(place, asked, measured=measured)


def decisive(state: Reading, place: Place) -> Place:
    """What decides in a place, under the id of exactly these lines where they were opened."""
    whole = as_read(state, place)
    if whole is place:
        return place
    first, last = stretch(state, whole)
    for read in state.reads:
        if (read.repository, read.path, read.start, read.end) == (
            *(place.repository, place.path),
            *(first, last),
        ):
            read.symbol, read.matches = place.symbol, place.matches
            return read
    return whole
