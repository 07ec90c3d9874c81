"""The segments of a topic that grew past its model's window: what each held, what was kept, what it cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kb_agent.usecases import refusals
from kb_agent.usecases.access import Access
from tapes import store, views
from tapes.views import View
from topics import ledger, segments
from topics.models import Topic

if TYPE_CHECKING:
    from kb_agent.accounts.models import User
    from tapes.entries import Entry
    from topics.ledger import Spent
    from topics.segments import Segment


@dataclass(frozen=True)
class ShownSummary:
    """What was kept of a closed segment: statements, each with the entries it rests on.

    `by` is `model` or `rule`. A withheld one says nothing.
    """

    by: str
    statements: list[dict[str, Any]]
    withheld: bool


@dataclass(frozen=True)
class ShownSegment:
    """A stretch of a topic; the last one is open: no overload, no summary, nobody counted its tokens."""

    number: int
    first_seq: int
    last_seq: int
    overload_seq: int | None
    entries: int
    tokens: int | None
    summary: ShownSummary | None
    cost: dict[str, Any]


def of_topic(user: User, topic_id: int) -> list[ShownSegment]:
    """A topic's segments in order; a topic in one piece has one."""
    access = Access(user)
    return _of(access, access.topic(topic_id))


def at_command_line(topic_id: int) -> list[ShownSegment]:
    """The same for the operator, who reads everything. Raises `NotFound`."""
    return _of(None, _known(topic_id))


def replayed(topic_id: int, number: int) -> list[Entry]:
    """The entries of one segment, as the operator reads them. Raises `NotFound`."""
    topic = _known(topic_id)
    for one in segments.of(topic, head=store.get(topic.tape_id).head):
        if one.number == number:
            found = views.read(topic.tape_id, View.seqs(one.first_seq, one.last_seq))
            return [entry for entry in found if entry.topic_id == topic.pk]
    raise refusals.NotFound("segment")


def _known(topic_id: int) -> Topic:
    topic = Topic.objects.filter(pk=topic_id).first()
    if topic is None:
        raise refusals.NotFound("topic")
    return topic


def _of(access: Access | None, topic: Topic) -> list[ShownSegment]:
    found = segments.of(topic, head=store.get(topic.tape_id).head)
    return [
        _shown(one, _summary(access, one.overload), spent)
        for one, spent in zip(found, _spent(topic, found), strict=True)
    ]


def _spent(topic: Topic, found: list[Segment]) -> list[Spent]:
    """What each cost; what was called for a topic after its end counts in its last segment."""
    ranges: list[tuple[int, int | None]] = [(one.first_seq, one.last_seq) for one in found[:-1]]
    return ledger.spent_between(topic.tape_id, topic.pk, [*ranges, (found[-1].first_seq, None)])


def _shown(one: Segment, summary: ShownSummary | None, spent: Spent) -> ShownSegment:
    return ShownSegment(
        number=one.number,
        first_seq=one.first_seq,
        last_seq=one.last_seq,
        overload_seq=one.overload.seq if one.overload else None,
        entries=one.entries,
        tokens=one.tokens,
        summary=summary,
        cost=spent.shown(),
    )


def _summary(access: Access | None, overload: Entry | None) -> ShownSummary | None:
    if overload is None:
        return None
    state = overload.payload.get("state") or {}
    by = "model" if state.get("summed_up_by") == "model" else "rule"
    if access is not None and not access.shows_entry(overload):
        return ShownSummary(by, [], withheld=True)
    told = state.get("statements")
    statements = [
        {"kind": str(one.get("kind", "")), "text": str(one["text"]), "seqs": one["seqs"]}
        for one in (told if isinstance(told, list) else ())
        if isinstance(one, dict) and "text" in one and isinstance(one.get("seqs"), list)
    ]
    return ShownSummary(by, statements, withheld=False)
