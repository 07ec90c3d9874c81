"""The price of a call: from the endpoint's own prices, else a shipped table; unknown stays unknown."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from kb_agent.llm.models import Endpoint

if TYPE_CHECKING:
    from kb_agent.llm.protocol import Usage

_MILLION = Decimal(1_000_000)


@dataclass(frozen=True)
class Price:
    """An amount of money in one currency; currencies are never summed. Nothing spent has none."""

    amount: Decimal
    currency: str


FREE = Price(Decimal(0), "")


def of(endpoint: Endpoint, usage: Usage | None) -> Price | None:
    """What a call cost, or None when the usage or a price is unknown (P11)."""
    if endpoint.by_rule:
        return FREE
    if usage is None:
        return None
    writes = endpoint.kind != Endpoint.Kind.EMBEDDING
    if endpoint.input_price is not None and not (writes and endpoint.output_price is None):
        return _by_own_prices(endpoint, usage)
    return _by_table(endpoint, usage)


def told(endpoint: Endpoint, usage: Usage | None) -> dict[str, Any]:
    """Usage and price as the event after a call keeps them (T18)."""
    price = of(endpoint, usage)
    return {
        "usage": usage.as_dict() if usage else None,
        "price": f"{price.amount:f}" if price else None,
        "currency": price.currency if price else None,
    }


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
    return Price(amount, endpoint.currency)


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
    return Price(found.total_price, "USD")
