"""Chooses among what was found: which places are best, whether they fit at all, which system is meant."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

from kb_agent.llm.evidence_model import rewording

if TYPE_CHECKING:
    from kb_agent.llm.evidence_model.reading import Place, Reading, Search

# Reciprocal ranks are flattened by this much, so that a place second in both searches can win.
_FLATTENED = 2
# A rewording counts less than the question itself; prose, and the head of a file, less than code.
_REWORDING_WEIGHT = 0.6
_DOCUMENT_WEIGHT = 0.4
_HEAD_WEIGHT = 0.5
_HEAD_LINES = 15
_DOCUMENTS = (".md", ".rst", ".txt", ".adoc")
_NO_RULE = re.compile(
    r"(^|/)(tests?|spec|fixtures?|data)/|(^|/)test_|\.(json|ya?ml|toml|lock|csv)$"
)
_STEM = 4


def best_places(state: Reading) -> list[Place]:
    """Every place found, best first: reciprocal ranks of the searches are added up."""
    scores: defaultdict[str, float] = defaultdict(float)
    places: dict[str, Place] = {}
    for number, search in enumerate(state.searches):
        weight = _REWORDING_WEIGHT if number else 1.0
        for rank, place in enumerate(search.places, start=1):
            scores[place.id] += weight * _worth(place) / (rank + _FLATTENED)
            places.setdefault(place.id, place)
    return sorted(places.values(), key=lambda place: -scores[place.id])


def _worth(place: Place) -> float:
    if place.path.lower().endswith(_DOCUMENTS):
        return _DOCUMENT_WEIGHT
    if not place.symbol and place.start == 1 and place.end <= _HEAD_LINES:
        return _HEAD_WEIGHT
    return 1.0


def unmet(state: Reading, places: list[Place]) -> list[str]:
    """The question's words that none of the best places has met."""
    met = {match.query.lower() for place in places[:3] for match in place.matches}
    return [word for word in rewording.keywords(state.question) if not _meets(word.lower(), met)]


def _meets(word: str, met: set[str]) -> bool:
    """Whether a word, part of it or its stem was met: 会员积分 by 积分, retried by retry."""
    pairs = (
        {word[at : at + 2] for at in range(len(word) - 1)} if word > "\u3400" else {word[:_STEM]}
    )
    return any(pair in other for pair in pairs for other in met)


def fits_nothing(state: Reading, places: list[Place]) -> bool:
    """True when nothing was found, or only by chance: few of the words, or in no place with rules."""
    if not places or all(search.doubtful for search in state.searches if search.places):
        return True
    if certain(state):
        return False
    return mostly_unmet(state, places) or all(_NO_RULE.search(place.path) for place in places[:3])


def mostly_unmet(state: Reading, places: list[Place]) -> bool:
    """True when at least half of several words were met nowhere."""
    asked = rewording.keywords(state.question)
    return len(asked) > 1 and len(unmet(state, places)) * 2 >= len(asked)


def certain(state: Reading) -> bool:
    """Whether any search was sure of where it landed."""
    return any(search.certainty in {"high", "medium"} for search in state.searches)


def leading_search(state: Reading) -> Search:
    """The search whose routing is told: the question's own, unless it landed nowhere."""
    return next((search for search in state.searches if search.repository), state.searches[0])


def rivals(leading: Search, places: list[Place]) -> list[Place]:
    """The best place of each of two systems that fit equally well, or nothing."""
    if leading.certainty != "low" or not leading.runner_up:
        return []
    firsts = [
        next((place for place in places if place.repository == name), None)
        for name in (leading.repository, leading.runner_up)
    ]
    return [place for place in firsts if place] if all(firsts) else []


def related(leading: Search, first: Place, places: list[Place]) -> list[Place]:
    """The places beside the first; those of other systems only where the landing is not sure."""
    others = [place for place in places if place.id != first.id]
    if leading.certainty == "low":
        return others
    return [place for place in others if place.repository == first.repository]


def as_read(state: Reading, place: Place) -> Place:
    """The place with the lines that were read of it, under the id of the reading."""
    for read in state.reads:
        same_file = (read.repository, read.path) == (place.repository, place.path)
        if same_file and read.start <= place.start <= read.end:
            read.symbol, read.matches = place.symbol, place.matches
            return read
    return place
