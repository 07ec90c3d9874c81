"""The company's own prices: which one holds for a call, and how they are set and ended."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from django.db.models import Q
from django.utils import timezone

from kb_agent.llm.price_models import Price

if TYPE_CHECKING:
    from decimal import Decimal

    from kb_agent.accounts.models import User

MOST = 100_000_000
"""More than this for a million tokens is a slip of the hand."""


class BadPrice(ValueError):
    """A price cannot be right; the message says why."""

    code = "bad_price"


@dataclass(frozen=True, kw_only=True)
class Terms:
    """A price as it is set; per million tokens."""

    currency: str
    input: Decimal
    cached: Decimal | None = None
    output: Decimal | None = None
    reasoning: Decimal | None = None
    valid_from: datetime.datetime | None = None
    """From now on, when it is not said."""


def holding(endpoint: str, model: str, *, at: datetime.datetime) -> Price | None:
    """The price that held for a model at an instant: the most particular one, the newest of these."""
    rows = Price.objects.filter(
        Q(valid_until=None) | Q(valid_until__gt=at),
        endpoint__in=["", endpoint],
        valid_from__lte=at,
    )
    fitting = [row for row in rows if not row.model or fnmatchcase(model, row.model)]
    return max(fitting, key=lambda row: _weight(row, model), default=None)


def _weight(row: Price, model: str) -> tuple[bool, bool, bool, datetime.datetime, int]:
    """A name counts more than a pattern, a pattern more than none; then the endpoint; then the date."""
    return (row.model == model, bool(row.model), bool(row.endpoint), row.valid_from, row.pk)


def add(endpoint: str, model: str, terms: Terms, *, by: User | None) -> Price:
    """Set a price from a date on. Raises BadPrice."""
    endpoint, model, currency = endpoint.strip(), model.strip(), terms.currency.strip().upper()
    if not endpoint and not model:
        raise BadPrice("a price is of a model, of an endpoint, or of both")
    if len(currency) != 3 or not (currency.isascii() and currency.isalpha()):
        raise BadPrice("a currency has three letters, such as USD or CNY")
    said = (terms.input, terms.cached, terms.output, terms.reasoning)
    if any(part is not None and not 0 <= part <= MOST for part in said):
        raise BadPrice("a price is a number from 0 up")
    return Price.objects.create(
        endpoint=endpoint,
        model=model,
        currency=currency,
        input=terms.input,
        cached=terms.cached,
        output=terms.output,
        reasoning=terms.reasoning,
        valid_from=terms.valid_from or timezone.now(),
        created_by=by,
    )


def end(price_id: int, *, at: datetime.datetime | None = None) -> Price:
    """Let a price hold no longer; calls made while it held keep it. Raises Price.DoesNotExist."""
    price = Price.objects.get(pk=price_id)
    if price.valid_until is None:
        price.valid_until = max(at or timezone.now(), price.valid_from)
        price.save(update_fields=["valid_until"])
    return price
