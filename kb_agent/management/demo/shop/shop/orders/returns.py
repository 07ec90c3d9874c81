"""Goods coming back after delivery: until when, which, and what is paid back."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from shop import settings
from shop.money import share_out
from shop.orders.order import Order, OrderStatus

# Opened food and made-to-order goods are not taken back. 生鲜和定制商品不支持退货。
NOT_RETURNABLE = ("FRESH-", "CUSTOM-")


def may_return(order: Order, sku: str, now: datetime) -> bool:
    """Whether a product of a delivered order may still be sent back."""
    if order.status is not OrderStatus.DELIVERED or order.delivered_at is None:
        return False
    if sku.startswith(NOT_RETURNABLE):
        return False
    return now - order.delivered_at <= settings.RETURN_PERIOD


def refund_amount(order: Order, returned: Mapping[str, int]) -> int:
    """What is paid back for returned quantities, by SKU.

    The discount is shared over all lines by their price, so a customer gets back what was really paid. The shipping fee is paid back
    only when everything is returned.
    """
    shares = share_out(order.discount, [line.amount for line in order.lines])
    amount = 0
    for line, share in zip(order.lines, shares, strict=True):
        quantity = min(returned.get(line.sku, 0), line.quantity)
        amount += (line.amount - share) * quantity // line.quantity
    everything = all(returned.get(line.sku, 0) >= line.quantity for line in order.lines)
    return amount + (order.shipping_fee if everything else 0)
