"""Where a question goes: one decision, which asking carries out and the preview only tells."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kb_agent.usecases import refusals
from tapes import store
from topics import asking, lifecycle
from topics.models import Topic, TopicStatus, TurnStatus

if TYPE_CHECKING:
    from kb_agent.usecases.access import Access


@dataclass(frozen=True)
class Place:
    """Where a question is sent: a topic, or a tape in view, or neither."""

    topic: int | None = None
    tape: int | None = None
    keep_open: bool = False
    """Leave the topic open that a new one on this tape would finish."""

    after_anchor: str = ""
    """Name or seq of the anchor the question's window starts after (T8)."""

    experiment: bool = False
    """On a fork of its own that is discarded when the turn ends (T11)."""


@dataclass(frozen=True)
class Decision:
    """What asking does: `start`, `follow_up`, `continue` or `join_or_wait`."""

    does: str
    tape: int | None
    """None stands for a fresh tape."""

    topic: Topic | None = None
    """The open topic the question belongs to; None for a new one."""

    continues: Topic | None = None
    closes: Topic | None = None
    running_turn: int | None = None


def decide(access: Access, place: Place) -> Decision:
    """Where this person's question goes as things stand now (P2, P5).

    A question about a topic that somebody opened to this person starts one of their own, which
    continues it. Raises `NotFound` for a topic or tape they may not see, `Forbidden` for a topic
    they only read by a role.
    """
    if place.topic is None:
        return _start("start", _tape_in_view(access, place.tape), keep_open=place.keep_open)
    topic = access.topic(place.topic)
    if topic.owner_id != access.person.pk:
        if not access.known_topics().filter(pk=topic.pk).exists():
            raise refusals.Forbidden("Only its owner may do this with a topic.")
        tape_id = _tape_in_view(access, place.tape)
        return _start("continue", tape_id, keep_open=place.keep_open, continues=topic)
    if topic.status == TopicStatus.OPEN:
        return _in_open(topic)
    return _start("continue", topic.tape_id, keep_open=place.keep_open, continues=topic)


def _in_open(topic: Topic) -> Decision:
    unfinished = asking.unfinished_on(topic.tape_id)
    running = next((each.pk for each in unfinished if each.status == TurnStatus.RUNNING), None)
    does = "join_or_wait" if unfinished else "follow_up"
    return Decision(does, topic.tape_id, topic=topic, running_turn=running)


def _start(
    does: str, tape_id: int | None, *, keep_open: bool, continues: Topic | None = None
) -> Decision:
    """A new topic: on this tape when nothing waits or runs there, else on a fresh one.

    Where the tape was reset, it is the one that goes on under its name.
    """
    tape_id = _in_use(tape_id) if tape_id is not None else None
    if tape_id is None or asking.unfinished_on(tape_id):
        return Decision(does, None, continues=continues)
    closes = lifecycle.open_on(tape_id)
    if closes is not None and keep_open:
        return Decision(does, None, continues=continues)
    return Decision(does, tape_id, continues=continues, closes=closes)


def _in_use(tape_id: int) -> int | None:
    tape = store.get(tape_id)
    successor = tape if tape.archived_at is None else store.find(tape.name)
    return successor.pk if successor else None


def _tape_in_view(access: Access, tape_id: int | None) -> int | None:
    """The tape named, which must be one's own; without one, where this person last was."""
    own = access.topics().filter(owner=access.person.pk)
    if tape_id is None:
        newest = own.order_by("-last_activity_at", "-pk").first()
        return newest.tape_id if newest else None
    if not access.owns(access.tape(tape_id)):
        raise refusals.NotFound("tape")
    return tape_id
