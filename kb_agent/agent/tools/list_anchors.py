"""Tool: list the anchors and marks of this tape."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from kb_agent.agent import quoting
from kb_agent.agent.desk import Desk, Output
from tapes import views
from topics import quoting as topic_quoting


def list_anchors(
    desk: Desk,
    limit: Annotated[int, Field(ge=1, le=100, description="How many, the newest")] = 30,
) -> Output:
    """List where this tape's topics began and ended, its phases and its marks, with entry numbers.

    open_range opens what stands between two of them.
    """
    places = views.anchors(desk.tape_id)[-limit:]
    found = sorted(
        views.at((desk.tape_id, place.seq) for place in places), key=lambda entry: entry.seq
    )
    shown = [entry for entry in found if desk.shows(entry)]
    lines = [
        f"entry {entry.seq}: {quoting.renumbered(entry, quoting.named(entry.payload), {})}"
        for entry in shown
    ]
    if len(shown) < len(found):
        lines.append(f"({len(found) - len(shown)} are withheld from this person)")
    return Output(
        content="\n".join(lines),
        data={"anchors": [{"seq": one.seq, "name": one.payload["name"]} for one in shown]},
        sources=frozenset(source for entry in shown for source in entry.sources),
        topics=topic_quoting.all_quoted(shown),
    )
