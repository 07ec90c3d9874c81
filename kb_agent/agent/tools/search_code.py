"""Tool: find the places in code that a question is about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from kb_agent.agent import showing
from kb_agent.agent.desk import Desk, Output, ToolRefused
from kb_agent.repositories import evidence, search
from kb_agent.repositories.measuring import Signals

if TYPE_CHECKING:
    from kb_agent.repositories.models import Repository
    from kb_agent.repositories.search import Hit, Results
    from kb_agent.repositories.search.routing import Routing

LINES_SHOWN = 14
QUERY_CHARS = 1_000
# How a search that found no answer begins its line; the evidence model reads it, and the next two.
DOUBT = "not found here:"
TIED = "both fit equally well: ask which one is meant"


def search_code(
    desk: Desk,
    queries: Annotated[
        list[str],
        Field(
            min_length=1,
            max_length=6,
            description="One question in several wordings: as asked, in the other language of the two,"
            " and in the words the code itself is likely to use",
        ),
    ],
    repository: Annotated[
        str, Field(description="Name of one repository to search in; empty: all")
    ] = "",
    limit: Annotated[int, Field(ge=1, le=20, description="How many places, best first")] = 8,
) -> Output:
    """Search all readable code by meaning-bearing words, symbols and paths, Chinese or English.

    Give two to five wordings of one question at once: the asker's own, a translation (Chinese to
    English or the other way), and likely names in the code. Each is ranked and the rankings are
    fused; ask another question in another call. Gives the repository the question lands in and how
    sure that is, then the best places with their evidence ids, why each matched, and its first
    lines. Then read the places that decide with read_lines.
    """
    asked = [query[:QUERY_CHARS] for query in queries if query.strip()]
    if not asked:
        raise ToolRefused("empty_query", "the query is empty; say what to find")
    found = search.search_all(
        asked,
        readable=desk.readable,
        repositories=desk.named(repository),
        branch=desk.branch,
        limit=limit,
        signals=Signals(account=desk.account),
    )
    minted = evidence.mint(desk.topic_id, desk.turn_id, found.hits)
    pairs = list(zip(minted, found.hits, strict=True))
    routed = _routed_to(desk, found.routing)
    return Output(
        content="\n".join(
            [*_heading(asked, found, routed), *(_shown(row, hit) for row, hit in pairs)]
        ),
        data={
            "query": asked[0],
            "queries": asked,
            "places": len(pairs),
            "repositories": sorted({hit.repository for hit in found.hits}),
            "hits": [_for_people(row, hit) for row, hit in pairs],
            "routing": _routing(found.routing),
            "tried": list(found.tried),
            "found": found.found,
        },
        sources=frozenset({hit.repository_id for hit in found.hits} | {row.pk for row in routed}),
    )


def _routed_to(desk: Desk, routing: Routing | None) -> list[Repository]:
    """The system that the question lands in, and the second that is named."""
    if routing is None:
        return []
    rows = {row.name: row for row in desk.repositories()}
    return [rows[name] for name in (routing.repository, routing.runner_up) if name in rows]


def _heading(asked: list[str], found: Results, routed: list[Repository]) -> list[str]:
    lines: list[str] = []
    if found.routing:
        because = showing.matches(found.routing.reason)
        lines.append(
            f"lands in: {found.routing.repository}, certainty {found.routing.certainty}"
            + (f", because {because}" if because else "")
        )
        if found.routing.runner_up:
            lines.append(f"next to it: {found.routing.runner_up}")
        if found.routing.tied:
            lines.append(TIED)
        lines += [f"about {row.name}: {about}" for row in routed if (about := showing.about(row))]
    if found.tried:
        lines.append(f"tried: {'; '.join(found.tried)}")
    if not found.hits:
        lines.append(f"Nothing was found for {', '.join(map(repr, asked))}. Try other words.")
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
        "tied": routing.tied,
    }
