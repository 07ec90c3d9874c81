"""What is cited of a place are the lines that decide, within one function, and no whole file (A3)."""

from __future__ import annotations

import pytest

from kb_agent.llm.evidence_model import narrowing, quoting
from kb_agent.llm.evidence_model.places import Place

RULES = '''\
"""Rules for coupons."""

MOST_COUPONS = 2
LONGEST_DAYS = 90


def check(coupon, order, now):
    """Raise when the coupon may not be used for this order."""
    if not coupon.valid_from <= now < coupon.valid_until:
        raise CouponRefused("coupon.not_valid_now")
    if order.goods_total < coupon.minimum_total:
        raise CouponRefused("coupon.minimum_total")


@rule
def check_together(coupons):
    """At most two coupons, and only when each may be combined. 优惠券叠加规则。"""
    if len(coupons) > MOST_COUPONS:
        raise CouponRefused("coupon.too_many")


def give_back(coupon, now):
    """Give a coupon back after the order was refunded."""
    return coupon.days < LONGEST_DAYS
'''


def place(text: str = RULES) -> Place:
    """A whole file as a place."""
    lines = dict(enumerate(text.split("\n"), 1))
    return Place("e1", "shop", "rules.py", 1, len(lines), lines=lines)


@pytest.mark.parametrize(
    ("asked", "first", "last"),
    [
        (["叠加"], 16, 19),
        (["minimum", "total"], 7, 12),
        (["refunded", "back"], 22, 24),
    ],
)
def test_A3_the_stretch_is_the_function_that_says_most_with_its_head(
    asked: list[str], first: int, last: int
) -> None:
    assert narrowing.stretch(place(), asked) == (first, last)


def test_A3_the_place_is_named_by_the_function_the_stretch_stands_in() -> None:
    assert narrowing.named_at(place(), 15, 19) == "check_together"
    assert narrowing.named_at(place(), 9, 12) == "check"
    assert narrowing.named_at(place(), 3, 4) == ""
    held = "class Coupon:\n    days: int\n    uses: int\n"
    assert narrowing.named_at(place(held), 1, 3) == "Coupon"
    assert narrowing.named_at(place(held), 2, 3) == "Coupon"


def test_A3_what_the_code_says_of_itself_comes_from_that_function_alone() -> None:
    said = quoting.said(place(), 15, 19, ["优惠券", "叠加"])
    assert said == "At most two coupons, and only when each may be combined. 优惠券叠加规则。"
    assert quoting.said(place(), 7, 12, ["优惠券", "叠加"]) == ""


def test_A3_a_word_is_not_met_by_its_contrary() -> None:
    text = 'def f():\n    """An unpaid order may be dropped by anyone. A paid order stays with its customer."""\n'
    assert quoting.said(place(text), 1, 2, ["paid", "order"]).startswith("A paid order")


def test_A3_values_are_those_that_the_stretch_uses() -> None:
    assert quoting.values_used(place(), 15, 19) == ["MOST_COUPONS = 2"]


def test_A3_commented_out_code_and_rulers_are_not_what_the_code_says() -> None:
    text = (
        "# ==== coupon ====\n# if coupon.valid(now): return coupon\ndef coupon():\n    return 1\n"
    )
    assert quoting.said(place(text), 1, 4, ["coupon", "valid"]) == ""


@pytest.mark.parametrize(
    "text",
    [
        "# Translators: this coupon is valid for a whole day.\n",
        "# coupon_days: how long a coupon is valid here.\n",
        "# TODO make the coupon valid for longer than that.\n",
    ],
)
def test_A3_what_is_said_to_others_is_not_said_of_the_code(text: str) -> None:
    assert (
        quoting.said(place(text + "def coupon():\n    return 1\n"), 1, 3, ["coupon", "valid"]) == ""
    )


@pytest.mark.parametrize("text", ["", "\n\n\n", "x\n" * 40, "}\n" * 40])
def test_A3_any_text_has_a_stretch_within_it(text: str) -> None:
    first, last = narrowing.stretch(place(text), ["coupon"])
    assert 1 <= first <= last <= len(text.split("\n"))
