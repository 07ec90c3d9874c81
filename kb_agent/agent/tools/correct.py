"""Tool: say what is right where an earlier entry of this tape was wrong."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from kb_agent.agent.desk import Desk, Output, ToolRefused
from kb_agent.repositories import secrets
from tapes import entries, views

TEXT_CHARS = 4_000


def correct(
    desk: Desk,
    seq: Annotated[int, Field(ge=1, description="Number of the entry that is wrong")],
    text: Annotated[
        str, Field(min_length=1, max_length=TEXT_CHARS, description="What is right, and why")
    ],
) -> Output:
    """Correct an earlier answer, mark or note of this tape that the code, or the person, has shown to be wrong.

    The entry stays as it is; from now on your words stand beside it wherever it is shown. Read the
    code again first. search_tape and list_anchors give the numbers.
    """
    found = [entry for entry in views.at([(desk.tape_id, seq)]) if desk.shows(entry)]
    said = secrets.mask(text.strip()).text
    if not found or found[0].turn_id == desk.turn_id:
        raise ToolRefused("unknown_entry", f"there is no earlier entry {seq} on this tape")
    if not said:
        raise ToolRefused("empty_text", "say what is right")
    return Output(
        content="The correction stands beside it when this step ends.",
        data={"corrects": seq},
        sources=frozenset(found[0].sources),
        then=(entries.correction(seq, said, why=said),),
    )
