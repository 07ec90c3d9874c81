"""The ledger: each call's row follows from its events, in the transaction that appends them (P11).

A call counts once, whatever happens: its id is the key, its end is taken once, and an end that was
written down as unknown gives way to one that somebody saw.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django.contrib.auth import get_user_model
from django.db import connection
from django.db.models import Count, Q, Sum

from tapes import projections
from topics import purposes, signals
from topics.ledger import folding, rolling
from topics.models.ledger import Call, CallStatus, TopicCost
from topics.open_calls import ENDED, STARTED

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.db.models import QuerySet

    from tapes.entries import Entry


@dataclass
class Spent:
    """What calls cost together: money by currency, tokens, and how many calls have no known price."""

    money: dict[str, Decimal] = field(default_factory=dict)
    tokens: dict[str, int] = field(default_factory=lambda: dict.fromkeys(folding.COUNTS, 0))
    unknown: int = 0
    calls: int = 0

    def add(self, row: Mapping[str, Any]) -> None:
        """Count in a sum of one currency; different currencies stay apart."""
        if row["currency"]:
            known = self.money.get(row["currency"], Decimal(0))
            self.money[row["currency"]] = known + (row["amount"] or 0)
        for name in folding.COUNTS:
            self.tokens[name] += row[name] or 0
        self.unknown += row["unpriced"]
        self.calls += row["calls"]

    def shown(self) -> dict[str, Any]:
        """The shape of every route."""
        return {
            "money": [
                {"amount": written(amount), "currency": currency}
                for currency, amount in sorted(self.money.items())
            ],
            "tokens": dict(self.tokens),
            "unknown_calls": self.unknown,
        }


def written(amount: Decimal) -> str:
    """An amount to its last digit, with six places at least."""
    short = amount.normalize()
    return f"{short:f}" if -short.as_tuple().exponent > 6 else f"{amount:.6f}"  # type: ignore[operator]


def spent_by_topic(ids: Collection[int]) -> dict[int, Spent]:
    """What each of these topics cost, calls after its end included; nothing for one without calls."""
    spent: dict[int, Spent] = defaultdict(Spent)
    for cost in TopicCost.objects.filter(topic__in=ids, calls__gt=0).values():
        spent[cost["topic_id"]].add(cost)
    return dict(spent)


def spent_by_turn(ids: Collection[int]) -> dict[int, Spent]:
    """What each of these turns cost."""
    spent: dict[int, Spent] = defaultdict(Spent)
    for row in _summed(Call.objects.filter(turn__in=ids), "turn_id"):
        spent[row["turn_id"]].add(row)
    return dict(spent)


def spent_on(tape_id: int, topic_ids: Collection[int], *, beside: bool) -> Spent:
    """What topics of a tape cost together, and `beside` them what belongs to none of its topics."""
    spent = Spent()
    for cost in TopicCost.objects.filter(topic__in=topic_ids, calls__gt=0).values():
        spent.add(cost)
    for row in _summed(Call.objects.filter(tape=tape_id, topic=None)) if beside else ():
        spent.add(row)
    return spent


def spent_between(
    tape_id: int, topic_id: int, ranges: Sequence[tuple[int, int | None]]
) -> list[Spent]:
    """What a topic's calls that began in each range of seqs cost; a range without an end is open."""
    found = []
    for first, last in ranges:
        calls = Call.objects.filter(tape=tape_id, topic=topic_id, started_seq__gte=first)
        if last is not None:
            calls = calls.filter(started_seq__lte=last)
        spent = Spent()
        for row in _summed(calls):
            spent.add(row)
        found.append(spent)
    return found


def _summed(calls: QuerySet[Call], *keys: str) -> Iterable[dict[str, Any]]:
    sums: dict[str, Any] = {name: Sum(name) for name in folding.COUNTS}
    rows: Iterable[dict[str, Any]] = (
        calls.filter(ended_seq__isnull=False)
        .order_by()
        .values(*keys, "currency")
        .annotate(
            **sums,
            amount=Sum("amount"),
            unpriced=Count("id", filter=Q(unpriced=True)),
            calls=Count("id"),
        )
    )
    return rows


