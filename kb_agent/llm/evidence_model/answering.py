"""Writes the evidence model's answer: where it lands, what decides, how sure, what stands around it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kb_agent.llm.evidence_model import (
    choosing,
    facts,
    narrowing,
    quoting,
    recalled,
    relating,
    rewording,
    wording,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kb_agent.llm.evidence_model.places import Match, Place
    from kb_agent.llm.evidence_model.reading import Reading
    from kb_agent.llm.evidence_model.wording import Words

REASONS, MISSING = 3, 4


def write(state: Reading) -> str:
    """The answer, in the asker's language, from what the tools have shown."""
    words = wording.ENGLISH if rewording.language(state.question) == "en" else wording.CHINESE
    if state.searches and all(search.failed for search in state.searches):
        return f"{words.search_failed}\n\n{words.rule_only}"
    places = choosing.best_places(state)
    nothing = choosing.fits_nothing(state, places)
    if state.facts:
        beside = [words.code_silent, words.rule_only] if nothing else [words.code_beside]
        found = [] if nothing else [_found(state, places, words)]
        return "\n\n".join([facts.told(state.facts, words), *beside, *found])
    if nothing:
        return _not_found(state, words)
    rivals = choosing.rivals(state, places)
    return _asking_back(state, rivals, words) if rivals else _found(state, places, words)


def _found(state: Reading, found: list[Place], words: Words) -> str:
    places = choosing.deciding(state, found)
    whole = choosing.as_read(state, places[0])
    first = choosing.decisive(state, places[0])
    asked = narrowing.asked_words(state.question, whole)
    lines = choosing.stretch(state, whole)
    parts = [
        _headline(state, places, first, words),
        _certainty(state, places, words),
        quoting.fenced(whole, *lines),
        _values(state, whole, lines, words),
        _related(state, first, places, asked, words),
        recalled.told(state.recalled, words),
        words.by_rule,
    ]
    return "\n\n".join(part for part in parts if part)


def _headline(state: Reading, places: list[Place], first: Place, words: Words) -> str:
    """The first sentence: what the code says of itself or sets there, else where it stands."""
    whole = choosing.as_read(state, places[0])
    asked = narrowing.asked_words(state.question, whole)
    measured = rewording.asks_how_much(state.question)
    start, end = choosing.stretch(state, whole)
    where = _where(first, words)
    told = {"where": where, "repository": first.repository, "id": first.id}
    said = quoting.said(whole, start, end, asked, measured=measured)
    if choosing.certainty(state, places) == "low":
        return (words.lands_near_saying if said else words.lands_near).format(said=said, **told)
    if said:
        return words.lands_saying.format(said=said, **told)
    if measured and (value := quoting.telling_value(whole, start, end, asked)):
        return words.lands_setting.format(value=value, **told)
    return words.lands.format(**told)


def _certainty(state: Reading, places: list[Place], words: Words) -> str:
    """How sure, the words that met, and where it is not sure those that did not."""
    leading, first = choosing.leading_search(state), places[0]
    certainty = choosing.certainty(state, places)
    reasons = _reasons(first.matches or leading.reasons, words)
    told = [words.certainty[certainty].format(reasons=reasons or words.no_reason)]
    missing = words.comma.join(
        words.quoted.format(text=word) for word in choosing.unmet(state, first)[:MISSING]
    )
    if missing and certainty == "low":
        told.append(words.missing.format(words=missing))
    if certainty != "high" and leading.runner_up and not state.repository:
        told.append(words.next_to_it.format(repository=leading.runner_up))
    return words.space.join(told)


def _values(state: Reading, place: Place, lines: tuple[int, int], words: Words) -> str:
    """The values set near what decides, and those it uses from elsewhere, with where these are set."""
    values = [f"`{constant}`" for constant in quoting.values_used(place, *lines)]
    decided = {
        number: line for number, line in place.lines.items() if lines[0] <= number <= lines[1]
    }
    for name in quoting.set_elsewhere(place, decided):
        settings = (
            f"`{constant}` [{other.id}]"
            for other in state.looked_up.get(name, [])
            for constant in quoting.constants(other)
            if constant.startswith(f"{name} ")
        )
        values += [setting for setting in [next(settings, "")] if setting]
    return words.values.format(values=words.comma.join(values)) if values else ""


