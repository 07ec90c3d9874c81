"""Turns the events of facts into rows: the only writer of Fact rows, live and when they are made anew (P10)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from tapes import erased_form
from topics.models import Topic
from topics.models.facts import Fact, FactPlace, FactSource, FactStatus, FactVersion

if TYPE_CHECKING:
    from tapes.entries import Entry

PROPOSED, JOINED, EDITED = "fact_proposed", "fact_joined", "fact_edited"
ACCEPTED, REJECTED, WITHDRAWN = "fact_accepted", "fact_rejected", "fact_withdrawn"
STALE, FRESH = "fact_stale", "fact_fresh"


def apply(entry: Entry) -> int | None:
    """Write what an event of a fact says; returns the fact's id, or None when it says nothing now.

    Nothing is made of an event whose words were erased, nor of what came after it.
    """
    step = _STEPS.get(str(entry.payload.get("name")))
    if step is None or erased_form.is_erased(entry):
        return None
    data = entry.payload["data"]
    fact = Fact.objects.filter(pk=data["fact"]).first()
    if entry.payload["name"] == PROPOSED:
        return None if fact else _proposed(entry, data).pk
    if fact is None:
        return None
    step(fact, entry, data)
    # Made anew, what another tape says of it is read behind its own.
    fact.changed_at = max(fact.changed_at, entry.date)
    fact.save()
    return fact.pk


def is_of_facts(name: object) -> bool:
    """Whether an event of this name is one of facts."""
    return name in _STEPS


def _proposed(entry: Entry, data: Mapping[str, Any]) -> Fact:
    topic = Topic.objects.get(pk=data["topic"])
    fact = Fact.objects.create(
        pk=data["fact"],
        contributor_id=data["contributor"],
        topic=topic,
        tape_id=topic.tape_id,
        language=data["language"],
        text=data["text"],
        proposed_at=entry.date,
        changed_at=entry.date,
    )
    _version(fact, entry, data)
    fact.save()
    _joined(fact, entry, data)
    return fact


def _version(fact: Fact, entry: Entry, data: Mapping[str, Any]) -> None:
    """A new version is the current one; its places have not been looked at yet."""
    first, last = data["range"]
    FactVersion.objects.create(
        fact=fact,
        number=data["version"],
        text=data["text"],
        evidence=data["evidence"],
        sources=sorted(entry.sources),
        author_id=_person(entry.actor)
        or (data.get("contributor") if data["version"] == 1 else None),
        first_seq=first,
        last_seq=last,
        why=data["origin"],
        created_at=entry.date,
    )
    fact.version, fact.text, fact.language = data["version"], data["text"], data["language"]
    fact.sources = sorted({*fact.sources, *entry.sources})
    fact.repositories = sorted({place["repository"] for place in data["evidence"]})
    fact.places.all().delete()
    FactPlace.objects.bulk_create(FactPlace(fact=fact, **place) for place in data["evidence"])
    fact.stale, fact.stale_since = False, None


def _joined(fact: Fact, entry: Entry, data: Mapping[str, Any]) -> None:
    topic = Topic.objects.get(pk=data["topic"])
    first, last = data["range"]
    FactSource.objects.get_or_create(
        fact=fact,
        topic=topic,
        defaults={
            "tape_id": topic.tape_id,
            "first_seq": first,
            "last_seq": last,
            "at": entry.date,
        },
    )


def _accepted(fact: Fact, entry: Entry, _: Mapping[str, Any]) -> None:
    _decided(fact, entry, FactStatus.ACCEPTED)


def _rejected(fact: Fact, entry: Entry, data: Mapping[str, Any]) -> None:
    _decided(fact, entry, FactStatus.REJECTED, data["reason"])


def _withdrawn(fact: Fact, entry: Entry, data: Mapping[str, Any]) -> None:
    _decided(fact, entry, FactStatus.WITHDRAWN, data["reason"])


def _decided(fact: Fact, entry: Entry, status: FactStatus, reason: str = "") -> None:
    fact.status, fact.reason = status, reason
    fact.decided_by_id, fact.decided_at = _person(entry.actor), entry.date


def _stale(fact: Fact, entry: Entry, _: Mapping[str, Any]) -> None:
    fact.stale, fact.stale_since = True, entry.date


def _fresh(fact: Fact, _: Entry, __: Mapping[str, Any]) -> None:
    fact.stale, fact.stale_since = False, None


def _person(actor: str) -> int | None:
    kind, _, number = actor.partition(":")
    return int(number) if kind == "person" else None


def _nothing(_: Fact, __: Entry, ___: Mapping[str, Any]) -> None:
    """A proposal makes its row before there is a fact to change."""


_STEPS: dict[str, Callable[[Fact, Entry, Mapping[str, Any]], None]] = {
    PROPOSED: _nothing,
    JOINED: _joined,
    EDITED: _version,
    ACCEPTED: _accepted,
    REJECTED: _rejected,
    WITHDRAWN: _withdrawn,
    STALE: _stale,
    FRESH: _fresh,
}
