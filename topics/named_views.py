"""Named views: keep and forget them, and what their parts cover before anybody's rights (T8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from django.db import IntegrityError, transaction

from tapes import views
from tapes.views import View
from topics import access
from topics.models import NamedView, Topic

if TYPE_CHECKING:
    from tapes.entries import Entry


class NameTaken(Exception):
    """This person keeps another view under that name."""


def create(owner_id: int, name: str, parts: Sequence[Mapping[str, Any]]) -> NamedView:
    """Keep a definition, never entries. Raises `NameTaken`."""
    definition = {"parts": [dict(part) for part in parts]}
    try:
        with transaction.atomic():
            row = NamedView.objects.create(owner_id=owner_id, name=name, definition=definition)
    except IntegrityError as taken:
        raise NameTaken(name) from taken
    row.refresh_from_db()
    return row


def remove(view_id: int) -> list[int]:
    """Forget a view and end its shares, whose links lead nowhere from now on; returns those in force.

    Nothing it showed is touched. Raises NamedView.DoesNotExist.
    """
    with transaction.atomic():
        view = NamedView.objects.select_for_update().get(pk=view_id)
        ended = list(
            access.in_force().filter(view=view).order_by("pk").values_list("pk", flat=True)
        )
        view.delete()
    return ended


def view_of(part: Mapping[str, Any]) -> View:
    """The view of a part that names a tape. Raises `tapes.errors.InvalidView`."""
    if "after" in part and "before" in part:
        return View.between(part["after"], part["before"])
    if "after" in part:
        return View.after(part["after"])
    return View.seqs(part.get("first"), part.get("last"))


def tape_of(part: Mapping[str, Any]) -> int | None:
    """The tape a part stands on; None when its topic is not there."""
    if "tape" in part:
        return int(part["tape"])
    return Topic.objects.filter(pk=part["topic"]).values_list("tape_id", flat=True).first()


def read(part: Mapping[str, Any], *, limit: int) -> list[Entry]:
    """The entries of a part as default views show them, `limit` of a tape's at most.

    Raises `tapes.errors.MissingAnchor`, `InvalidView`.
    """
    tape_id = tape_of(part)
    if tape_id is None:
        return []
    if "tape" in part:
        return views.read(tape_id, view_of(part).limit(limit))
    topic = Topic.objects.get(pk=part["topic"])
    found = views.read(tape_id, View.seqs(topic.initial_seq).limit(limit * 4))
    return [entry for entry in found if entry.topic_id == topic.pk][:limit]