def _reasons(matches: list[Match], words: Words) -> str:
    """What the question's words are in the code; those that stand there as they are in one clause."""
    # One character says little, where more was met.
    longer = [match for match in matches if len(match.query) > 1]
    met = {
        (match.query, match.code): match.query.lower() == match.code.lower()
        for match in longer or matches
    }
    told, same = [], []
    for (query, code), is_same in list(met.items())[:REASONS]:
        if is_same:
            same.append(words.quoted.format(text=query))
        else:
            told.append(words.means.format(query=query, code=code))
    if same:
        pattern = words.same if len(same) == 1 else words.same_several
        told.append(pattern.format(query=words.listed.join(same)))
    return words.comma.join(told)


def _related(
    state: Reading, first: Place, places: list[Place], asked: Sequence[str], words: Words
) -> str:
    """A list a kind: callers, settings, pages and texts, tests, and what else came close."""
    found = relating.of(state, first, places)
    lists = (
        (words.callers, found.callers),
        (words.settings, found.settings),
        (words.texts, found.texts),
        (words.tests, found.tests),
        (words.others, found.others),
    )
    return "\n\n".join(
        f"{title}\n\n"
        + "\n".join(_line(_shown(state, place), first, asked, words) for place in some)
        for title, some in lists
        if some
    )


def _shown(state: Reading, place: Place) -> Place:
    """A place of the search by what decides in it; one that a name led to as it is."""
    return place if place.kind else choosing.decisive(state, place)


def _line(place: Place, first: Place, asked: Sequence[str], words: Words) -> str:
    other = place.repository + words.colon if place.repository != first.repository else ""
    name = [relating.name_of(first)] if place.kind == "use" else asked
    shown = quoting.telling_line(place, name)
    quoted = f"{words.colon}`{shown}`" if shown else ""
    return f"- {other}{_where(place, words)}{quoted} [{place.id}]"


def _where(place: Place, words: Words) -> str:
    name = narrowing.named_at(place, place.start, place.end)
    symbol = f"`{name}`" if name else ""
    if place.start == place.end:
        pattern = words.symbol_at_line if symbol else words.at_line
    else:
        pattern = words.symbol_at if symbol else words.at
    return pattern.format(symbol=symbol, path=place.path, start=place.start, end=place.end)


def _asking_back(state: Reading, rivals: list[Place], words: Words) -> str:
    first, second = rivals
    about = choosing.leading_search(state).about
    lines = [
        words.speaks_for.format(
            repository=place.repository,
            about=words.in_brackets.format(text=said)
            if (said := _own(about, place, words))
            else "",
            reasons=_reasons(place.matches, words) or words.no_reason,
            where=_where(place, words),
            id=place.id,
        )
        for place in rivals
    ]
    question = words.asks_back.format(first=first.repository, second=second.repository)
    return "\n\n".join([question, "\n".join(lines), words.how_to_choose])


def _own(about: dict[str, str], place: Place, words: Words) -> str:
    """What its owner says of a system, in the asker's language where there are two."""
    parts = about.get(place.repository, "").split(" / ")
    fitting = [part for part in parts if rewording.language(part) == words.language]
    return quoting.plain((fitting or parts)[0])


def _not_found(state: Reading, words: Words) -> str:
    """That it is not here, what was looked for, and what the asker could do."""
    tried = [part for search in state.searches for part in search.tried.split("; ") if part]
    looked_for = words.comma.join(dict.fromkeys(map(quoting.plain, tried)))
    parts = [
        words.not_found,
        words.tried.format(tried=looked_for) if looked_for else "",
        recalled.told(state.recalled, words),
        words.could_do,
        words.rule_only,
    ]
    return "\n\n".join(part for part in parts if part)
