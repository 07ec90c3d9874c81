"""What a person can do with a view under a name: keep its definition, open it with today's rights.

A view opened to somebody is its definition and no more: they see in it what they may see without it,
the rest is named as withheld, and what the definition says of that is kept from them too (P9, C7).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db import transaction

from kb_agent.accounts import audit
from kb_agent.usecases import entries as entry_cases
from kb_agent.usecases import refusals, tape_reading
from kb_agent.usecases.access import Access
from kb_agent.usecases.people import Person, person
from tapes import browsing, views
from topics import access as topic_access
from topics import named_views
from topics.named_views import view_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from kb_agent.accounts.models import User
    from kb_agent.usecases.entries import ShownEntry
    from kb_agent.usecases.tape_reading import ShownAnchor
    from tapes.entries import Entry
    from tapes.store import Tape
    from topics.models import NamedView

    Part = dict[str, Any]

MOST = 1_000
"""Entries of a part that an opening shows at most."""
MOST_PARTS = 20
LISTED = 500
"""Views on a list at most: one's own first, then the newest of those opened to one."""
WITHHELD = "withheld"
"""The problem of a part of another's view that one may not see, whether or not it is there."""


@dataclass(frozen=True)
class ShownView:
    """A view under a name; its parts are a definition, never entries. One that is withheld says nothing."""

    id: int
    name: str
    parts: list[Part]
    created_at: datetime
    owner: Person
    mine: bool
    shared: bool
    """Open to somebody; told to its owner alone."""


@dataclass(frozen=True)
class OpenedPart:
    """What a part of a view shows today; `problem` says why nothing, as a code."""

    part: Part
    problem: str
    entries: list[ShownEntry]
    more: bool
    partly: bool
    """Only what is open to this person is shown; what else it may cover is withheld."""


@dataclass(frozen=True)
class OpenedView(ShownView):
    """A view with what it shows now."""

    shown: list[OpenedPart]


def page(user: User) -> list[ShownView]:
    """One's own named views by name, then those opened to one, the newest first."""
    access = Access(user)
    rows = access.views()
    own = list(rows.filter(owner=user).order_by("name")[:LISTED])
    others = list(rows.exclude(owner=user).order_by("-pk")[: LISTED - len(own)])
    if others and access.by_role:
        listed = {"views": [row.pk for row in others]}
        audit.note(user, "views_listed", "views", details=listed)
    return _shown(access, [*own, *others])


def create(user: User, name: str, parts: Sequence[Mapping[str, Any]]) -> ShownView:
    """Keep a view: each part is a range or anchors of a tape, or a topic, that one may see now."""
    access = Access(user)
    if len(parts) > MOST_PARTS:
        raise refusals.Invalid(f"A view has at most {MOST_PARTS} parts.", code="bad_part")
    said = [{key: value for key, value in part.items() if value is not None} for part in parts]
    for part in said:
        _check(access, part)
    try:
        row = named_views.create(user.pk, name, said)
    except named_views.NameTaken as taken:
        raise refusals.Conflict("You have a view of this name.", code="name_taken") from taken
    (made,) = _shown(access, [row])
    return made


def open(user: User, view_id: int) -> OpenedView:  # noqa: A001 - reads as `named_views.open`
    """A view as it reads today: what is new is in it, what one may not see is not."""
    access = Access(user)
    row = access.view(view_id)
    (view,) = _shown(access, [row])
    parts = zip(row.definition["parts"], view.parts, strict=True)
    shown = [_opened(access, part, told, mine=view.mine) for part, told in parts]
    return OpenedView(**vars(view), shown=shown)


def remove(user: User, view_id: int) -> None:
    """Forget a view and end its shares; nothing it showed is touched."""
    row = Access(user).own_view(view_id)
    with transaction.atomic():
        ended = named_views.remove(row.pk)
        if ended:
            audit.note(user, "view_deleted", f"view:{view_id}", details={"shares": ended})


