"""What a person can do with a view under a name: keep its definition, open it with today's rights."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db import IntegrityError, transaction

from kb_agent.usecases import refusals, tape_reading
from kb_agent.usecases import topics as topic_cases
from kb_agent.usecases.access import Access
from tapes import browsing, views
from topics.models import NamedView
from topics.named_views import view_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from django.db.models import QuerySet

    from kb_agent.accounts.models import User
    from kb_agent.usecases.topics import ShownEntry
    from tapes.entries import Entry
    from tapes.store import Tape

MOST = 1_000
"""Entries of a part that an opening shows at most."""
MOST_PARTS = 20


@dataclass(frozen=True)
class ShownView:
    """A view under a name; its parts are a definition, never entries."""

    id: int
    name: str
    parts: list[dict[str, Any]]
    created_at: datetime


@dataclass(frozen=True)
class OpenedPart:
    """What a part of a view shows today; `problem` says why nothing, as a code."""

    part: dict[str, Any]
    problem: str
    entries: list[ShownEntry]
    more: bool


@dataclass(frozen=True)
class OpenedView(ShownView):
    """A view with what it shows now."""

    shown: list[OpenedPart]


def page(user: User) -> list[ShownView]:
    """One's own named views, by name."""
    return [_shown(row) for row in _own(user).order_by("name")]


def create(user: User, name: str, parts: Sequence[Mapping[str, Any]]) -> ShownView:
    """Keep a view: each part is a range or anchors of a tape, or a topic, that one may see now."""
    access = Access(user)
    if len(parts) > MOST_PARTS:
        raise refusals.Invalid(f"A view has at most {MOST_PARTS} parts.", code="bad_part")
    said = [{key: value for key, value in part.items() if value is not None} for part in parts]
    for part in said:
        _check(access, part)
    try:
        with transaction.atomic():
            row = NamedView.objects.create(owner=user, name=name, definition={"parts": said})
    except IntegrityError as taken:
        raise refusals.Conflict("You have a view of this name.", code="name_taken") from taken
    row.refresh_from_db()
    return _shown(row)


def open(user: User, view_id: int) -> OpenedView:  # noqa: A001 - reads as `named_views.open`
    """A view as it reads today: what is new is in it, what one may no longer see is not."""
    access = Access(user)
    row = _one(user, view_id)
    parts = row.definition["parts"]
    return OpenedView(**vars(_shown(row)), shown=[_opened(access, part) for part in parts])


def remove(user: User, view_id: int) -> None:
    """Forget a view; nothing it showed is touched."""
    _one(user, view_id).delete()


def _own(user: User) -> QuerySet[NamedView]:
    return NamedView.objects.filter(owner=user)


def _one(user: User, view_id: int) -> NamedView:
    found = _own(user).filter(pk=view_id).first()
    if found is None:
        raise refusals.NotFound("view")
    return found


def _shown(row: NamedView) -> ShownView:
    return ShownView(row.pk, row.name, row.definition["parts"], row.created_at)


def _check(access: Access, part: Mapping[str, Any]) -> None:
    if ("topic" in part) == ("tape" in part):
        raise refusals.Invalid("A part names a tape or a topic.", code="bad_part")
    if "before" in part and "after" not in part:
        raise refusals.Invalid("`before` needs `after`.", code="bad_part")
    _read(access, part)


def _check_anchors(access: Access, tape: Tape, part: Mapping[str, Any]) -> None:
    """Raise `Invalid` for an anchor of a topic that one may not see, as for one there never was."""
    seen = {one.name for one in tape_reading.shown_anchors(access, tape)}
    for name in (part.get("after"), part.get("before")):
        if name is not None and name not in seen:
            raise refusals.Invalid(
                f"this tape has no anchor {name!r}", code=views.MissingAnchor.code
            )


def _opened(access: Access, part: dict[str, Any]) -> OpenedPart:
    try:
        found = _read(access, part)
    except refusals.Refusal as refused:
        return OpenedPart(part, refused.code, [], more=False)
    shown = topic_cases.shown_entries(access, found[:MOST])
    return OpenedPart(part, "", shown, more=len(found) > MOST)


def _read(access: Access, part: Mapping[str, Any]) -> list[Entry]:
    """The entries of a part for this person. Raises NotFound, Invalid for a missing anchor."""
    if "topic" in part:
        topic = access.topic(part["topic"])
        wanted = browsing.Page(topic_ids=[topic.pk], limit=MOST + 1)
        return browsing.page(topic.tape_id, wanted)
    tape = access.tape(part["tape"])
    allowed = access.topics_on(tape)
    if allowed is not None:
        _check_anchors(access, tape, part)
    with refusals.of_tapes():
        found = views.read(tape.pk, view_of(part).limit(MOST + 1))
    return [entry for entry in found if allowed is None or entry.topic_id in allowed]
