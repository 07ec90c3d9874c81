"""Prices past calls whose price was not known: one more event a call on its tape, never a rewriting (P11)."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from kb_agent.llm import prices
from kb_agent.llm.models import Endpoint
from kb_agent.llm.protocol import Usage
from tapes import entries, store
from topics.ledger.folding import PRICED
from topics.models.ledger import Call

if TYPE_CHECKING:
    from tapes.entries import NewEntry

BATCH = 500


@dataclass(slots=True)
class Repriced:
    """What a repricing did."""

    priced: int = 0
    left: int = 0
    """Calls for which no price held when they were made, or whose tokens nobody told."""
    closed: int = 0
    """Calls on tapes that take no entries any more."""

    def as_dict(self) -> dict[str, int]:
        """For JSON."""
        return asdict(self)


def reprice(*, model: str = "", actor: str = "system") -> Repriced:
    """Price the calls of a model, or of all, by the prices that held when each began."""
    done = Repriced()
    unpriced = Call.objects.filter(unpriced=True).order_by("tape", "started_seq")
    if model:
        unpriced = unpriced.filter(model=model)
    known = {row.name: row for row in Endpoint.objects.all()}
    for tape_id, calls in groupby(list(unpriced), key=lambda call: call.tape_id):
        told = [(call, _told(call, known, actor)) for call in calls]
        found = [entry for _, entry in told if entry is not None]
        done.left += len(told) - len(found)
        if _appended(tape_id, found):
            done.priced += len(found)
        else:
            done.closed += len(found)
    return done


def _appended(tape_id: int, found: list[NewEntry]) -> bool:
    try:
        for start in range(0, len(found), BATCH):
            store.append(tape_id, found[start : start + BATCH])
    except store.TapeArchived:
        return False
    return True


def _told(call: Call, known: dict[str, Endpoint], actor: str) -> NewEntry | None:
    counts = (call.input, call.cached, call.output, call.reasoning)
    if None in counts:
        return None
    used = Usage(*(count or 0 for count in counts))
    price = prices.of(_endpoint(call, known), used, at=call.started_at)
    if price is None:
        return None
    data = {"call": call.pk, "price": f"{price.amount:f}", "currency": price.currency}
    return entries.event(PRICED, data, topic_id=call.topic_id, actor=actor)


def _endpoint(call: Call, known: dict[str, Endpoint]) -> Endpoint:
    """Where the call went; prices that the endpoint's row has by itself may be newer than the call."""
    row = known.get(call.endpoint)
    return Endpoint(
        name=call.endpoint,
        model=call.model,
        base_url=row.base_url if row is not None else "unknown",
        kind=row.kind if row is not None else Endpoint.Kind.CHAT,
    )
