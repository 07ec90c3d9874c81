"""Prices with the dates they hold from: each call keeps the one that held, to the last digit (P11)."""

from __future__ import annotations

import datetime
from decimal import Decimal

import pytest

from kb_agent.llm import price_list, prices
from kb_agent.llm.models import Endpoint
from kb_agent.llm.protocol import Usage

pytestmark = pytest.mark.django_db

USED = Usage(input=1_000, cached=500, output=200, reasoning=100)
MAY = datetime.datetime(2026, 5, 1, tzinfo=datetime.UTC)


def terms(amount: str, **more: object) -> price_list.Terms:
    """A price of so much for everything, from May on."""
    values: dict[str, object] = {
        "currency": "USD",
        "input": Decimal(amount),
        "output": Decimal(amount),
        "valid_from": MAY,
    }
    return price_list.Terms(**(values | more))  # type: ignore[arg-type]


def of(model: str, *, at: datetime.datetime | None = None, name: str = "e") -> prices.Price | None:
    """What the call cost."""
    endpoint = Endpoint(name=name, base_url="https://gateway.example/v1", model=model)
    return prices.of(endpoint, USED, at=at)


def test_P11_each_kind_of_token_has_its_own_price() -> None:
    price_list.add(
        "",
        "m",
        terms("2", cached=Decimal("0.2"), output=Decimal(8), reasoning=Decimal(9)),
        by=None,
    )
    assert of("m") == prices.Price(Decimal("0.004600000000"), "USD")


def test_P11_what_is_not_said_is_as_input_and_as_output() -> None:
    price_list.add("", "m", terms("2", output=Decimal(8)), by=None)
    assert of("m") == prices.Price(Decimal("0.0054"), "USD")


def test_P11_a_price_holds_from_its_date_on_and_until_the_next_one() -> None:
    june = MAY + datetime.timedelta(days=31)
    price_list.add("", "m", terms("1"), by=None)
    price_list.add("", "m", terms("2", valid_from=june, currency="CNY"), by=None)
    instants = (MAY - datetime.timedelta(seconds=1), MAY, june, None)
    assert [of("m", at=instant) for instant in instants] == [
        None,
        prices.Price(Decimal("0.0018"), "USD"),
        prices.Price(Decimal("0.0036"), "CNY"),
        prices.Price(Decimal("0.0036"), "CNY"),
    ]


def test_P11_a_price_that_was_ended_holds_no_longer_and_earlier_calls_keep_it() -> None:
    price = price_list.add("", "m", terms("1"), by=None)
    price_list.end(price.pk)
    assert of("m") is None
    assert of("m", at=MAY) is not None


def test_P11_a_name_counts_more_than_a_pattern_and_a_pattern_more_than_the_endpoint() -> None:
    price_list.add("e", "", terms("1"), by=None)
    price_list.add("", "qwen*", terms("2"), by=None)
    price_list.add("", "qwen-max", terms("3"), by=None)
    price_list.add("other", "qwen-max", terms("4"), by=None)
    found = [of(model) for model in ("glm", "qwen-plus", "qwen-max")]
    assert [price and price.amount for price in found] == [
        Decimal("0.0018"),
        Decimal("0.0036"),
        Decimal("0.0054"),
    ]
    assert of("qwen-max", name="other") == prices.Price(Decimal("0.0072"), "USD")
    assert of("glm", name="another") is None


def test_P11_without_a_price_for_what_it_writes_a_model_s_answer_has_none() -> None:
    price_list.add("", "m", terms("1", output=None), by=None)
    assert of("m") is None


def test_P11_the_smallest_price_of_a_single_token_is_not_lost() -> None:
    price_list.add("", "m", terms("0.000001"), by=None)
    endpoint = Endpoint(name="e", base_url="https://gateway.example/v1", model="m")
    told = prices.told(endpoint, Usage(input=1))
    assert (told["price"], told["currency"]) == ("0.000000000001", "USD")


@pytest.mark.parametrize(
    ("endpoint", "model", "more"),
    [
        ("", "", {}),
        ("", "m", {"currency": "US"}),
        ("", "m", {"currency": "12A"}),
        ("", "m", {"input": Decimal(-1)}),
        ("", "m", {"input": Decimal(200_000_000)}),
    ],
)
def test_a_price_that_cannot_be_right_is_refused(
    endpoint: str, model: str, more: dict[str, object]
) -> None:
    with pytest.raises(price_list.BadPrice):
        price_list.add(endpoint, model, terms("1", **more), by=None)
