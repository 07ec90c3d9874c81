"""Lets unpaid orders expire so that their goods go back on sale."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime

from shop import settings
from shop.orders.order import Order, OrderStatus
from shop.stock.reservations import Reservations


def is_overdue(order: Order, now: datetime) -> bool:
    """Whether an unpaid order has passed its payment deadline."""
    return order.status is OrderStatus.PENDING and now - order.placed_at > settings.PAYMENT_DEADLINE


def expire_overdue(
    orders: Iterable[Order], reservations: Reservations, now: datetime
) -> Iterator[Order]:
    """Expire every overdue order and release what it reserved. Runs every minute. 每分钟执行一次。"""
    for order in orders:
        if is_overdue(order, now):
            order.move_to(OrderStatus.EXPIRED)
            reservations.release(order.number)
            yield order
