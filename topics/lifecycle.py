"""How topics start and end: the only writer of Topic rows, but for `rebuild` and `erasing` (P1, P2, P5, P6)."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING

from django.conf import settings
from django.db.models import Exists, OuterRef
from django.utils import timezone

from tapes import entries, store
from topics import acts, continuing, finding, hooks, ids, locks, pipeline, renewing, titles
from topics.hooks import runner
from topics.models import UNFINISHED, FinalizeReason, Topic, TopicStatus, Turn

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.db.models import QuerySet

    from tapes.entries import Entry, NewEntry

INITIAL = "topic_initial"
FINALIZED = "topic_finalized"
CLOSED_BY_SYSTEM = frozenset({FinalizeReason.SUPERSEDED, FinalizeReason.IDLE, FinalizeReason.RESET})
"""Reasons that make a topic aborted, and that no hook can refuse."""

logger = logging.getLogger(__name__)


class TapeBusy(Exception):
    """A turn waits or runs on the tape, so no topic can start there (P2)."""

    code = "tape_busy"


class TopicStillOpen(Exception):
    """A topic is open on the tape and no hook finalized it (P2)."""

    code = "topic_still_open"


class TopicClosed(Exception):
    """The topic has ended; a question to it starts a continued topic (P5)."""

    code = "topic_closed"


class EmptyTitle(Exception):
    """A title needs words."""

    code = "empty_title"


@acts.act
def start(
    *,
    tape_id: int,
    owner_id: int,
    title: str,
    actor: str,
    continues: int | None = None,
    sources: Iterable[int] = (),
) -> Topic:
    """Start a topic on a tape, after its pre-hooks; an open one there is finalized by the first.

    One that continues another begins with a note of that one (P5).
    Raises TapeBusy, TopicStillOpen, acts.TopicRefused; store.UnknownTape for a missing tape.
    """
    locks.tape(tape_id)
    if Turn.objects.filter(tape=tape_id, status__in=UNFINISHED).exists():
        raise TapeBusy("a question is being answered on this tape")
    draft = hooks.Draft(
        tape_id=tape_id,
        owner_id=owner_id,
        title=title,
        sources=tuple(sources),
        continues_id=continues,
    )
    context = hooks.Context(stage=hooks.Stage.PRE_TOPIC_INITIAL, topic=draft, actor=actor)
    left = pipeline.run(context, refusable=True)
    if open_on(tape_id):
        raise TopicStillOpen("a topic is open on this tape")
    draft.title = titles.trimmed(draft.title)
    if not draft.title:
        raise EmptyTitle("a topic needs a title")
    return _opened(context, left)


def _opened(context: hooks.Context, left: Sequence[NewEntry]) -> Topic:
    draft = context.topic
    topic_id = ids.take(Topic)
    state = {
        "topic": topic_id,
        "title": draft.title,
        "owner": draft.owner_id,
        "continues": draft.continues_id,
    }
    anchor = entries.anchor(INITIAL, state, actor=context.actor, sources=draft.sources)
    recalled = [continuing.note(draft.continues_id)] if draft.continues_id else []
    first, *_ = _append(draft.tape_id, topic_id, [anchor, *recalled, *left])
    topic = Topic.objects.create(
        pk=topic_id,
        tape_id=draft.tape_id,
        owner_id=draft.owner_id,
        title=draft.title,
        sources=sorted(set(draft.sources)),
        initial_seq=first.seq,
        started_at=first.date,
        last_activity_at=first.date,
        continues_id=draft.continues_id,
    )
    finding.outdate(topic.pk)
    runner.queue(topic, hooks.Stage.POST_TOPIC_INITIAL)
    return topic


@acts.act
def finalize(topic_id: int, *, reason: str, actor: str) -> Topic:
    """End a topic; with a turn waiting or running it is written down and done when that ends (P6).

    Ending it again changes nothing. Raises acts.TopicRefused when a pre-hook says no, which it
    cannot for the reasons of CLOSED_BY_SYSTEM.
    """
    topic = _locked(topic_id)
    wanted = FinalizeReason(reason)
    if topic.status != TopicStatus.OPEN:
        return topic
    if _unfinished(topic):
        return _requested(topic, reason=wanted, actor=actor)
    return _closed(topic, reason=wanted, actor=actor)


def complete_requested(topic_id: int) -> Topic:
    """End a topic whose end was asked for while a turn ran, once no turn is left.

    A hook's refusal withdraws the request; the reason is on the tape.
    """
    try:
        return _complete(topic_id)
    except acts.TopicRefused:
        return _withdraw(topic_id)


def complete_left() -> int:
    """End the topics whose worker was lost between a turn's end and theirs; returns how many."""
    asked = Topic.objects.exclude(finalize_requested="")
    return _end_each(asked.filter(~_turns_left(), status=TopicStatus.OPEN), complete_requested)


def finalize_idle(now: datetime | None = None) -> int:
    """End the topics without activity for `TOPIC_IDLE_DAYS`; returns how many (P6)."""
    since = (now or timezone.now()) - timedelta(days=settings.TOPIC_IDLE_DAYS)
    idle = Topic.objects.filter(~_turns_left(), status=TopicStatus.OPEN, last_activity_at__lt=since)
    return _end_each(idle, partial(_close_idle, since=since))


