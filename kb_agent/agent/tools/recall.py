"""Tool: find earlier topics on a matter."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from pydantic import Field

from kb_agent.agent import earlier
from kb_agent.agent.desk import Desk, Output
from kb_agent.repositories import recall as recalls
from kb_agent.repositories.recall import notes


def recall(
    desk: Desk,
    about: Annotated[
        str, Field(min_length=1, max_length=1000, description="The matter, in the asker's words")
    ],
) -> Output:
    """Find finished topics of this person, or opened to them, that settled the like before.

    Use it when a follow-up changes the subject; what was near to the first question was recalled by
    itself. It gives titles, summaries and entry numbers; open_range with the topic's number opens them.
    """
    found = recalls.recall(
        about,
        asker=earlier.asker(desk),
        readable=desk.readable,
        leave_out={desk.topic_id},
        account=replace(desk.account, purpose="recall") if desk.account else None,
    )
    if not found:
        return Output(content="No earlier topic is near to this.", data={"topics": []})
    return Output(
        content=notes.text(found),
        data={
            "topics": [
                {"topic": near.topic.pk, "title": near.topic.title, "score": near.score}
                for near in found
            ]
        },
        sources=frozenset(notes.sources(found)),
        topics=frozenset(near.topic.pk for near in found),
    )
