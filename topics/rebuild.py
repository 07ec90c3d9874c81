"""Topic rows from their tape alone: a projection that can be thrown away and made anew (P1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tapes.models import Entry
from topics import acts, finding, lifecycle, locks
from topics.models import Topic, TopicStatus

if TYPE_CHECKING:
    from collections.abc import Callable

_COLUMNS = [field.name for field in Topic._meta.concrete_fields if not field.primary_key]  # noqa: SLF001 — Django's documented way to a model's fields


@acts.act
def of_tape(tape_id: int) -> int:
    """Write every topic row of a tape again from its entries; returns how many."""
    locks.tape(tape_id)
    told = told_by(tape_id)
    # Those that have ended first, so that no two are open on the tape in between.
    ended = [topic for topic in told if topic.status != TopicStatus.OPEN]
    still_open = [topic for topic in told if topic.status == TopicStatus.OPEN]
    for rows in (ended, still_open):
        Topic.objects.bulk_create(
            rows, update_conflicts=True, unique_fields=["id"], update_fields=_COLUMNS
        )
    for topic in told:
        finding.outdate(topic.pk)
    return len(told)


def told_by(tape_id: int) -> list[Topic]:
    """The topics a tape tells of, as rows not saved, in the order they started."""
    told: dict[int, Topic] = {}
    entries = Entry.objects.filter(tape=tape_id, topic_id__isnull=False).order_by("seq")
    for entry in entries.defer("payload_text", "meta_text").iterator():
        name = entry.payload.get("name", entry.kind)
        if name == lifecycle.INITIAL:
            told[entry.topic_id or 0] = Topic(pk=entry.topic_id, tape_id=tape_id)
        step = _STEPS.get(name)
        if step and entry.topic_id in told:
            step(
                told[entry.topic_id], entry, entry.payload.get("state") or entry.payload.get("data")
            )
    return list(told.values())


def _started(topic: Topic, entry: Entry, state: Any) -> None:
    topic.owner_id = state["owner"]
    topic.title = state["title"]
    topic.continues_id = state["continues"]
    topic.sources = list(entry.sources)
    topic.initial_seq = entry.seq
    topic.started_at = topic.last_activity_at = entry.date


def _ended(topic: Topic, entry: Entry, state: Any) -> None:
    topic.status = state["status"]
    topic.reason = state["reason"]
    topic.title = state["title"]
    topic.summary = state["summary"]
    topic.sources = list(entry.sources)
    topic.finalized_seq = entry.seq
    topic.finalized_at = topic.last_activity_at = entry.date
    topic.finalize_requested = topic.finalize_actor = ""


def _renamed(topic: Topic, entry: Entry, data: Any) -> None:
    topic.title = data["title"]
    topic.sources = list(entry.sources)


def _described(topic: Topic, entry: Entry, data: Any) -> None:
    topic.title, topic.summary = data["title"], data["summary"]
    topic.sources = list(entry.sources)


def _end_asked(topic: Topic, entry: Entry, data: Any) -> None:
    topic.finalize_requested = data["reason"]
    topic.finalize_actor = entry.actor


def _end_withdrawn(topic: Topic, _: Entry, __: Any) -> None:
    topic.finalize_requested = topic.finalize_actor = ""


def _active(topic: Topic, entry: Entry, _: Any) -> None:
    topic.last_activity_at = entry.date


def _said(topic: Topic, entry: Entry, _: Any) -> None:
    if entry.payload["role"] == "user":
        topic.last_activity_at = entry.date


_STEPS: dict[str, Callable[[Topic, Entry, Any], None]] = {
    lifecycle.INITIAL: _started,
    lifecycle.FINALIZED: _ended,
    "topic_renamed": _renamed,
    "topic_described": _described,
    "finalize_requested": _end_asked,
    "finalize_withdrawn": _end_withdrawn,
    "message_taken_up": _active,
    "turn_ended": _active,
    "message": _said,
}