def _shown(access: Access, rows: Sequence[NamedView]) -> list[ShownView]:
    mine = {row.pk for row in rows if row.owner_id == access.person.pk}
    shared = topic_access.shared_views(mine)
    others = [part for row in rows if row.pk not in mine for part in row.definition["parts"]]
    known = _Known(access, others)
    return [
        ShownView(
            id=row.pk,
            name=row.name,
            parts=[
                part if row.pk in mine else known.told(part) for part in row.definition["parts"]
            ],
            created_at=row.created_at,
            owner=person(row.owner),
            mine=row.pk in mine,
            shared=row.pk in shared,
        )
        for row in rows
    ]


class _Known:
    """What the parts of others' views may tell this person: tapes, topics and anchors they see anyway."""

    def __init__(self, access: Access, parts: Iterable[Mapping[str, Any]]) -> None:
        said = list(parts)
        topics = [part["topic"] for part in said if "topic" in part]
        tapes = [part["tape"] for part in said if "tape" in part]
        self._access = access
        self._topics = set(access.topics().filter(pk__in=topics).values_list("pk", flat=True))
        self._tapes = {tape.pk: tape for tape in access.tapes().filter(pk__in=tapes)}
        self._anchors: dict[int, set[str]] = {}

    def told(self, part: Part) -> Part:
        """The part, or nothing of it."""
        if "topic" in part:
            return part if part["topic"] in self._topics else {}
        tape = self._tapes.get(part["tape"])
        if tape is None:
            return {}
        return part if _anchors_in(part) <= self._names(tape) else {}

    def _names(self, tape: Tape) -> set[str]:
        if tape.pk not in self._anchors:
            seen = tape_reading.shown_anchors(self._access, tape)
            self._anchors[tape.pk] = {one.name for one in seen}
        return self._anchors[tape.pk]


def _anchors_in(part: Mapping[str, Any]) -> set[str]:
    return {part[end] for end in ("after", "before") if end in part}


def _check(access: Access, part: Mapping[str, Any]) -> None:
    if ("topic" in part) == ("tape" in part):
        raise refusals.Invalid("A part names a tape or a topic.", code="bad_part")
    if "before" in part and "after" not in part:
        raise refusals.Invalid("`before` needs `after`.", code="bad_part")
    _read(access, part)


def _opened(access: Access, part: Part, told: Part, *, mine: bool) -> OpenedPart:
    """What a part shows; `told` is what the person may know of it."""
    if not told:
        return OpenedPart({}, WITHHELD, [], more=False, partly=False)
    try:
        found, partly = _read(access, part)
    except refusals.Refusal as refused:
        problem = refused.code if mine else WITHHELD
        return OpenedPart(told, problem, [], more=False, partly=False)
    shown = entry_cases.shown(access, found[:MOST])
    return OpenedPart(told, "", shown, more=len(found) > MOST, partly=partly)


def _read(access: Access, part: Mapping[str, Any]) -> tuple[list[Entry], bool]:
    """The entries of a part for this person, and whether they see only some topics of its tape.

    Raises NotFound, Invalid for a missing anchor: for one they may not see as for one there never was.
    """
    if "topic" in part:
        topic = access.topic(part["topic"])
        wanted = browsing.Page(topic_ids=[topic.pk], limit=MOST + 1)
        return browsing.page(topic.tape_id, wanted), False
    tape = access.tape(part["tape"])
    allowed = access.topics_on(tape)
    if allowed is None:
        with refusals.of_tapes():
            return views.read(tape.pk, view_of(part).limit(MOST + 1)), False
    first, last = _stretch(access, tape, part)
    wanted = browsing.Page(first=first, last=last, topic_ids=allowed, limit=MOST + 1)
    return browsing.page(tape.pk, wanted), True


def _stretch(access: Access, tape: Tape, part: Mapping[str, Any]) -> tuple[int, int | None]:
    """The seqs of a part on a tape of which one sees some topics, by the anchors one sees."""
    if "after" not in part:
        with refusals.of_tapes():
            view_of(part)
        return part.get("first") or 1, part.get("last")
    seen = tape_reading.shown_anchors(access, tape)
    start = _seq(reversed(seen), part["after"])
    if "before" not in part:
        return start + 1, None
    return start + 1, _seq((one for one in seen if one.seq > start), part["before"]) - 1


def _seq(places: Iterable[ShownAnchor], name: str) -> int:
    for place in places:
        if place.name == name:
            return place.seq
    raise refusals.Invalid(f"this tape has no anchor {name!r}", code=views.MissingAnchor.code)
