"""Tool: search what was said and found earlier on this tape."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from kb_agent.agent.desk import Desk, Output, ToolRefused
from kb_agent.llm import tape_meaning
from kb_agent.repositories import secrets
from tapes import views
from topics import markers, quoting

SNIPPET_CHARS = 400


def search_tape(
    desk: Desk,
    query: Annotated[str, Field(description="Words to look for, also roughly")],
    limit: Annotated[int, Field(ge=1, le=50, description="How many entries")] = 20,
) -> Output:
    """Search this whole tape, also before the present topic: questions, answers, tool results.

    What happened in the present turn is before you already and is not searched. Gives entry
    numbers with a snippet. What stands there was true when it was written; read the code again
    before you rely on it, and cite only ids of this topic.
    """
    if not query.strip():
        raise ToolRefused("empty_query", "the query is empty; say what to find")
    found = tape_meaning.find(
        desk.tape_id,
        secrets.mask(query).text,
        limit=limit,
        readable=desk.readable,
        account=desk.account,
    )
    beside = {entry.seq: entry for entry in views.at((desk.tape_id, hit.seq) for hit in found.hits)}
    hidden = desk.quotes.hidden(beside.values())
    hits = [hit for hit in found.hits if hit.seq not in hidden]
    lines = [f"entry {hit.seq} ({hit.tier}): {_quoted(hit.snippet)}" for hit in hits]
    if not hits:
        lines.append(f"Nothing on this tape matches {query!r}.")
    if found.cut is not None:
        lines.append(f"Entries 1 to {found.cut} were searched for these exact words only.")
    return Output(
        content="\n".join(lines),
        data={
            "query": query,
            "cut": found.cut,
            "hits": [
                {"seq": hit.seq, "tier": hit.tier, "score": hit.score, "snippet": hit.snippet}
                for hit in hits
            ],
        },
        sources=frozenset(source for hit in hits for source in hit.sources),
        topics=quoting.all_quoted(beside[hit.seq] for hit in hits if hit.seq in beside),
    )


def _quoted(snippet: str) -> str:
    """A snippet on one line, without evidence ids: in another topic they name other places."""
    return " ".join(markers.without(snippet).split())[:SNIPPET_CHARS]
