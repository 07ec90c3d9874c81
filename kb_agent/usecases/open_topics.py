"""What administrators do with topics that stay open: see them, by id where they may not read, and finish them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.core import signing
from django.db.models import Q

from kb_agent.accounts import audit, roles
from kb_agent.usecases import refusals
from kb_agent.usecases.access import Access
from kb_agent.usecases.people import Person, person
from topics import acts, lifecycle
from topics.models import UNFINISHED, FinalizeReason, Topic, TopicStatus, Turn

if TYPE_CHECKING:
    from datetime import datetime

    from kb_agent.accounts.models import User

PAGE = 50
ONLY_ADMINISTRATORS = "Only an administrator may see and finish what others have open."


@dataclass(frozen=True)
class OpenTopic:
    """A topic by its figures; its title only for who may read it (C10)."""

    id: int
    title: str | None
    status: str
    owner: Person
    started_at: datetime
    last_activity_at: datetime
    turn_count: int
    busy: bool
    finalize_requested: str


@dataclass(frozen=True)
class OpenTopicPage:
    """Some open topics, those longest without activity first."""

    results: list[OpenTopic]
    next: str | None


def page(user: User, *, cursor: str = "") -> OpenTopicPage:
    """The topics that are open, whoever's, those longest without activity first."""
    _administers(user)
    found = Topic.objects.filter(status=TopicStatus.OPEN)
    if cursor:
        at, topic_id = _opened(cursor)
        found = found.filter(Q(last_activity_at__gt=at) | Q(last_activity_at=at, pk__gt=topic_id))
    ordered = found.select_related("owner").order_by("last_activity_at", "pk")
    rows = list(ordered[: PAGE + 1])
    following = None
    if len(rows) > PAGE:
        last = rows[PAGE - 1]
        following = signing.dumps([last.last_activity_at.isoformat(), last.pk], salt="open topics")
    return OpenTopicPage(_shown(user, rows[:PAGE]), following)


def finalize(user: User, topic_id: int) -> OpenTopic:
    """Finish anybody's topic, audited; while a turn waits or runs the wish is noted and kept (P6)."""
    _administers(user)
    try:
        topic = lifecycle.finalize(
            topic_id, reason=FinalizeReason.ADMINISTRATOR, actor=f"person:{user.pk}"
        )
    except Topic.DoesNotExist:
        raise refusals.NotFound("topic") from None
    except acts.TopicRefused as refused:
        raise refusals.Conflict(refused.reason, code=refused.code) from refused
    # Behind it, since a hook's refusal is recorded after a roll-back; the tape names who asked.
    audit.note(user, "topic_finalized", f"topic:{topic_id}")
    return _shown(user, [topic])[0]


def _administers(user: User) -> None:
    if not roles.has(user, "administrator"):
        raise refusals.Forbidden(ONLY_ADMINISTRATORS)


def _shown(user: User, found: Sequence[Topic]) -> list[OpenTopic]:
    ids = [topic.pk for topic in found]
    readable = Access(user).topics().filter(Q(withheld=False), pk__in=ids)
    titles = dict(readable.values_list("pk", "title"))
    statuses = defaultdict[int, list[str]](list)
    for topic_id, status in Turn.objects.filter(topic__in=ids).values_list("topic_id", "status"):
        statuses[topic_id].append(status)
    return [
        OpenTopic(
            id=topic.pk,
            title=titles.get(topic.pk),
            status=topic.status,
            owner=person(topic.owner),
            started_at=topic.started_at,
            last_activity_at=topic.last_activity_at,
            turn_count=len(statuses[topic.pk]),
            busy=not set(statuses[topic.pk]).isdisjoint(UNFINISHED),
            finalize_requested=topic.finalize_requested,
        )
        for topic in found
    ]


def _opened(cursor: str) -> tuple[str, int]:
    try:
        at, topic_id = signing.loads(cursor, salt="open topics")
    except (signing.BadSignature, ValueError):
        raise refusals.Invalid("This cursor was not given out here.", code="bad_cursor") from None
    return at, topic_id
