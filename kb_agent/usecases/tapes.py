"""What a person can do with tapes: find them, see what stands on one, have it checked."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kb_agent.accounts import audit
from kb_agent.usecases import tape_forks, tape_reading
from kb_agent.usecases.access import Access
from kb_agent.usecases.people import Person, person
from tapes import browsing, views
from tapes.verify import requests
from tapes.views import View
from topics import asking, ledger
from topics.models import Topic, Turn

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from kb_agent.accounts.models import User
    from kb_agent.usecases.tape_forks import ShownFork
    from tapes.store import Tape
    from tapes.verify.requests import Check
    from topics.ledger import Spent

PAGE = 50
OVERLOAD = "brain_overload"
COUNTED = 50_000
"""The newest entries of a tape that are counted by kind."""


@dataclass(frozen=True)
class ShownTape:
    """A tape in a list."""

    id: int
    name: str
    head: int
    created_at: datetime
    archived_at: datetime | None
    owner: Person | None
    mine: bool
    topic_count: int
    verified: Check | None


@dataclass(frozen=True)
class TapePage:
    """Some tapes, newest first, and where the next ones begin."""

    results: list[ShownTape]
    next: str | None


@dataclass(frozen=True)
class TopicOnTape:
    """A topic, its range and what it cost."""

    id: int
    title: str
    status: str
    reason: str
    initial_seq: int
    finalized_seq: int | None
    turn_count: int
    cost: dict[str, Any] | None
    """None where no model was called."""
    segments: list[dict[str, int | None]]


@dataclass(frozen=True)
class TapeDetail(ShownTape):
    """A tape with what stands on it."""

    busy: bool
    topics: list[TopicOnTape]
    counts: dict[str, int]
    """Of its newest `COUNTED` entries."""
    counted_from: int
    cost: dict[str, Any] | None
    forks: list[ShownFork]
    fork_count: int


def page(user: User, *, cursor: str = "") -> TapePage:
    """The tapes this person may see, newest first, 50 at a time."""
    access = Access(user)
    found = access.tapes()
    if cursor:
        found = found.filter(pk__lt=tape_reading.number(cursor))
    rows = list(found[: PAGE + 1])
    shown = _shown(access, rows[:PAGE])
    read = [tape.id for tape in shown if not tape.mine]
    if read and access.by_role:
        audit.note(user, "tapes_listed", "tapes", details={"tapes": read})
    return TapePage(shown, str(rows[PAGE - 1].pk) if len(rows) > PAGE else None)


def show(user: User, tape_id: int) -> TapeDetail:
    """One tape with its topics, forks, counts and cost."""
    access = Access(user)
    tape = access.tape(tape_id)
    topics = list(access.topics().filter(tape=tape_id).order_by("initial_seq"))
    allowed = access.topics_on(tape)
    first = _counted_from(tape)
    forks = tape_forks.seen_by(access, tape_id, tape_forks.shown(tape_id, browsing.forks(tape_id)))
    unfinished = asking.unfinished_on(tape_id)
    spent = ledger.spent_by_topic([topic.pk for topic in topics])
    return TapeDetail(
        **vars(_shown(access, [tape])[0]),
        busy=any(allowed is None or turn.topic_id in allowed for turn in unfinished),
        topics=_topics(access, tape_id, topics, spent),
        counts=views.counts(tape_id, View.seqs(first), topic_ids=allowed),
        counted_from=first,
        cost=_told(ledger.spent_on(tape_id, spent, beside=allowed is None)),
        forks=forks,
        fork_count=browsing.fork_count(tape_id) if allowed is None else len(forks),
    )


def told(tape: Tape) -> dict[str, Any]:
    """What the operator at the command line is told of a tape, in values JSON takes."""
    topics = list(Topic.objects.filter(tape=tape.pk).order_by("initial_seq"))
    spent = ledger.spent_on(tape.pk, [topic.pk for topic in topics], beside=True)
    check = requests.last([tape.pk]).get(tape.pk)
    states = Counter(span.state for span in browsing.forks(tape.pk, limit=10_000))
    return {
        "id": tape.pk,
        "name": tape.name,
        "head": tape.head,
        "created_at": tape.created_at.isoformat(),
        "archived_at": tape.archived_at.isoformat() if tape.archived_at else None,
        "counts": views.counts(tape.pk),
        "forks": dict(states),
        "topics": [
            {
                "id": topic.pk,
                "status": topic.status,
                "first": topic.initial_seq,
                "last": topic.finalized_seq,
                "title": topic.title,
            }
            for topic in topics
        ],
        "cost": _told(spent),
        "verified": {"ok": check.ok, "first_bad_seq": check.first_bad_seq} if check else None,
    }


def verify(user: User, tape_id: int) -> Check:
    """Let a worker check the tape; what it finds is told with the tape (T5)."""
    return requests.request(Access(user).tape(tape_id).pk)


def _shown(access: Access, found: Sequence[Tape]) -> list[ShownTape]:
    on: dict[int, list[Topic]] = defaultdict(list)
    for topic in access.topics().filter(tape__in=found).select_related("owner").order_by("pk"):
        on[topic.tape_id].append(topic)
    checks = requests.last([tape.pk for tape in found])
    mine = access.owned(found)
    return [
        ShownTape(
            id=tape.pk,
            name=tape.name,
            head=tape.head,
            created_at=tape.created_at,
            archived_at=tape.archived_at,
            owner=_owner(access, on[tape.pk], mine=tape.pk in mine),
            mine=tape.pk in mine,
            topic_count=len(on[tape.pk]),
            verified=checks.get(tape.pk),
        )
        for tape in found
    ]


def _owner(access: Access, topics: Sequence[Topic], *, mine: bool) -> Person | None:
    if topics:
        return person(topics[0].owner)
    return person(access.person) if mine else None


def _counted_from(tape: Tape) -> int:
    """Where counting by kind begins: what it costs must not grow with the tape (T16)."""
    return max(tape.head - COUNTED + 1, 1)


def _told(spent: Spent | None) -> dict[str, Any] | None:
    """What was spent, discarded turns' calls too; None where no model was called (P11)."""
    return spent.shown() if spent and spent.calls else None


def _topics(
    access: Access,
    tape_id: int,
    topics: Sequence[Topic],
    spent: Mapping[int, Spent],
) -> list[TopicOnTape]:
    splits = views.seqs_of_anchors(tape_id, OVERLOAD)
    turns: dict[int, int] = defaultdict(int)
    for topic_id in Turn.objects.filter(topic__in=topics).values_list("topic_id", flat=True):
        turns[topic_id] += 1
    return [
        TopicOnTape(
            id=topic.pk,
            title=topic.title if access.shows_prose(topic.sources) else "",
            status=topic.status,
            reason=topic.reason,
            initial_seq=topic.initial_seq,
            finalized_seq=topic.finalized_seq,
            turn_count=turns[topic.pk],
            cost=_told(spent.get(topic.pk)),
            segments=_segments(topic, splits),
        )
        for topic in topics
    ]


def _segments(topic: Topic, splits: Sequence[int]) -> list[dict[str, int | None]]:
    """The stretches a topic was split into; none when it is whole."""
    last = topic.finalized_seq
    inside = [at for at in splits if at > topic.initial_seq and (last is None or at < last)]
    if not inside:
        return []
    starts = [topic.initial_seq, *inside]
    ends: list[int | None] = [*(at - 1 for at in inside), last]
    return [{"first": first, "last": until} for first, until in zip(starts, ends, strict=True)]
