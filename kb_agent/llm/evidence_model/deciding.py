"""Decides the evidence model's next step: search, read, look around, or answer."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from kb_agent.llm.evidence_model import (
    answering,
    choosing,
    narrowing,
    quoting,
    reading,
    rewording,
)
from kb_agent.llm.protocol import Call, Completed, Piece, Request, TextDelta, Usage

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kb_agent.llm.evidence_model.places import Place
    from kb_agent.llm.evidence_model.reading import Reading

LINES_READ = 110
QUERY_CHARS = 1_000
# A question of so few words leans on the one before it: the two are searched together.
FOLLOW_UP_WORDS = 2
# Names that say nothing by themselves: whoever uses them uses something else.
COMMON_NAMES = {"__init__", "clean", "save", "get", "post", "run", "handle", "setup", "main"}


def stream(request: Request) -> Iterator[Piece]:
    """Answer a request by rule; tokens are none, since no provider is asked."""
    state = reading.read(request.messages)
    calls = _next_calls(state, offered=_offered(request))
    text = "" if calls else answering.write(state)
    for offset, piece in _pieces(text):
        yield TextDelta(offset, piece)
    yield Completed(
        content=text,
        calls=tuple(calls),
        usage=Usage(),
        finish_reason="tool_calls" if calls else "stop",
        model="evidence",
    )


def _offered(request: Request) -> set[str]:
    if request.tool_choice == "none":
        return set()
    return {tool["function"]["name"] for tool in request.tools}


def _next_calls(state: Reading, *, offered: set[str]) -> list[Call]:
    pending = _unsearched(state)
    if "search_code" in offered and pending:
        return [_search(pending, state)]
    places = choosing.best_places(state)
    if choosing.fits_nothing(state, places):
        again = _second_try(state)
        return [again] if "search_code" in offered and again else []
    if "read_lines" not in offered or choosing.rivals(state, places):
        return []
    if state.rounds == 0:
        return [_opening(place, place.start, place.end) for place in places[: choosing.OPENED]]
    if state.rounds == 1:
        return _looking_around(state, choosing.deciding(state, places), offered)
    return []


def _looking_around(state: Reading, places: list[Place], offered: set[str]) -> list[Call]:
    """Open exactly what decides in each place, see who uses the first, and look up the values it takes from elsewhere."""
    opened = [
        (place, choosing.stretch(state, whole))
        for place in places[: choosing.OPENED]
        if (whole := choosing.as_read(state, place)) is not place
    ]
    calls = [_opening(place, *lines) for place, lines in opened]
    if "find_symbol" not in offered or not opened:
        return calls
    first, (start, end) = opened[0]
    whole = choosing.as_read(state, first)
    decided = {number: line for number, line in whole.lines.items() if start <= number <= end}
    name = narrowing.named_at(whole, start, end).rpartition(".")[2]
    return calls + [
        _call("find_symbol", number, name=each, repository=first.repository)
        for number, each in enumerate(dict.fromkeys([*quoting.set_elsewhere(whole, decided), name]))
        if each and each not in COMMON_NAMES
    ]


def _unsearched(state: Reading) -> str:
    """What was asked and is in no query yet: the question, later what was added to it."""
    tried = [search.query for search in state.searches]
    return "\n".join(
        text
        for text in state.asked
        if text and not any(text[:QUERY_CHARS] in query for query in tried)
    )


def _search(pending: str, state: Reading) -> Call:
    """The question word for word; one that leans on what was asked before, together with that."""
    before = state.asked[0] if state.searches else state.earlier
    queries = [pending[:QUERY_CHARS]]
    if before and len(rewording.keywords(pending)) <= FOLLOW_UP_WORDS:
        queries.insert(0, f"{before} {pending}"[:QUERY_CHARS])
        queries = queries[: 1 if pending[:QUERY_CHARS] in queries[0] else 2]
    return _searching(queries, state)


def _second_try(state: Reading) -> Call | None:
    """The question's own words without what is only said to ask, once."""
    if len(state.searches) != 1 or state.searches[0].failed:
        return None
    query = rewording.reworded(state.question)
    return _searching([query], state) if query and query not in state.searches[0].query else None


def _searching(queries: list[str], state: Reading) -> Call:
    within = {"repository": state.repository} if state.repository else {}
    return _call("search_code", len(state.searches), queries=queries, **within)


def _opening(place: Place, start: int, end: int) -> Call:
    return _call(
        "read_lines",
        f"{place.id}_{start}",
        repository=place.repository,
        path=place.path,
        start_line=start,
        end_line=min(end, start + LINES_READ - 1),
    )


def _call(tool: str, number: object, /, **arguments: object) -> Call:
    return Call(f"{tool}_{number}", tool, json.dumps(arguments, ensure_ascii=False))


def _pieces(text: str) -> Iterator[tuple[int, str]]:
    """The text a line at a time, so that it streams like any other model's."""
    for piece in re.finditer(r"[^\n]*\n+|[^\n]+\Z", text):
        yield piece.start(), piece[0]
