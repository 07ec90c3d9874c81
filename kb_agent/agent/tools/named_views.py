"""Tools: the named views of the person and those opened to them: which there are, and what one shows.

Another's view is called by its number: its name, written onto this tape, would outlive the share.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from kb_agent.agent import quoting
from kb_agent.agent.desk import Desk, Output, ToolRefused
from tapes.errors import TapeError
from topics import access, named_views
from topics import quoting as topic_quoting
from topics.models import NamedView, Topic, Turn

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kb_agent.accounts.models import User
    from tapes.entries import Entry

LISTED = 100
ENTRIES_MOST = 40
PASSED_MOST = 10_000
MOST_NUMBER = 2**63 - 1


def list_views(desk: Desk) -> Output:
    """List named views, stretches of tapes or topics kept under a name: this person's own, and those opened to them.

    open_view shows what stands in one.
    """
    asker = _asker(desk)
    known = access.views_known_to(asker)
    own = list(known.filter(owner=asker).order_by("name")[:LISTED])
    others = list(known.exclude(owner=asker).select_related("owner").order_by("-pk")[:LISTED])
    lines = [f"{row.name}: {_parts(row)}" for row in own]
    lines += [f"view {row.pk}, opened by {row.owner.shown_name}: {_parts(row)}" for row in others]
    return Output(
        content="\n".join(lines) or "This person keeps no named views, and none is open to them.",
        data={
            "views": [{"id": row.pk, "name": row.name} for row in own],
            "opened": [{"id": row.pk} for row in others],
        },
    )


def open_view(
    desk: Desk,
    name: Annotated[str, Field(max_length=100, description="The view's name")] = "",
    number: Annotated[
        int, Field(ge=0, le=MOST_NUMBER, description="Instead, the number of a view opened to them")
    ] = 0,
    skip: Annotated[
        int, Field(ge=0, le=PASSED_MOST, description="Entries to pass over, to go on reading")
    ] = 0,
) -> Output:
    """Open a named view, by name or number, as it reads today for this person: at most 40 entries at once.

    Evidence ids in the text are new ids of this topic, checked now, which you may cite; a statement
    whose id is missing must be read in the code again.
    """
    asker = _asker(desk)
    row = _named(asker, name.strip(), number)
    lines: list[str] = []
    found: list[Entry] = []
    for place, part in enumerate(row.definition["parts"], start=1):
        shown, told = _part(desk, asker, part, mine=row.owner_id == asker.pk)
        found += shown
        if told:
            lines.append(f"(part {place} {told})")
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


def _asker(desk: Desk) -> User:
    return Turn.objects.select_related("asker").get(pk=desk.turn_id).asker


def _parts(row: NamedView) -> str:
    return f"{len(row.definition['parts'])} parts"


def _named(asker: User, name: str, number: int) -> NamedView:
    """One's own view of this name, else the one opened to this person. Raises `ToolRefused`."""
    known = access.views_known_to(asker)
    named = known.filter(pk=number) if number else known.filter(name=name)
    found = list(named.filter(owner=asker)[:2]) or list(named[:2])
    if len(found) > 1:
        raise ToolRefused("several_views", f"several views are named {name!r}; say the number")
    if not found:
        wanted = f"view {number}" if number else f"view {name!r}"
        raise ToolRefused(
            "unknown_view", f"there is no {wanted}; list_views gives names and numbers"
        )
    return found[0]


def _part(
    desk: Desk, asker: User, part: Mapping[str, Any], *, mine: bool
) -> tuple[list[Entry], str]:
    """What a part shows, and what to say of the rest: never how much it is, of another's view not why."""
    problem = ""
    covered: list[Entry] = []
    try:
        covered = named_views.read(part, limit=PASSED_MOST)
    except TapeError as error:
        problem = f"shows nothing: {error}" if mine else ""
    shown = _shown(desk, asker, covered)
    if not shown and (covered or not mine):
        return [], "shows nothing that this person may see now"
    return shown, problem or ("is withheld in part" if len(shown) < len(covered) else "")


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
