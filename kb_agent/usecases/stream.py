"""What a person follows live: new entries and turns of the tapes they may see."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import connection, transaction
from django.db.models import Q

from kb_agent.usecases import entries as entry_cases
from kb_agent.usecases import refusals
from kb_agent.usecases import turns as turn_cases
from kb_agent.usecases.access import Access
from tapes import views
from topics import experiments
from topics.models import UNFINISHED, Turn

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from kb_agent.accounts.models import User
    from kb_agent.usecases.entries import ShownEntry
    from kb_agent.usecases.turns import ShownTurn

BATCH = 200
"""Entries read at once, so that a long tape is never held in memory."""


@dataclass(frozen=True)
class News:
    """What happened after a position: entries in seq order, and the turns they touch as they stand now."""

    entries: list[ShownEntry]
    turns: list[ShownTurn]
    readable: frozenset[int]
    """The repositories whose text may be shown to the reader now, live text too."""

    more: bool
    """Whether to ask again at once."""


def allow(user: User, tapes: Mapping[int, int]) -> None:
    """Let this person follow these tapes, or raise `NotFound`: one they may not see counts as none."""
    access = Access(user)
    topics = list(access.topics().filter(tape__in=tapes))
    if {topic.tape_id for topic in topics} != set(tapes):
        raise refusals.NotFound("tape")
    access.note_reading(topics)


def news(user: User, tapes: Mapping[int, int], known: Mapping[int, ShownTurn]) -> News | None:
    """What is new on these tapes after each position; None when this person may see none of them.

    Permission is decided anew by every call. `known` are the turns as they were told before.
    """
    access = Access(user)
    with _one_snapshot():
        return _news(access, tapes, known)


@contextmanager
def _one_snapshot() -> Iterator[None]:
    """Let entries and turns be of the same moment: no turn has ended whose end is not told."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        yield


def _news(access: Access, tapes: Mapping[int, int], known: Mapping[int, ShownTurn]) -> News | None:
    topics: dict[int, list[int]] = {}
    for topic_id, tape_id in access.topics().filter(tape__in=tapes).values_list("pk", "tape_id"):
        topics.setdefault(tape_id, []).append(topic_id)
    if not topics:
        return None
    visible = [topic_id for topic_ids in topics.values() for topic_id in topic_ids]
    own = experiments.forks_of(visible, asker_id=access.person.pk)
    found = [
        entry
        for tape_id, topic_ids in topics.items()
        for entry in views.entries_after(
            tape_id, tapes[tape_id], topic_ids=topic_ids, inspected=own, limit=BATCH
        )
    ]
    touched = {entry.turn_id for entry in found if entry.turn_id}
    return News(
        entries=[entry_cases.shown_one(access, entry) for entry in found],
        turns=[turn for turn in _turns(visible, touched, known) if known.get(turn.id) != turn],
        readable=access.readable,
        more=len(found) >= BATCH,
    )


def _turns(
    visible: list[int], touched: set[int], known: Mapping[int, ShownTurn]
) -> list[ShownTurn]:
    """The turns that may have changed: touched by an entry, unfinished now, or when last told."""
    told = {turn.id for turn in known.values() if turn.status in UNFINISHED}
    rows = Turn.objects.select_related("asker").filter(
        Q(status__in=UNFINISHED) | Q(pk__in=touched | told), topic__in=visible
    )
    return turn_cases.shown(list(rows.order_by("pk")))