def project(recorded: Sequence[Entry]) -> None:
    """Keep the rows of calls that begin, end, or are priced in these entries."""
    for entry in recorded:
        data = folding.data_of(entry)
        if data is not None:
            _STEPS[entry.payload["name"]](entry, data)


def _begin(entry: Entry, data: Mapping[str, Any]) -> None:
    call = folding.begun(entry, data)
    belongs(call, entry, data)
    Call.objects.bulk_create([call], ignore_conflicts=True)


def _end(entry: Entry, data: Mapping[str, Any]) -> None:
    call = _held(entry, data)
    if call is None or not takes_end(call):
        return
    with _counted_anew(call):
        folding.end(call, entry, data)
    signals.call_ended.send(sender=None, call=call)


def _price(entry: Entry, data: Mapping[str, Any]) -> None:
    call = _held(entry, data)
    if call is None or not call.unpriced:
        return
    with _counted_anew(call):
        folding.price(call, data)


def takes_end(call: Call) -> bool:
    """Whether an end is news: the first one, or the first that somebody saw."""
    return call.status in {CallStatus.STARTED, CallStatus.UNKNOWN}


def _held(entry: Entry, data: Mapping[str, Any]) -> Call | None:
    rows = Call.objects.select_for_update(no_key=True)
    return rows.filter(pk=data["call"], tape=entry.tape_id).first()


class _counted_anew:  # noqa: N801 — reads as the block it opens
    """Takes a call out of every sum, lets the block change it, and counts it in again."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def __enter__(self) -> None:
        if self._call.ended_seq is not None:
            rolling.of_topic(self._call, sign=-1)
        if self._call.rolled:
            rolling.take_back([self._call.pk])
            self._call.rolled = False

    def __exit__(self, *raised: object) -> None:
        if raised[0] is None:
            self._call.save(force_update=True)
            rolling.of_topic(self._call, sign=1)


def belongs(call: Call, entry: folding.Event, data: Mapping[str, Any]) -> None:
    """Find topic, turn, payer, asker and the repositories in view; what is no row stays empty."""
    payer = data.get("payer")
    seqs = [seq for seq in data.get("seqs") or () if isinstance(seq, int)]
    withheld = [seq for seq in data.get("withheld") or () if isinstance(seq, int)]
    with connection.cursor() as cursor:
        cursor.execute(
            _BELONGS.format(people=get_user_model()._meta.db_table),  # noqa: SLF001 — Django's documented way
            {
                "payer": payer if isinstance(payer, int) else None,
                "topic": entry.topic_id,
                "turn": entry.turn_id,
                "tape": entry.tape_id,
                "seqs": sorted(set(seqs) - set(withheld)),
                "call": call.pk,
                "seq": entry.seq,
                "answer": purposes.ANSWER,
            },
        )
        call.payer_id, call.topic_id, call.turn_id, call.asker_id, opened, seen = cursor.fetchone()
    call.opens_turn = bool(call.turn_id and call.purpose == purposes.ANSWER and not opened)
    call.repositories = sorted({*seen, *entry.sources})


_BELONGS = """
SELECT (SELECT id FROM {people} WHERE id = %(payer)s),
       (SELECT id FROM topics_topic WHERE id = %(topic)s),
       (SELECT id FROM topics_turn WHERE id = %(turn)s),
       (SELECT asker_id FROM topics_turn WHERE id = %(turn)s),
       EXISTS (SELECT FROM topics_call WHERE turn_id = %(turn)s AND purpose = %(answer)s
               AND id <> %(call)s AND started_seq < %(seq)s),
       ARRAY(SELECT DISTINCT unnest(sources) FROM tapes_entry
             WHERE tape_id = %(tape)s AND seq = ANY (%(seqs)s::bigint[]))
"""

_STEPS = {STARTED: _begin, ENDED: _end, folding.PRICED: _price}


def keep() -> None:
    """Have the tapes hand over the events of calls."""
    projections.register(folding.EVENTS, project)
