"""Which coupons an order may use, what they take off, and what comes back after a refund."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from shop.coupons.coupon import Coupon, CouponKind
from shop.money import percent
from shop.orders.order import Order

MOST_COUPONS = 2


class CouponRefused(Exception):
    """A coupon does not apply; the message is a key of the catalogues."""


def check(coupon: Coupon, order: Order, now: datetime, *, first_order: bool) -> None:
    """Raise `CouponRefused` when the coupon may not be used for this order."""
    if not coupon.valid_from <= now < coupon.valid_until:
        raise CouponRefused("coupon.not_valid_now")
    if order.goods_total < coupon.minimum_total:
        raise CouponRefused("coupon.minimum_total")
    if coupon.uses_of(order.customer_id) >= coupon.uses_a_customer:
        raise CouponRefused("coupon.used_up")
    if coupon.only_new_customers and not first_order:
        raise CouponRefused("coupon.only_new_customers")


def check_together(coupons: Sequence[Coupon]) -> None:
    """At most two coupons, and only when each says that it may be combined. 优惠券叠加规则。"""
    if len(coupons) > MOST_COUPONS:
        raise CouponRefused("coupon.too_many")
    if len(coupons) > 1 and not all(coupon.combinable for coupon in coupons):
        raise CouponRefused("coupon.not_combinable")


def discount(coupons: Sequence[Coupon], order: Order) -> int:
    """What the coupons take off together: percentages first, of the full price; never more than the goods cost."""
    total = order.goods_total
    off = 0
    for coupon in sorted(coupons, key=lambda coupon: coupon.kind is not CouponKind.PERCENT):
        if coupon.kind is CouponKind.PERCENT:
            part = percent(total, coupon.value)
            off += min(part, coupon.most_off) if coupon.most_off is not None else part
        elif coupon.kind is CouponKind.AMOUNT:
            off += coupon.value
    return min(off, total)


def give_back(coupon: Coupon, order: Order, now: datetime) -> bool:
    """Give a coupon back after the whole order was refunded; one that has expired meanwhile is lost. 过期的优惠券不退还。"""
    if now >= coupon.valid_until or coupon.uses_of(order.customer_id) == 0:
        return False
    coupon.used_by[order.customer_id] -= 1
    return True
