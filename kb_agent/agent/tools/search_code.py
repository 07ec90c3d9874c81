"""Tool: find the places in code that a question is about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from kb_agent.agent import showing
from kb_agent.agent.desk import Desk, Output, ToolRefused
from kb_agent.repositories import evidence, search
from kb_agent.repositories.measuring import Signals

if TYPE_CHECKING:
    from kb_agent.repositories.routing import Routing
    from kb_agent.repositories.search import Hit, Results

LINES_SHOWN = 14
QUERY_CHARS = 1_000
# How a search that found no answer begins its line; the evidence model reads it.
DOUBT = "not found here:"


def search_code(
    desk: Desk,
    query: Annotated[
        str, Field(description="What to find, in business words or the code's own, any language")
    ],
    repository: Annotated[
        str, Field(description="Name of one repository to search in; empty: all")
    ] = "",
    limit: Annotated[int, Field(ge=1, le=20, description="How many places, best first")] = 8,
) -> Output:
    """Search all readable code by meaning-bearing words, symbols and paths, Chinese or English.

    Gives the repository the query lands in and how sure that is, then the best places with their
    evidence ids, why each matched, and its first lines. Search several times with different words;
    then read the places that decide with read_lines.
    """
    if not query.strip():
        raise ToolRefused("empty_query", "the query is empty; say what to find")
    found = search.search(
        query[:QUERY_CHARS],
        readable=desk.readable,
        repositories=desk.named(repository),
        branch=desk.branch,
        limit=limit,
        signals=Signals(account=desk.account),
    )
    minted = evidence.mint(desk.topic_id, desk.turn_id, found.hits)
    pairs = list(zip(minted, found.hits, strict=True))
    routed = {found.routing.repository_id, *_runner_up(desk, found)} if found.routing else set()
    return Output(
        content="\n".join([*_heading(query, found), *(_shown(row, hit) for row, hit in pairs)]),
        data={
            "query": query,
            "places": len(pairs),
            "repositories": sorted({hit.repository for hit in found.hits}),
            "hits": [_for_people(row, hit) for row, hit in pairs],
            "routing": _routing(found.routing),
            "tried": list(found.tried),
            "found": found.found,
        },
        sources=frozenset({hit.repository_id for hit in found.hits} | routed),
    )


def _runner_up(desk: Desk, found: Results) -> set[int]:
    """The id of the second system that is named."""
    name = found.routing.runner_up if found.routing else None
    return (
        set(desk.repositories().filter(name=name).values_list("pk", flat=True)) if name else set()
    )


def _heading(query: str, found: Results) -> list[str]:
    lines: list[str] = []
    if found.routing:
        because = showing.matches(found.routing.reason)
        lines.append(
            f"lands in: {found.routing.repository}, certainty {found.routing.certainty}"
            + (f", because {because}" if because else "")
        )
        if found.routing.runner_up:
            lines.append(f"next to it: {found.routing.runner_up}")
    if found.tried:
        lines.append(f"tried: {', '.join(found.tried)}")
    if not found.hits:
        lines.append(f"Nothing was found for {query!r}. Try other words.")
    elif not found.found:
        lines.append(
            f"{DOUBT} the code searched hardly knows these words; below are the nearest places."
        )
    return lines


def _shown(row: Any, hit: Hit) -> str:
    lines = hit.excerpt.split("\n")
    shown = [f"\n{showing.head(row, hit.repository, hit.symbol)}"]
    if hit.why:
        shown.append(f"matched: {showing.matches(hit.why)}")
    shown.append(showing.numbered(lines[:LINES_SHOWN], hit.start_line))
    if len(lines) > LINES_SHOWN:
        shown.append(f"({len(lines) - LINES_SHOWN} more lines: read_lines)")
    return "\n".join(shown)


def _for_people(row: Any, hit: Hit) -> dict[str, Any]:
    return {
        **showing.place(row, hit.repository),
        "symbol": hit.symbol,
        "why": showing.reasons(hit.why),
    }


def _routing(routing: Routing | None) -> dict[str, Any] | None:
    if routing is None:
        return None
    return {
        "repository": routing.repository,
        "repository_id": routing.repository_id,
        "certainty": routing.certainty,
        "reason": showing.reasons(routing.reason),
        "runner_up": routing.runner_up,
    }
