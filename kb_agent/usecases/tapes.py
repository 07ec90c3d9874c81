"""What a person can do with tapes: find them, see what stands on one, have it checked."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kb_agent.accounts import audit
from kb_agent.usecases import tape_forks, tape_reading
from kb_agent.usecases import turns as turn_cases
from kb_agent.usecases.access import Access
from kb_agent.usecases.people import Person, person
from tapes import browsing, verifying, views
from topics import asking
from topics.models import Topic, Turn

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from kb_agent.accounts.models import User
    from kb_agent.usecases.tape_forks import ShownFork
    from kb_agent.usecases.turns import Cost
    from tapes.store import Tape
    from tapes.verifying import Check

PAGE = 50
OVERLOAD = "brain_overload"


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
    usage: dict[str, int] | None
    cost: Cost | None
    segments: list[dict[str, int | None]]


@dataclass(frozen=True)
class TapeDetail(ShownTape):
    """A tape with what stands on it."""

    busy: bool
    topics: list[TopicOnTape]
    counts: dict[str, int]
    usage: dict[str, int] | None
    cost: Cost | None
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
    calls = _calls(tape_id, allowed)
    forks = tape_forks.seen_by(access, tape_id, tape_forks.shown(tape_id, browsing.forks(tape_id)))
    unfinished = asking.unfinished_on(tape_id)
    spent = [call for of_topic in calls.values() for call in of_topic]
    return TapeDetail(
        **vars(_shown(access, [tape])[0]),
        busy=any(allowed is None or turn.topic_id in allowed for turn in unfinished),
        topics=_topics(access, tape_id, topics, calls),
        counts=views.counts(tape_id, topic_ids=allowed),
        usage=turn_cases.usage_of(spent),
        cost=turn_cases.cost_of(spent),
        forks=forks,
        fork_count=browsing.fork_count(tape_id) if allowed is None else len(forks),
    )


def told(tape: Tape) -> dict[str, Any]:
    """What the operator at the command line is told of a tape, in values JSON takes."""
    calls = _calls(tape.pk, None)
    cost = turn_cases.cost_of([call for of_topic in calls.values() for call in of_topic])
    check = verifying.last([tape.pk]).get(tape.pk)
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
            for topic in Topic.objects.filter(tape=tape.pk).order_by("initial_seq")
        ],
        "cost": vars(cost) if cost else None,
        "verified": {"ok": check.ok, "first_bad_seq": check.first_bad_seq} if check else None,
    }


def verify(user: User, tape_id: int) -> Check:
    """Let a worker check the tape; what it finds is told with the tape (T5)."""
    return verifying.request(Access(user).tape(tape_id).pk)


def _shown(access: Access, found: Sequence[Tape]) -> list[ShownTape]:
    on: dict[int, list[Topic]] = defaultdict(list)
    for topic in access.topics().filter(tape__in=found).select_related("owner").order_by("pk"):
        on[topic.tape_id].append(topic)
    checks = verifying.last([tape.pk for tape in found])
    return [
        ShownTape(
            id=tape.pk,
            name=tape.name,
            head=tape.head,
            created_at=tape.created_at,
            archived_at=tape.archived_at,
            owner=_owner(access, tape, on[tape.pk]),
            mine=access.owns(tape),
            topic_count=len(on[tape.pk]),
            verified=checks.get(tape.pk),
        )
        for tape in found
    ]


def _owner(access: Access, tape: Tape, topics: Sequence[Topic]) -> Person | None:
    if topics:
        return person(topics[0].owner)
    return person(access.person) if access.owns(tape) else None


def _calls(tape_id: int, allowed: list[int] | None) -> dict[int | None, list[dict[str, object]]]:
    """What ended model calls say of themselves, by topic; discarded ones were paid as well (P11)."""
    calls: dict[int | None, list[dict[str, object]]] = defaultdict(list)
    for entry in browsing.events(tape_id, "model_call_ended"):
        data = entry.payload.get("data")
        if isinstance(data, dict) and (allowed is None or entry.topic_id in allowed):
            calls[entry.topic_id].append({"status": "", "currency": "", **data})
    return calls


def _topics(
    access: Access,
    tape_id: int,
    topics: Sequence[Topic],
    calls: dict[int | None, list[dict[str, object]]],
) -> list[TopicOnTape]:
    splits = [place.seq for place in views.anchors(tape_id) if place.name == OVERLOAD]
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
            usage=turn_cases.usage_of(calls[topic.pk]),
            cost=turn_cases.cost_of(calls[topic.pk]),
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
