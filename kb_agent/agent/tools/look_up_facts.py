"""Tool: look up facts that a reviewer has accepted."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from kb_agent.agent.desk import Desk, Output, ToolRefused
from kb_agent.repositories.facts import matching
from kb_agent.repositories.facts import notes as fact_notes

QUERY_CHARS = 1_000


def look_up_facts(
    desk: Desk,
    query: Annotated[str, Field(description="What you want to know, as a question or a few words")],
    limit: Annotated[int, Field(ge=1, le=10, description="How many facts, best first")] = 5,
) -> Output:
    """Look up business facts that people drew from earlier topics and a reviewer accepted.

    Use it when the question changes its subject, beside search_code. A fact is a person's word on
    what the code does; its evidence ids are ids of this topic, checked now, which you may cite.
    Say that it is an accepted fact and who accepted it. Where the code you read says otherwise,
    the code counts: say both.
    """
    if not query.strip():
        raise ToolRefused("empty_query", "the query is empty; say what to find")
    found = matching.about(
        query[:QUERY_CHARS], readable=desk.readable, repositories=desk.scope, limit=limit
    )
    notes = fact_notes.minted(
        [each.fact for each in found],
        topic_id=desk.topic_id,
        turn_id=desk.turn_id,
        readable=desk.readable,
    )
    fact_notes.use(notes, topic_id=desk.topic_id, turn_id=desk.turn_id)
    return Output(
        content="\n".join(note.line for note in notes)
        or "No accepted fact is about this. Search the code.",
        data={"query": query, "facts": [note.data for note in notes]},
        sources=fact_notes.sources(notes),
    )
