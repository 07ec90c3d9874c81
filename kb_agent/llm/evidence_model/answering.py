"""Writes the evidence model's answer: where it lands, what stands there, why it matches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kb_agent.llm.evidence_model import choosing, quoting, rewording, wording

if TYPE_CHECKING:
    from kb_agent.llm.evidence_model.reading import Match, Place, Reading
    from kb_agent.llm.evidence_model.wording import Words

RELATED = 4
REASONS = 3


def write(state: Reading) -> str:
    """The answer, in the asker's language, from what the tools have shown."""
    words = wording.ENGLISH if rewording.language(state.question) == "en" else wording.CHINESE
    if state.searches and all(search.failed for search in state.searches):
        return f"{words.search_failed}\n\n{words.rule_only}"
    places = choosing.best_places(state)
    if choosing.fits_nothing(state, places):
        return _not_found(state, words)
    rivals = choosing.rivals(choosing.leading_search(state), places)
    return _asking_back(rivals, words) if rivals else _found(state, places, words)


def _found(state: Reading, places: list[Place], words: Words) -> str:
    first = choosing.as_read(state, places[0])
    asked = rewording.keywords(state.question) + [match.code for match in first.matches]
    said = quoting.said(first, asked, measured=rewording.asks_how_much(state.question))
    head = words.lands_saying if said else words.lands
    where = _where(first, words)
    parts = [
        head.format(where=where, repository=first.repository, said=said, id=first.id),
        _certainty(state, places, words),
        _values(state, first, words),
        quoting.fenced(first, asked),
        _related(state, places, words),
        words.by_rule,
    ]
    return "\n\n".join(part for part in parts if part)


def _certainty(state: Reading, places: list[Place], words: Words) -> str:
    """How sure, the words that met, and where it is not sure those that did not."""
    leading, first = choosing.leading_search(state), places[0]
    doubtful = choosing.mostly_unmet(state, places) or leading.repository != first.repository
    certainty = "low" if doubtful else leading.certainty or "low"
    reasons = _reasons(first.matches or leading.reasons, words)
    missing = words.comma.join(
        words.quoted.format(text=word) for word in choosing.unmet(state, places)
    )
    told = [words.certainty[certainty].format(reasons=reasons or words.no_reason)]
    if missing and certainty == "low":
        told.append(words.missing.format(words=missing))
    return words.space.join(told)


def _values(state: Reading, place: Place, words: Words) -> str:
    """The values set in a place, and those it uses from elsewhere, with where these are set."""
    values = [f"`{constant}`" for constant in quoting.constants(place)]
    for name, found in state.looked_up.items():
        settings = (
            f"`{constant}` [{other.id}]"
            for other in found
            for constant in quoting.constants(other)
            if constant.startswith(f"{name} ")
        )
        values += [setting for setting in [next(settings, "")] if setting]
    return words.values.format(values=words.comma.join(values)) if values else ""


def _reasons(matches: list[Match], words: Words) -> str:
    told: dict[str, None] = {}
    for match in matches:
        same = match.query.lower() == match.code.lower()
        told[(words.same if same else words.means).format(query=match.query, code=match.code)] = (
            None
        )
    return words.comma.join(list(told)[:REASONS])


def _related(state: Reading, places: list[Place], words: Words) -> str:
    first, leading = places[0], choosing.leading_search(state)
    chosen = choosing.related(leading, first, places)[:RELATED]
    several = len({place.repository for place in [first, *chosen]}) > 1
    lines = [
        f"- {place.repository + words.colon if several else ''}{_where(place, words)} [{place.id}]"
        for place in (choosing.as_read(state, place) for place in chosen)
    ]
    return f"{words.related}\n\n" + "\n".join(dict.fromkeys(lines)) if lines else ""


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
