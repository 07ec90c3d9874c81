"""Tool: open earlier entries of this tape, or of a recalled topic."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from kb_agent.agent import earlier, quoting
from kb_agent.agent.desk import Desk, Output, ToolRefused
from tapes import views
from tapes.views import View
from topics import quoting as topic_quoting

ENTRIES_MOST = 40


def open_range(
    desk: Desk,
    first: Annotated[int, Field(ge=1, description="Number of the first entry")],
    last: Annotated[int, Field(ge=1, description="Number of the last entry, included")],
    topic: Annotated[int, Field(ge=0, description="A recalled topic's number; 0: this tape")] = 0,
) -> Output:
    """Open earlier entries of this tape, or of a recalled topic, by their numbers: questions, answers, what tools gave.

    Use it when recall, search_tape or list_anchors shows where something was settled before. Evidence ids
    in the text are new ids of this topic, checked now, which you may cite; a statement whose id is
    missing must be read in the code again. At most 40 entries at once.
    """
    if last < first:
        raise ToolRefused("bad_range", f"entry {last} comes before entry {first}")
    tape_id = earlier.tape_of(desk, topic, first=first, last=last) if topic else desk.tape_id
    found = views.read(tape_id, View.seqs(first, last).limit(ENTRIES_MOST + 1))
    belong = [entry for entry in found[:ENTRIES_MOST] if not topic or entry.topic_id == topic]
    shown = [entry for entry in belong if desk.shows(entry)]
    numbers = quoting.minted(desk, shown)
    lines = [
        f"{quoting.head(entry)} {quoting.renumbered(entry, text, numbers)}"
        for entry in shown
        if (text := quoting.told(entry))
    ]
    withheld = len(belong) - len(shown)
    if withheld:
        lines.append(f"({withheld} entries are withheld from this person)")
    if len(found) > ENTRIES_MOST:
        lines.append(f"(go on from entry {found[ENTRIES_MOST].seq})")
    return Output(
        content="\n".join(lines) or f"There is nothing from entry {first} to {last}.",
        data={
            "first": first,
            "last": last,
            "seqs": [entry.seq for entry in shown],
            **({"topic": topic} if topic else {}),
        },
        sources=frozenset(source for entry in shown for source in entry.sources),
        topics=topic_quoting.all_quoted(shown),
    )