@acts.act
def rename(topic_id: int, *, title: str, actor: str, sources: Iterable[int] = ()) -> Topic:
    """Give a topic another title, as an event; also after its end. Raises EmptyTitle."""
    topic = _locked(topic_id)
    renamed = titles.trimmed(title)
    if not renamed:
        raise EmptyTitle("a topic needs a title")
    if renamed == topic.title:
        return topic
    seen = sorted({*topic.sources, *sources} if topic.summary else set(sources))
    event = entries.event("topic_renamed", {"title": renamed}, actor=actor, sources=tuple(seen))
    _append(topic.tape_id, topic.pk, [event])
    return updated(topic, title=renamed, sources=seen)


def open_on(tape_id: int) -> Topic | None:
    """The topic that is open on a tape, if one is."""
    return Topic.objects.filter(tape=tape_id, status=TopicStatus.OPEN).first()


def held_open(topic_id: int) -> Topic:
    """The topic with its tape locked until the transaction ends. Raises TopicClosed."""
    topic = _locked(topic_id)
    if topic.status != TopicStatus.OPEN:
        raise TopicClosed(f"topic {topic_id} has ended")
    return topic


def touch(topic_id: int, *, at: datetime) -> None:
    """Note that something happened in the topic, so that it is not idle."""
    Topic.objects.filter(pk=topic_id).update(last_activity_at=at)
    finding.outdate(topic_id)


@acts.act
def _complete(topic_id: int) -> Topic:
    topic = _locked(topic_id)
    if topic.status != TopicStatus.OPEN or not topic.finalize_requested or _unfinished(topic):
        return topic
    asked, actor = renewing.asked_for(topic), topic.finalize_actor
    reason = FinalizeReason.RESET if asked is not None else topic.finalize_requested
    closed = _closed(topic, reason=FinalizeReason(reason), actor=actor)
    if asked is not None:
        renewing.anew(topic.tape_id, actor="agent", why=asked)
    return closed


@acts.act
def _withdraw(topic_id: int) -> Topic:
    topic = _locked(topic_id)
    # Someone may have ended it since it was refused.
    if topic.status != TopicStatus.OPEN or not topic.finalize_requested:
        return topic
    _append(topic.tape_id, topic.pk, [entries.event("finalize_withdrawn", actor="system")])
    return updated(topic, finalize_requested="", finalize_actor="")


@acts.act
def _close_idle(topic_id: int, *, since: datetime) -> Topic:
    topic = _locked(topic_id)
    # Someone may have asked, or ended it, since the sweep looked.
    if topic.status != TopicStatus.OPEN or topic.last_activity_at >= since or _unfinished(topic):
        return topic
    return _closed(topic, reason=FinalizeReason.IDLE, actor="system")


def _end_each(topics: QuerySet[Topic], end: Callable[[int], Topic]) -> int:
    """End topics in a transaction each; one that cannot be ended stops no other."""
    ended = 0
    for topic_id in list(topics.values_list("pk", flat=True)):
        try:
            ended += end(topic_id).status != TopicStatus.OPEN
        except Exception:
            logger.exception("topic %s could not be ended", topic_id)
    return ended


def _requested(topic: Topic, *, reason: FinalizeReason, actor: str) -> Topic:
    if topic.finalize_requested:
        return topic
    event = entries.event("finalize_requested", {"reason": reason.value}, actor=actor)
    _append(topic.tape_id, topic.pk, [event])
    return updated(topic, finalize_requested=reason.value, finalize_actor=actor)


def _closed(topic: Topic, *, reason: FinalizeReason, actor: str) -> Topic:
    draft = hooks.Draft.of(topic)
    context = hooks.Context(
        stage=hooks.Stage.PRE_TOPIC_FINALIZED,
        topic=draft,
        actor=actor,
        topic_id=topic.pk,
        reason=reason.value,
    )
    by_system = reason in CLOSED_BY_SYSTEM
    left = pipeline.run(context, refusable=not by_system)
    status = TopicStatus.ABORTED if by_system else TopicStatus.FINALIZED
    draft.title = titles.trimmed(draft.title) or topic.title
    state = {
        "topic": topic.pk,
        "status": status.value,
        "reason": reason.value,
        "title": draft.title,
        "summary": draft.summary,
    }
    anchor = entries.anchor(FINALIZED, state, actor=actor, sources=draft.sources)
    *_, last = _append(topic.tape_id, topic.pk, [*left, anchor])
    closed = updated(
        topic,
        title=draft.title,
        summary=draft.summary,
        sources=sorted(set(draft.sources)),
        status=status,
        reason=reason,
        finalized_seq=last.seq,
        finalized_at=last.date,
        last_activity_at=last.date,
        finalize_requested="",
        finalize_actor="",
    )
    runner.queue(closed, hooks.Stage.POST_TOPIC_FINALIZED)
    return closed


def _locked(topic_id: int) -> Topic:
    """The topic under its tape's lock. Raises Topic.DoesNotExist."""
    tape_id = Topic.objects.values_list("tape_id", flat=True).get(pk=topic_id)
    locks.tape(tape_id)
    return Topic.objects.get(pk=topic_id)


def _unfinished(topic: Topic) -> bool:
    return topic.turns.filter(status__in=UNFINISHED).exists()


def _turns_left() -> Exists:
    return Exists(Turn.objects.filter(topic=OuterRef("pk"), status__in=UNFINISHED))


def updated(topic: Topic, **fields: object) -> Topic:
    """Write columns of a topic whose tape is locked, and have it found by them."""
    for name, value in fields.items():
        setattr(topic, name, value)
    topic.save(update_fields=list(fields))
    finding.outdate(topic.pk)
    return topic


def _append(tape_id: int, topic_id: int, new: Iterable[NewEntry]) -> list[Entry]:
    return store.append(tape_id, [replace(entry, topic_id=topic_id) for entry in new])
