"""The segments of a topic too long for its model: the stretches that `brain_overload` anchors close (P8)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db.models import Count, Q

from tapes import views
from tapes.models import Anchor, Fork
from tapes.models import Entry as Row

if TYPE_CHECKING:
    from tapes.entries import Entry
    from topics.models import Topic

OVERLOAD = "brain_overload"


@dataclass(frozen=True, slots=True)
class Place:
    """An anchor of a topic: its seq, and what it keeps."""

    seq: int
    state: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of a topic's entries, both ends included; the segments of a topic leave no gap.

    Each after the first begins with the overload of the one before. The last is still open: it has no overload, `last_seq` is the topic's end or its tape's head,
    and nobody has counted its tokens.
    """

    number: int
    first_seq: int
    last_seq: int
    overload: Entry | None
    entries: int
    tokens: int | None


def anchors(
    tape_id: int, topic_id: int, name: str, *, before: int | None = None, fork_id: int | None = None
) -> list[Place]:
    """The anchors of a name that belong to a topic, in order: merged, or on the given fork."""
    shown = Q(fork=None) | Q(fork__state=Fork.MERGED) | Q(fork=fork_id or 0)
    return _places(tape_id, topic_id, name, shown, before)


def of(topic: Topic, *, head: int) -> list[Segment]:
    """A topic's segments, those of a turn that is still running too; `head` is its tape's last seq."""
    shown = Q(fork=None) | ~Q(fork__state=Fork.DISCARDED)
    closing = _places(topic.tape_id, topic.pk, OVERLOAD, shown, None)
    overloads = {
        entry.seq: entry for entry in views.at((topic.tape_id, place.seq) for place in closing)
    }
    first, found = topic.initial_seq, []
    for number, place in enumerate(closing, start=1):
        last = place.seq - 1
        count = counted(topic.tape_id, topic.pk, first, last)
        tokens = place.state.get("tokens")
        tokens = tokens if isinstance(tokens, int) else None
        found.append(Segment(number, first, last, overloads[place.seq], count, tokens))
        first = place.seq
    last = topic.finalized_seq or max(head, first)
    count = counted(topic.tape_id, topic.pk, first, last)
    return [*found, Segment(len(found) + 1, first, last, None, count, None)]


def counted(tape_id: int, topic_id: int, first: int, last: int) -> int:
    """How many entries of a topic stand in a stretch of its tape."""
    rows = Row.objects.filter(tape_id=tape_id, topic_id=topic_id, seq__gte=first, seq__lte=last)
    return int(rows.aggregate(number=Count("seq"))["number"])


def begins(tape_id: int, topic_id: int, initial_seq: int, *, fork_id: int) -> int:
    """The first seq of the segment that is open now: the newest overload, or the topic's beginning."""
    closed = anchors(tape_id, topic_id, OVERLOAD, fork_id=fork_id)
    return closed[-1].seq if closed else initial_seq


def _places(tape_id: int, topic_id: int, name: str, shown: Q, before: int | None) -> list[Place]:
    rows = Anchor.objects.filter(shown, tape_id=tape_id, name=name)
    if before is not None:
        rows = rows.filter(seq__lt=before)
    seqs = dict(rows.order_by("seq").values_list("seq", "state"))
    # An anchor's row does not know its topic; its entry does.
    of_topic = Row.objects.filter(tape_id=tape_id, seq__in=seqs, topic_id=topic_id)
    return [Place(seq, seqs[seq] or {}) for seq in sorted(of_topic.values_list("seq", flat=True))]
