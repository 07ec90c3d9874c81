"""Tools: the person's own named views: which there are, and what one shows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from kb_agent.agent import quoting
from kb_agent.agent.desk import Desk, Output, ToolRefused
from tapes.errors import TapeError
from topics import access, named_views
from topics import quoting as topic_quoting
from topics.models import NamedView, Topic, Turn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.db.models import QuerySet

    from kb_agent.accounts.models import User
    from tapes.entries import Entry

LISTED = 100
ENTRIES_MOST = 40
PASSED_MOST = 10_000


def list_views(desk: Desk) -> Output:
    """List this person's named views: stretches of tapes, or topics, that they keep under a name.

    open_view shows what stands in one.
    """
    rows = list(_of_asker(desk).order_by("name")[:LISTED])
    lines = [f"{row.name}: {len(row.definition['parts'])} parts" for row in rows]
    return Output(
        content="\n".join(lines) or "This person keeps no named views.",
        data={"views": [{"id": row.pk, "name": row.name} for row in rows]},
    )


def open_view(
    desk: Desk,
    name: Annotated[str, Field(min_length=1, max_length=100, description="The view's name")],
    skip: Annotated[
        int, Field(ge=0, le=PASSED_MOST, description="Entries to pass over, to go on reading")
    ] = 0,
) -> Output:
    """Open one of this person's named views as it reads today: at most 40 entries at once.

    Evidence ids in the text are new ids of this topic, checked now, which you may cite; a statement
    whose id is missing must be read in the code again.
    """
    row = _of_asker(desk).filter(name=name.strip()).first()
    if row is None:
        raise ToolRefused("unknown_view", f"there is no view {name!r}; list_views gives the names")
    lines: list[str] = []
    found: list[Entry] = []
    for number, part in enumerate(row.definition["parts"], start=1):
        try:
            covered = named_views.read(part, limit=PASSED_MOST)
        except TapeError as error:
            lines.append(f"(part {number} shows nothing: {error})")
            continue
        shown = _shown(desk, row.owner, covered)
        found += shown
        if covered and not shown:
            lines.append(f"(part {number} shows nothing that this person may see now)")
        elif len(shown) < len(covered):
            lines.append(f"(of part {number}, {len(covered) - len(shown)} entries are withheld)")
    page = found[skip : skip + ENTRIES_MOST]
    numbers = quoting.minted(desk, page)
    lines += [
        f"tape {entry.tape_id}, {quoting.head(entry)} {quoting.renumbered(entry, text, numbers)}"
        for entry in page
        if (text := quoting.told(entry))
    ]
    if len(found) > skip + ENTRIES_MOST:
        lines.append(f"(go on with skip={skip + ENTRIES_MOST})")
    return Output(
        content="\n".join(lines) or "There is nothing in it now.",
        data={"view": row.pk, "entries": [[entry.tape_id, entry.seq] for entry in page]},
        sources=frozenset(source for entry in page for source in entry.sources),
        topics=topic_quoting.all_quoted(page),
    )


def _of_asker(desk: Desk) -> QuerySet[NamedView]:
    asker = Turn.objects.filter(pk=desk.turn_id).values("asker")
    return NamedView.objects.filter(owner__in=asker).select_related("owner")


def _shown(desk: Desk, asker: User, found: Sequence[Entry]) -> list[Entry]:
    """What this person may build on: their own topics and those opened to them, as of now.

    What belongs to no topic is its tape's owner's alone.
    """
    topics = {entry.topic_id for entry in found if entry.topic_id is not None}
    tapes = {entry.tape_id for entry in found}
    known = access.known_to(asker, desk.readable).filter(pk__in=topics)
    allowed: set[int | None] = set(known.values_list("pk", flat=True))
    own = set(Topic.objects.filter(owner=asker, tape__in=tapes).values_list("tape_id", flat=True))
    return [
        entry
        for entry in found
        if desk.shows(entry)
        and (entry.topic_id in allowed or (entry.topic_id is None and entry.tape_id in own))
    ]
