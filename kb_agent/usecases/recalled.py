"""What a person can do with the earlier topics that were recalled for one: see them, dismiss one, bring it back (P7)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kb_agent.usecases import refusals
from kb_agent.usecases.access import Access
from topics import dismissing

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from kb_agent.accounts.models import User
    from topics.models import Topic


@dataclass(frozen=True)
class ShownRecalled:
    """A recalled topic as this person may see it: by its row of today, or as withheld."""

    topic: int
    tape: int
    first: int
    last: int
    title: str | None
    summary: str | None
    owner: str | None
    finalized_at: datetime | None
    score: float | None
    continued: bool
    dismissed: bool
    withheld: bool


def recalled(user: User, topic_id: int) -> list[ShownRecalled]:
    """The topics recalled for one that this person may see."""
    access = Access(user)
    return _shown(access, access.topic(topic_id))


def dismiss(user: User, topic_id: int, recalled_id: int) -> list[ShownRecalled]:
    """Leave a recalled topic out of what the model is shown from now on; the owner's to say."""
    return _change(user, topic_id, recalled_id, dismissing.dismiss)


def restore(user: User, topic_id: int, recalled_id: int) -> list[ShownRecalled]:
    """Take a dismissal back."""
    return _change(user, topic_id, recalled_id, dismissing.restore)


def _change(
    user: User, topic_id: int, recalled_id: int, act: Callable[..., None]
) -> list[ShownRecalled]:
    access = Access(user)
    topic = access.own_topic(topic_id)
    try:
        act(topic, recalled_id, actor=f"person:{user.pk}")
    except dismissing.NotRecalled as unknown:
        raise refusals.NotFound("topic") from unknown
    return _shown(access, topic)


def _shown(access: Access, topic: Topic) -> list[ShownRecalled]:
    found = dismissing.recalled(topic)
    seen = access.topics().select_related("owner").in_bulk([one.topic for one in found])
    shown = []
    for one in found:
        row = seen.get(one.topic)
        told = row if row and access.prose_readable.issuperset(row.sources) else None
        shown.append(
            ShownRecalled(
                topic=one.topic,
                tape=one.tape,
                first=one.range[0],
                last=one.range[1],
                title=told.title if told else None,
                summary=told.summary if told else None,
                owner=told.owner.shown_name if told else None,
                finalized_at=told.finalized_at if told else None,
                score=one.score,
                continued=one.topic == topic.continues_id,
                dismissed=one.dismissed,
                withheld=told is None,
            )
        )
    return shown
