"""Fact rows from tapes alone, like topics themselves (P1, P10)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING

from django.db.models import F

from tapes import store, views
from tapes.views import View
from topics import acts, facts, locks, signals
from topics.facts import folding
from topics.models import Topic
from topics.models.facts import Fact, FactSource, FactUse

if TYPE_CHECKING:
    from tapes.entries import Entry


@acts.act
def of_tape(tape_id: int) -> int:
    """Write the facts that a tape's topics taught anew from their events; returns how many."""
    locks.tape(tape_id)
    before = list(Fact.objects.filter(tape=tape_id).values_list("pk", flat=True))
    used = list(FactUse.objects.filter(fact__in=before))
    joined = _joined_elsewhere(before)
    Fact.objects.filter(pk__in=before).delete()
    told: set[int] = set()
    for entry in chain(_events(tape_id), joined, _left(tape_id)):
        fact_id = folding.apply(entry)
        told |= {fact_id} if fact_id else set()
    made = set(Fact.objects.filter(pk__in=told, tape=tape_id).values_list("pk", flat=True))
    FactUse.objects.bulk_create(use for use in used if use.fact_id in made)
    for fact_id in {*made, *before}:
        signals.fact_changed.send(sender=None, fact_id=fact_id, using="default")
    return len(made)


def _events(tape_id: int) -> Iterator[Entry]:
    for entry in views.read(tape_id, View.seqs(1, None).only("event")):
        if folding.is_of_facts(entry.payload.get("name")):
            yield entry


def _joined_elsewhere(fact_ids: list[int]) -> list[Entry]:
    """What other tapes say of these facts: that their topics came to the same."""
    joined = FactSource.objects.filter(fact__in=fact_ids).exclude(tape=F("fact__tape"))
    others = set(joined.values_list("tape_id", flat=True))
    return [
        entry
        for tape_id in sorted(others)
        for entry in _events(tape_id)
        if entry.payload["name"] == folding.JOINED
        and entry.payload.get("data", {}).get("fact") in fact_ids
    ]


def _left(tape_id: int) -> Iterator[Entry]:
    """What was noted elsewhere of this tape's facts, since it takes no more; others' stay as they are."""
    left = store.find(facts.LEFT)
    for entry in _events(left.pk) if left else ():
        if _is_of(tape_id, entry):
            yield entry


def _is_of(tape_id: int, entry: Entry) -> bool:
    """Whether an event tells of a fact that stands on this tape."""
    data = entry.payload.get("data") or {}
    if entry.payload["name"] == folding.PROPOSED:
        return Topic.objects.filter(pk=data.get("topic") or 0, tape=tape_id).exists()
    return Fact.objects.filter(pk=data.get("fact") or 0, tape=tape_id).exists()
