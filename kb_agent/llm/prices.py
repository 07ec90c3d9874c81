"""The price of a call: from the company's list, the endpoint's own, else a shipped table; unknown stays unknown."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django.utils import timezone

from kb_agent.llm import price_list
from kb_agent.llm.models import Endpoint
from topics.models.ledger import AMOUNT_PLACES

if TYPE_CHECKING:
    import datetime

    from kb_agent.llm.price_models import Price as Held
    from kb_agent.llm.protocol import Usage

_MILLION = Decimal(1_000_000)
_LAST_DIGIT = Decimal(1).scaleb(-AMOUNT_PLACES)


@dataclass(frozen=True)
class Price:
    """An amount of money in one currency; currencies are never summed. Nothing spent has none."""

    amount: Decimal
    currency: str


FREE = Price(Decimal(0), "")


def of(
    endpoint: Endpoint, usage: Usage | None, *, at: datetime.datetime | None = None
) -> Price | None:
    """What a call cost at an instant (now), or None when the usage or a price is unknown (P11)."""
    if endpoint.by_rule:
        return FREE
    if usage is None:
        return None
    held = price_list.holding(endpoint.name, endpoint.model, at=at or timezone.now())
    if held is not None:
        return _by_list(held, usage)
    writes = endpoint.kind != Endpoint.Kind.EMBEDDING
    if endpoint.input_price is not None and not (writes and endpoint.output_price is None):
        return _by_own_prices(endpoint, usage)
    return _by_table(endpoint, usage)


def _by_list(held: Held, usage: Usage) -> Price | None:
    writes = usage.output + usage.reasoning
    if writes and held.output is None:
        return None
    output = held.output or Decimal(0)
    amount = (
        usage.input * held.input
        + usage.cached * (held.input if held.cached is None else held.cached)
        + usage.output * output
        + usage.reasoning * (output if held.reasoning is None else held.reasoning)
    ) / _MILLION
    return Price(_to_the_last_digit(amount), held.currency)


def _to_the_last_digit(amount: Decimal) -> Decimal:
    """As many places as the ledger keeps; no price of a token has more than it can hold."""
    return amount.quantize(_LAST_DIGIT)


def told(endpoint: Endpoint, usage: Usage | None) -> dict[str, Any]:
    """Usage and price as the event after a call keeps them (T18)."""
    price = of(endpoint, usage)
    return {
        "usage": usage.as_dict() if usage else None,
        "price": f"{_short(price.amount):f}" if price else None,
        "currency": price.currency if price else None,
    }


def _short(amount: Decimal) -> Decimal:
    """Without zeros at its end."""
    return amount.normalize() if amount else Decimal(0)


def _by_own_prices(endpoint: Endpoint, usage: Usage) -> Price:
    input_price, output_price = (
        endpoint.input_price or Decimal(0),
        endpoint.output_price or Decimal(0),
    )
    cached_price = input_price if endpoint.cached_price is None else endpoint.cached_price
    amount = (
        usage.input * input_price
        + usage.cached * cached_price
        + (usage.output + usage.reasoning) * output_price
    ) / _MILLION
    return Price(_to_the_last_digit(amount), endpoint.currency)


def _by_table(endpoint: Endpoint, usage: Usage) -> Price | None:
    """Looks the model up under the provider its address belongs to; a gateway's price is unknown."""
    import genai_prices  # noqa: PLC0415 -- its table takes memory that most processes never need

    counted = genai_prices.Usage(
        input_tokens=usage.input + usage.cached,
        cache_read_tokens=usage.cached,
        output_tokens=usage.output + usage.reasoning,
    )
    try:
        found = genai_prices.calc_price(
            counted, model_ref=endpoint.model, provider_api_url=endpoint.base_url
        )
    except LookupError:
        return None
    return Price(_to_the_last_digit(found.total_price), "USD")
