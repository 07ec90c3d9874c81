"""What the parts of a named view cover: a definition read as entries, before anybody's rights (T8)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tapes import views
from tapes.views import View
from topics.models import Topic

if TYPE_CHECKING:
    from tapes.entries import Entry


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
