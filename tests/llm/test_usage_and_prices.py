"""Tokens in disjoint counts and prices that are never guessed (P11)."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from kb_agent.llm import endpoints, prices, scripted, usage
from kb_agent.llm.models import Endpoint
from kb_agent.llm.protocol import Usage
from kb_agent.llm.script import says
from tests.llm.ledgers import Asked, endpoint

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("raw", "counts"),
    [
        ({"prompt_tokens": 100, "completion_tokens": 20}, (100, 0, 20, 0)),
        (
            {
                "prompt_tokens": 100,
                "completion_tokens": 20,
                "total_tokens": 120,
                "prompt_tokens_details": {"cached_tokens": 60},
                "completion_tokens_details": {"reasoning_tokens": 15},
            },
            (40, 60, 5, 15),
        ),
        (
            {
                "prompt_tokens": 100,
                "completion_tokens": 20,
                "total_tokens": 135,
                "completion_tokens_details": {"reasoning_tokens": 15},
            },
            (100, 0, 20, 15),
        ),
        (
            {
                "prompt_tokens": 40,
                "completion_tokens": 20,
                "total_tokens": 120,
                "cache_read_input_tokens": 60,
            },
            (40, 60, 20, 0),
        ),
        (
            {"prompt_tokens": 100, "completion_tokens": 9, "prompt_cache_hit_tokens": 90},
            (10, 90, 9, 0),
        ),
    ],
)
def test_P11_counts_are_disjoint_whichever_way_a_provider_counts(
    raw: dict[str, Any], counts: tuple[int, int, int, int]
) -> None:
    assert usage.read(raw) == Usage(*counts)


def test_P11_usage_only_in_the_last_chunk_is_found() -> None:
    with scripted.serve(says("ok").using(100, 20, cached=60)) as server:
        answer = Asked().ask(endpoint(server))
    assert answer.completed.usage == Usage(40, 60, 20, 0)


def test_P11_usage_repeated_cumulatively_is_not_added_up() -> None:
    with scripted.serve(
        says("a long answer").in_pieces(2).using(100, 20).repeating_usage()
    ) as server:
        answer = Asked().ask(endpoint(server))
    assert answer.completed.usage == Usage(100, 0, 20, 0)


def test_P11_no_usage_is_unknown_and_so_is_its_price() -> None:
    with scripted.serve(says("ok")) as server:
        answer = Asked().ask(endpoint(server, input_price=Decimal(1), output_price=Decimal(1)))
    assert answer.completed.usage is None
    assert prices.of(answer.endpoint, answer.completed.usage) is None


def test_P11_own_prices_count_per_million_tokens_in_their_currency() -> None:
    priced = Endpoint(
        base_url="http://x/v1",
        model="m",
        input_price=Decimal(2),
        cached_price=Decimal("0.5"),
        output_price=Decimal(8),
        currency="CNY",
    )
    price = prices.of(priced, Usage(1000, 2000, 300, 200))
    assert price == prices.Price(Decimal("0.007"), "CNY")


def test_P11_a_known_providers_price_comes_from_the_table_and_a_strangers_stays_unknown() -> None:
    known = Endpoint(base_url="https://api.openai.com/v1", model="gpt-4o-mini")
    stranger = Endpoint(base_url="http://10.0.0.5:8000/v1", model="gpt-4o-mini")
    spent = Usage(1_000_000, 0, 0, 0)
    found = prices.of(known, spent)
    assert found is not None
    assert found.amount > 0
    assert prices.of(stranger, spent) is None


def test_A3_the_evidence_model_costs_nothing_in_no_currency() -> None:
    assert prices.of(endpoints.evidence(), Usage()) == prices.Price(Decimal(0), "")


def test_tokens_of_a_text_are_estimated_from_its_bytes() -> None:
    assert usage.estimate("退款失败") == 3
    assert usage.estimate("") == 0
