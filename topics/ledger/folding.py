"""What a call's events say of it: from entries to the values of a Call, with nothing read beside."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any, Protocol
from zoneinfo import ZoneInfo

from django.conf import settings

from topics import purposes
from topics.models.ledger import AMOUNT_PLACES, Call, CallStatus
from topics.open_calls import ENDED, STARTED

if TYPE_CHECKING:
    from collections.abc import Sequence

PRICED = "model_call_priced"
"""A price set after the call, for one whose price was not known: `{call, price, currency}`."""

EVENTS = (STARTED, ENDED, PRICED)
COUNTS = ("input", "cached", "output", "reasoning")
_ENDS = frozenset(CallStatus.values) - {CallStatus.STARTED.value}
_LAST_DIGIT = Decimal(1).scaleb(-AMOUNT_PLACES)


class Event(Protocol):
    """An event as it was recorded or as its row holds it."""

    @property
    def tape_id(self) -> int: ...
    @property
    def seq(self) -> int: ...
    @property
    def payload(self) -> dict[str, Any]: ...
    @property
    def topic_id(self) -> int | None: ...
    @property
    def turn_id(self) -> int | None: ...
    @property
    def sources(self) -> Sequence[int]: ...
    @property
    def date(self) -> datetime.datetime: ...


def data_of(entry: Event) -> Mapping[str, Any] | None:
    """What an event of a call says, or None when it is not one of ours in shape."""
    data = entry.payload.get("data")
    if not isinstance(data, dict) or not isinstance(data.get("call"), str):
        return None
    return data if 0 < len(data["call"]) <= 64 else None


def begun(entry: Event, data: Mapping[str, Any]) -> Call:
    """A call as it began. Who and what it belongs to is known by `ledger_context`."""
    return Call(
        id=data["call"],
        tape_id=entry.tape_id,
        started_seq=entry.seq,
        purpose=purposes.known(_text(data.get("purpose"), 40)),
        endpoint=_text(data.get("endpoint"), 100),
        model=_text(data.get("model"), 200),
        attempt=_count(data.get("attempt")) or 1,
        day=day_of(entry.date),
        started_at=entry.date,
        spilled=_digests(data.get("messages")),
        of_topics=[topic for topic in data.get("of_topics", ()) if isinstance(topic, int)],
    )


def end(call: Call, entry: Event, data: Mapping[str, Any]) -> None:
    """How it ended and what it used. What a provider did not tell stays unknown.

    One that failed before it used anything cost nothing.
    """
    used = data.get("usage")
    counts = used if isinstance(used, dict) else None
    status = data.get("status")
    call.status = status if status in _ENDS else CallStatus.UNKNOWN.value
    for name in COUNTS:
        setattr(call, name, None if counts is None else _count(counts.get(name)))
    call.amount, call.currency = money(data)
    failed_unused = counts is None and call.status == CallStatus.FAILED
    call.unpriced = call.amount is None and not failed_unused
    said = data.get("error")
    call.error = _text(said.get("code"), 60) if isinstance(said, dict) else ""
    seconds = data.get("seconds")
    call.seconds = float(seconds) if isinstance(seconds, int | float) else None
    call.spilled = [*call.spilled, *_digests(data.get("content"))]
    call.ended_seq, call.ended_at = entry.seq, entry.date


def price(call: Call, data: Mapping[str, Any]) -> bool:
    """A price set later; False where one is known already, or there is nothing to price."""
    amount, currency = money(data)
    if not call.unpriced or amount is None:
        return False
    call.amount, call.currency, call.unpriced = amount, currency, False
    return True


def money(data: Mapping[str, Any]) -> tuple[Decimal | None, str]:
    """Amount and currency of an event; nothing spent has no currency. What is no price, or below nothing, is unknown."""
    stated = data.get("price")
    if stated is None:
        return None, ""
    try:
        amount = Decimal(str(stated)).quantize(_LAST_DIGIT)
    except InvalidOperation:
        return None, ""
    if not amount.is_finite() or amount < 0:
        return None, ""
    return amount, _text(data.get("currency"), 3) if amount else ""


def day_of(instant: datetime.datetime) -> datetime.date:
    """The day of an instant where the company is."""
    return instant.astimezone(ZoneInfo(settings.COST_TIME_ZONE)).date()


def _text(stated: object, room: int) -> str:
    return str(stated or "")[:room]


def _count(stated: object) -> int:
    return stated if isinstance(stated, int) and stated > 0 else 0


def _digests(stated: object) -> list[str]:
    return [stated] if isinstance(stated, str) and len(stated) == 64 else []
