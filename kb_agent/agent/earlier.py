"""The topics a turn may build on: its asker's own and those opened to them, as it stands now (P7, P9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kb_agent.accounts.models import User
from kb_agent.agent.desk import Desk, ToolRefused
from topics import access
from topics.models import Topic, TopicStatus, Turn

if TYPE_CHECKING:
    from django.db.models import QuerySet


def asker(desk: Desk) -> User:
    """Who asked the turn's question."""
    return User.objects.get(pk=Turn.objects.values_list("asker_id", flat=True).get(pk=desk.turn_id))


def tape_of(desk: Desk, topic_id: int, *, first: int, last: int) -> int:
    """The tape of a finished topic that holds these entries. Raises ToolRefused."""
    topic = _known(desk).filter(pk=topic_id).exclude(status=TopicStatus.OPEN).first()
    if topic is None:
        raise ToolRefused("unknown_topic", f"there is no finished topic {topic_id} to open here")
    if first < topic.initial_seq or last > (topic.finalized_seq or 0):
        raise ToolRefused(
            "outside_topic",
            f"topic {topic_id} has the entries {topic.initial_seq} to {topic.finalized_seq}",
        )
    return topic.tape_id


def _known(desk: Desk) -> QuerySet[Topic]:
    return access.known_to(asker(desk), desk.readable)
