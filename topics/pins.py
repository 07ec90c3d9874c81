"""Pins: topics a person keeps at the top of their list; the only writer of TopicPin."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Exists, OuterRef, Q

from topics.models.finding import TopicPin

MOST = 50
"""Pins a person may have: more is a list again."""


class TooManyPins(Exception):
    """A person has MOST pins already."""

    code = "too_many_pins"


def pin(person_id: int, topic_id: int) -> None:
    """Pin a topic; pinned already, nothing changes. Raises TooManyPins."""
    mine = TopicPin.objects.filter(person=person_id)
    if not mine.filter(topic=topic_id).exists() and mine.count() >= MOST:
        raise TooManyPins(f"{MOST} topics are pinned: take one down first")
    TopicPin.objects.get_or_create(person_id=person_id, topic_id=topic_id)


def unpin(person_id: int, topic_id: int) -> None:
    """Take a pin down."""
    TopicPin.objects.filter(person=person_id, topic=topic_id).delete()


def pinned_by(person_id: int) -> Q:
    """As a filter on topics: those this person has pinned."""
    return Q(Exists(TopicPin.objects.filter(person=person_id, topic=OuterRef("pk"))))


def of(person_id: int, topic_ids: Iterable[int]) -> frozenset[int]:
    """Which of these topics a person has pinned."""
    rows = TopicPin.objects.filter(person=person_id, topic__in=list(topic_ids))
    return frozenset(rows.values_list("topic_id", flat=True))
