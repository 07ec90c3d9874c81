"""Tool: mark entries of this tape with a note."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from kb_agent.agent.desk import Desk, Output, ToolRefused
from kb_agent.repositories import secrets
from tapes import entries, views
from topics.models import Turn

SEQS_MOST = 50
NOTE_CHARS = 4_000
NAME_CHARS = 80


def mark(
    desk: Desk,
    name: Annotated[str, Field(min_length=1, max_length=NAME_CHARS, description="A short name")],
    note: Annotated[
        str, Field(min_length=1, max_length=NOTE_CHARS, description="The lesson, in a sentence")
    ],
    seqs: Annotated[
        list[int],
        Field(max_length=SEQS_MOST, description="Numbers of the entries; none: this question"),
    ] = [],  # noqa: B006 - never changed, and pydantic copies it
) -> Output:
    """Mark entries of this tape with a lesson worth keeping, for what was hard to find or is easily got wrong.

    You are shown it in later questions of this topic, and list_anchors and search_tape find it
    ever after. Not for the answer itself, which is kept anyway.
    """
    wanted = sorted(set(seqs)) or list(
        Turn.objects.filter(pk=desk.turn_id).values_list("question_seq", flat=True)
    )
    places = views.at((desk.tape_id, seq) for seq in wanted)
    found = [entry for entry in places if desk.shows(entry)]
    if len(found) < len(wanted):
        raise ToolRefused("unknown_entry", "not all of these entries are on this tape")
    return Output(
        content="The mark is set when this step ends.",
        data={"name": name, "seqs": wanted},
        sources=frozenset(source for entry in found for source in entry.sources),
        then=(marking(name, note, wanted),),
    )


def marking(name: str, note: str, seqs: list[int]) -> entries.NewEntry:
    """The anchor of a mark, its words masked."""
    said = secrets.mask(note).text
    return entries.mark(" ".join(secrets.mask(name).text.split()), said, seqs, why=said)
