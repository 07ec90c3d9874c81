"""Takes facts away with the words they were drawn from (T19)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.dispatch import receiver

from tapes import signals as tape_signals
from tapes import store
from tapes.erasure import OWNER
from tapes.models import Anchor, Entry
from topics import continuing, facts, signals
from topics.facts import folding
from topics.models.facts import Fact, FactSource, FactUse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.db.models import QuerySet

RESULT = "tool_result"


def repeating(tape_id: int, first: int, last: int) -> set[tuple[int, int]]:
    """Tape and seq of what says the facts of a range again: their events, recall notes, looked-up ones."""
    places: set[tuple[int, int]] = set()
    for fact in _drawn_from(tape_id, first, last, using=OWNER):
        places.update(_events(fact))
        recalled = Anchor.objects.using(OWNER).filter(
            name=continuing.RECALL, state__facts__contains=[{"fact": fact.pk}]
        )
        places.update(recalled.values_list("tape_id", "seq"))
        places.update(_looked_up(fact))
    return places


def _events(fact: Fact) -> Iterator[tuple[int, int]]:
    """Its own and those of topics that joined it, wherever they stand."""
    tapes = {fact.tape_id, *fact.drawn_from.using(OWNER).values_list("tape_id", flat=True)}
    left = store.find(facts.LEFT)
    tapes |= {left.pk} if left else set()
    told = Entry.objects.using(OWNER).filter(
        tape_id__in=tapes, kind="event", payload__data__fact=fact.pk
    )
    for tape_id, seq, name in told.values_list("tape_id", "seq", "payload__name"):
        if folding.is_of_facts(name):
            yield tape_id, seq


def _looked_up(fact: Fact) -> Iterator[tuple[int, int]]:
    uses = FactUse.objects.using(OWNER).filter(fact=fact.pk)
    for tape_id, turn_id in uses.values_list("turn__tape_id", "turn_id"):
        found = Entry.objects.using(OWNER).filter(tape_id=tape_id, turn_id=turn_id, kind=RESULT)
        told = found.filter(payload__results__contains=[{"name": "look_up_facts"}])
        yield from told.values_list("tape_id", "seq")


@receiver(tape_signals.erased, dispatch_uid="facts")
def _forget(*, tape_id: int, first_seq: int, last_seq: int, using: str, **_: Any) -> None:
    """A fact goes with the range it was drawn from; one that another topic told first stays."""
    for fact in list(_drawn_from(tape_id, first_seq, last_seq, using=using)):
        fact_id = fact.pk
        fact.delete(using=using)
        signals.fact_changed.send(sender=None, fact_id=fact_id, using=using)
    _overlapping(FactSource.objects.using(using), tape_id, first_seq, last_seq).delete()


def _drawn_from(tape_id: int, first: int, last: int, *, using: str) -> QuerySet[Fact]:
    facts = Fact.objects.using(using).filter(tape=tape_id)
    return facts.filter(versions__first_seq__lte=last, versions__last_seq__gte=first).distinct()


def _overlapping(
    rows: QuerySet[FactSource], tape_id: int, first: int, last: int
) -> QuerySet[FactSource]:
    return rows.filter(tape=tape_id, first_seq__lte=last, last_seq__gte=first)
