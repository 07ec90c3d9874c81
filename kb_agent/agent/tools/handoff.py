"""Tool: begin a new phase of the work, with notes to go on from."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from kb_agent.agent.desk import Desk, Output, ToolRefused
from kb_agent.agent.tools.mark import NAME_CHARS, NOTE_CHARS, marking
from kb_agent.repositories import secrets
from tapes import anchors, entries


def handoff(
    desk: Desk,
    name: Annotated[str, Field(min_length=1, max_length=NAME_CHARS, description="The new phase")],
    notes: Annotated[
        str,
        Field(min_length=1, max_length=NOTE_CHARS, description="All you need to go on from here"),
    ],
) -> Output:
    """Begin a new phase: from the next step on you are shown the question, these notes, and what follows.

    For long work whose earlier steps no longer matter. Nothing is lost: open_range and search_tape
    still reach it. Keep in the notes the evidence ids that your answer will cite.
    """
    called = " ".join(secrets.mask(name).text.split())
    if called in anchors.RESERVED or called.startswith(anchors.MARK):
        raise ToolRefused("reserved_name", f"{called!r} is a name tapes use themselves")
    said = secrets.mask(notes).text
    return Output(
        content="The new phase begins when this step ends.",
        data={"name": called},
        # Handoffs are not shown to the model; what it must know of them is a mark right after.
        then=(*entries.handoff(called, {"notes": said}, why=said), marking(called, said, [])),
    )
