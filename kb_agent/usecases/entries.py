"""Reads a topic's entries as one person may see them: what they may not read keeps its place and says so."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from kb_agent.usecases import prose
from kb_agent.usecases.access import Access
from tapes import browsing, store, views
from topics import experiments

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from kb_agent.accounts.models import User
    from tapes.entries import Entry


@dataclass(frozen=True)
class ShownCorrection:
    """What is right where an entry was wrong; `text` is None when withheld."""

    seq: int
    text: str | None
    actor: str
    date: datetime
    withheld: bool


@dataclass(frozen=True)
class ShownEntry:
    """An entry as people see it; a withheld one keeps its place and says so."""

    tape: int
    seq: int
    kind: str
    payload: dict[str, Any] | None
    meta: dict[str, Any]
    date: datetime
    topic: int | None
    turn: int | None
    step: int | None
    part: int | None
    fork: int | None
    actor: str
    why: str
    withheld: bool
    corrections: list[ShownCorrection] = field(default_factory=list)


@dataclass(frozen=True)
class EntryPage:
    """Some entries, and how far the tape has come."""

    results: list[ShownEntry]
    head: int


def of_topic(user: User, topic_id: int, *, after: int = 0, limit: int = 500) -> EntryPage:
    """The entries that belong to a topic, in seq order, those of a running turn included."""
    access = Access(user)
    topic = access.topic(topic_id)
    found = views.entries_after(
        topic.tape_id,
        after,
        topic_ids=[topic.pk],
        inspected=experiments.forks_of([topic.pk], asker_id=user.pk),
        limit=limit,
    )
    return EntryPage(shown(access, found), store.get(topic.tape_id).head)


def shown(access: Access, found: Sequence[Entry]) -> list[ShownEntry]:
    """Entries for this person, each with what corrects it beside it."""
    beside = browsing.corrections((entry.tape_id, entry.seq) for entry in found)
    return [
        replace(
            shown_one(access, entry),
            corrections=[
                correction(access, one) for one in beside.get((entry.tape_id, entry.seq), ())
            ],
        )
        for entry in found
    ]


def correction(access: Access, entry: Entry) -> ShownCorrection:
    """A correction for this person."""
    withheld = not access.shows_entry(entry)
    text = None if withheld else str(entry.payload["data"]["text"])
    return ShownCorrection(entry.seq, text, entry.actor, entry.date, withheld)


def shown_one(access: Access, entry: Entry) -> ShownEntry:
    """An entry for this person: without its words when they come from code the person may not read.

    Of an answer from code that answers to the whole company the prose is shown.
    """
    shows = access.shows_entry(entry)
    withheld = not shows
    payload, meta = (None, {}) if withheld else (entry.payload, entry.meta)
    if withheld and _answers(entry) and access.shows_prose(entry.sources):
        payload = {**entry.payload, "content": prose.of(str(entry.payload["content"]))}
        meta, withheld = prose.meta(entry.meta), False
    return ShownEntry(
        tape=entry.tape_id,
        seq=entry.seq,
        kind=entry.kind,
        payload=payload,
        meta=meta,
        date=entry.date,
        topic=entry.topic_id,
        turn=entry.turn_id,
        step=entry.step,
        part=entry.part,
        fork=entry.fork_id,
        actor=entry.actor,
        why=entry.why if shows else "",
        withheld=withheld,
    )


def _answers(entry: Entry) -> bool:
    """Whether this is an answer's text."""
    return entry.kind == "message" and entry.payload.get("role") == "assistant"
