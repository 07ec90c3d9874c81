"""Decides the evidence model's next step: search, read, or answer."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from kb_agent.llm.evidence_model import answering, choosing, quoting, reading, rewording
from kb_agent.llm.protocol import Call, Completed, Piece, Request, TextDelta, Usage

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kb_agent.llm.evidence_model.reading import Place, Reading

PLACES_READ = 3
LINES_READ = 80
QUERY_CHARS = 300
# A question of so few words leans on the one before it: the two together are searched first.
FOLLOW_UP_WORDS = 2


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
        return _searches(pending, state)
    if "read_lines" in offered and not state.has_read:
        return [_reading_of(place) for place in choosing.best_places(state)[:PLACES_READ]]
    if "find_symbol" in offered and not state.looked_up:
        return _look_ups(state)
    return []


def _look_ups(state: Reading) -> list[Call]:
    """The values that the deciding place uses and that are set elsewhere: how many, how long."""
    places = choosing.best_places(state)
    if choosing.fits_nothing(state, places):
        return []
    first = choosing.as_read(state, places[0])
    return [
        _call("find_symbol", number, name=name, repository=first.repository)
        for number, name in enumerate(quoting.set_elsewhere(first))
    ]


def _unsearched(state: Reading) -> str:
    """What was asked and is in no query yet: the question, later what was added to it."""
    tried = [search.query for search in state.searches]
    return "\n".join(
        text
        for text in state.asked
        if text and not any(text[:QUERY_CHARS] in query for query in tried)
    )


def _searches(pending: str, state: Reading) -> list[Call]:
    before = state.asked[0] if state.searches else state.earlier
    queries = [pending[:QUERY_CHARS], rewording.reworded(pending, before)]
    if before and len(rewording.keywords(pending)) <= FOLLOW_UP_WORDS:
        queries.reverse()
    tried = {search.query for search in state.searches}
    return [
        _call("search_code", number, query=query)
        for number, query in enumerate(queries)
        if query and query not in tried
    ]


def _reading_of(place: Place) -> Call:
    return _call(
        "read_lines",
        int(place.id.removeprefix("e")),
        repository=place.repository,
        path=place.path,
        start_line=place.start,
        end_line=min(place.end, place.start + LINES_READ - 1),
    )


def _call(tool: str, number: int, /, **arguments: object) -> Call:
    return Call(f"{tool}_{number}", tool, json.dumps(arguments, ensure_ascii=False))


def _pieces(text: str) -> Iterator[tuple[int, str]]:
    """The text a line at a time, so that it streams like any other model's."""
    for piece in re.finditer(r"[^\n]*\n+|[^\n]+\Z", text):
        yield piece.start(), piece[0]
