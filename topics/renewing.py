"""A tape closed for good that starts anew under its name, now or once a turn that asked for it ends (T12)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapes import entries, store, views
from tapes.views import View

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tapes.entries import Entry, NewEntry
    from tapes.store import Tape
    from topics.models import Topic

ASKED = "reset_requested"
"""The event by which the agent asks, in `why` the reason; its turn's fork must be merged to count."""


def asking(why: str) -> NewEntry:
    """The event that asks for a reset when the turn it stands in has ended."""
    return entries.event(ASKED, {"why": why}, why=why)


def asks(found: Iterable[Entry]) -> bool:
    """Whether one of these entries asks for a reset."""
    return any(entry.kind == "event" and entry.payload["name"] == ASKED for entry in found)


def asked_for(topic: Topic) -> str | None:
    """Why a turn of this topic asked for a reset; None when none did."""
    view = View.seqs(topic.initial_seq).only("event")
    found = [entry for entry in views.read(topic.tape_id, view) if entry.topic_id == topic.pk]
    asked = [entry.why for entry in found if asks([entry])]
    return asked[-1] if asked else None


def anew(tape_id: int, *, actor: str, why: str) -> Tape:
    """Close a tape and return the new one of its name, in the caller's transaction.

    Raises store.TapeArchived, store.UnknownTape.
    """
    name = store.get(tape_id).name
    store.close(tape_id, actor=actor, why=why)
    return store.create(name, state={"continues": tape_id}, actor=actor, why=why)
