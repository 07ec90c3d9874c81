"""The ledger made anew from tapes: a projection that can be thrown away (P11).

A tape whose rows have left for the archive keeps its calls as they are.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import transaction

from tapes.models import Entry, Tape
from topics import ledger, locks, purposes
from topics.ledger import folding, rolling
from topics.models.cost_sums import RANKS, SUMS
from topics.models.ledger import Call, TopicCost
from topics.open_calls import ENDED, STARTED

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(slots=True)
class Rebuilt:
    """What a rebuilding did."""

    tapes: int = 0
    calls: int = 0
    kept: int = 0
    """Tapes whose entries are only in the archive."""


def everything() -> Rebuilt:
    """Write every call and every sum again from the tapes, a transaction a tape."""
    with transaction.atomic():
        Call.objects.filter(rolled=True).update(rolled=False)
        for sums in SUMS:
            sums.objects.all().delete()
        for ranks in RANKS:
            ranks.objects.all().delete()
    done = Rebuilt()
    for tape_id in Tape.objects.order_by("id").values_list("id", flat=True).iterator():
        found = of_tape(tape_id)
        done.tapes += 1
        done.calls += found or 0
        done.kept += found is None
    rolling.catch_up()
    return done


@transaction.atomic
def of_tape(tape_id: int) -> int | None:
    """Write the calls of one tape again; returns how many, or None when its rows have left."""
    locks.tape(tape_id)
    tape = Tape.objects.get(pk=tape_id)
    if tape.head and not Entry.objects.filter(tape_id=tape_id).exists():
        return None
    calls = _told_by(tape)
    known = Call.objects.filter(tape=tape_id)
    rolled = list(known.filter(rolled=True).values_list("pk", flat=True))
    if rolled:
        rolling.take_back(rolled)
    topics = {topic for topic in known.values_list("topic_id", flat=True) if topic}
    known.delete()
    Call.objects.bulk_create(calls, batch_size=1_000)
    _sum_topics(topics | {call.topic_id for call in calls if call.topic_id})
    return len(calls)


def _told_by(tape: Tape) -> list[Call]:
    told: dict[str, Call] = {}
    opened: set[int] = set()
    for entry in _events(tape):
        data = folding.data_of(entry)
        if data is None:
            continue
        name, call = entry.payload["name"], told.get(data["call"])
        if name == STARTED and call is None:
            call = told[data["call"]] = folding.begun(entry, data)
            ledger.belongs(call, entry, data)
            _opens(call, opened)
        elif name == ENDED and call is not None and ledger.takes_end(call):
            folding.end(call, entry, data)
        elif name == folding.PRICED and call is not None:
            folding.price(call, data)
    return list(told.values())


def _opens(call: Call, opened: set[int]) -> None:
    """The first answering call of a turn opens it; here the tape says which, not the rows."""
    answers = call.turn_id is not None and call.purpose == purposes.ANSWER
    call.opens_turn = answers and call.turn_id not in opened
    if call.turn_id is not None and answers:
        opened.add(call.turn_id)


def _events(tape: Tape) -> Iterator[Entry]:
    rows = Entry.objects.filter(tape_id=tape.pk, kind="event", payload__name__in=folding.EVENTS)
    return (
        rows.filter(seq__gt=tape.imported_head or 0)
        .order_by("seq")
        .defer("payload_text", "meta_text")
        .iterator()
    )


def _sum_topics(topics: set[int]) -> None:
    TopicCost.objects.filter(topic__in=topics).delete()
    rolling.of_topics(sorted(topics))
