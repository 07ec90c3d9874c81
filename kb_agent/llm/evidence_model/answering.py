"""Writes the evidence model's answer: where it lands, what stands there, why it matches."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from kb_agent.llm.evidence_model import quoting, rewording, wording

if TYPE_CHECKING:
    from kb_agent.llm.evidence_model.reading import Match, Place, Reading, Search
    from kb_agent.llm.evidence_model.wording import Words

RELATED = 4
REASONS = 3
_DOCUMENTS = (".md", ".rst", ".txt", ".adoc")
# A rewording counts less than the question itself, prose less than code.
_REWORDING_WEIGHT = 0.6
_DOCUMENT_WEIGHT = 0.4


def write(state: Reading) -> str:
    """The answer, in the asker's language, from what the tools have shown."""
    words = wording.ENGLISH if rewording.language(state.question) == "en" else wording.CHINESE
    places = best_places(state)
    if not places or _fits_nothing(state, places):
        return _not_found(state, words)
    leading = _leading_search(state)
    rivals = _rivals(leading, places)
    if rivals:
        return _asking_back(rivals, words)
    return _found(state, leading, places, words)


def best_places(state: Reading) -> list[Place]:
    """Every place found, best first: reciprocal ranks of the searches are added up."""
    scores: defaultdict[str, float] = defaultdict(float)
    places: dict[str, Place] = {}
    for number, search in enumerate(state.searches):
        weight = _REWORDING_WEIGHT if number else 1.0
        for rank, place in enumerate(search.places, start=1):
            prose = _DOCUMENT_WEIGHT if place.path.lower().endswith(_DOCUMENTS) else 1.0
            scores[place.id] += weight * prose / rank
            places.setdefault(place.id, place)
    return sorted(places.values(), key=lambda place: -scores[place.id])


def _fits_nothing(state: Reading, places: list[Place]) -> bool:
    """A question of several words of which the best place shares one at most is not met."""
    asked = rewording.keywords(state.question)
    certain = any(search.certainty in {"high", "medium"} for search in state.searches)
    met = {match.query.lower() for place in places[:3] for match in place.matches}
    return not certain and len(asked) >= 3 and len(met) <= 1


def _leading_search(state: Reading) -> Search:
    """The search whose routing is told: the question's own, unless it landed nowhere."""
    return next((search for search in state.searches if search.repository), state.searches[0])


def _rivals(leading: Search, places: list[Place]) -> list[Place]:
    """The best place of each of two systems that fit equally well, or nothing."""
    if leading.certainty != "low" or not leading.runner_up:
        return []
    firsts = [
        next((place for place in places if place.repository == name), None)
        for name in (leading.repository, leading.runner_up)
    ]
    return [place for place in firsts if place] if all(firsts) else []


def _found(state: Reading, leading: Search, places: list[Place], words: Words) -> str:
    first = _read(state, places[0])
    asked = rewording.keywords(state.question) + [match.code for match in first.matches]
    said = quoting.said(first, asked)
    head = words.lands_saying if said else words.lands
    parts = [
        head.format(
            where=_where(first, words), repository=first.repository, said=said, id=first.id
        ),
        _certainty(leading, first, words),
        _values(first, words),
        quoting.fenced(first, asked),
    ]
    parts += _related(state, first, places[1:], words)
    return "\n\n".join([*(part for part in parts if part), words.by_rule])


def _read(state: Reading, place: Place) -> Place:
    """The place with the lines that were read of it, under the id of the reading."""
    for read in state.reads:
        same_file = (read.repository, read.path) == (place.repository, place.path)
        if same_file and read.start <= place.start <= read.end:
            read.symbol, read.matches = place.symbol, place.matches
            return read
    return place


def _certainty(leading: Search, first: Place, words: Words) -> str:
    certainty = leading.certainty if leading.repository == first.repository else "low"
    reasons = _reasons(first.matches or leading.reasons, words)
    line = words.certainty[certainty or "low"]
    return (
        line.format(reasons=reasons)
        if reasons
        else line.partition("{")[0].rstrip(" :：") + words.stop
    )


def _values(place: Place, words: Words) -> str:
    values = words.comma.join(f"`{constant}`" for constant in quoting.constants(place))
    return words.values.format(values=values) if values else ""


def _reasons(matches: list[Match], words: Words) -> str:
    told: dict[str, None] = {}
    for match in matches:
        same = match.query.lower() == match.code.lower()
        told[(words.same if same else words.means).format(query=match.query, code=match.code)] = (
            None
        )
    return words.comma.join(list(told)[:REASONS])


def _related(state: Reading, first: Place, places: list[Place], words: Words) -> list[str]:
    read = [_read(state, place) for place in places[:RELATED]]
    several = len({place.repository for place in [first, *read]}) > 1
    lines = [
        f"- {place.repository + words.colon if several else ''}{_where(place, words)} [{place.id}]"
        for place in read
    ]
    return [words.related + "\n\n" + "\n".join(dict.fromkeys(lines))] if lines else []


def _where(place: Place, words: Words) -> str:
    symbol = f"`{place.symbol}`" if place.symbol else ""
    return (words.symbol_at if symbol else words.at).format(
        symbol=symbol, path=f"{place.path}", start=place.start, end=place.end
    )


def _asking_back(rivals: list[Place], words: Words) -> str:
    first, second = rivals
    lines = [
        f"- **{place.repository}**{words.colon}{_where(place, words)} [{place.id}]"
        for place in rivals
    ]
    question = words.asks_back.format(first=first.repository, second=second.repository)
    return "\n\n".join([question, "\n".join(lines), words.by_rule])


def _not_found(state: Reading, words: Words) -> str:
    tried = words.comma.join(
        dict.fromkeys(words.quoted.format(text=search.query) for search in state.searches)
    )
    return "\n\n".join([words.not_found, words.tried.format(tried=tried), words.rule_only])
