"""Taking a customer's payment for an order."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from shop.orders.expiry import is_overdue
from shop.orders.order import Order, OrderStatus
from shop.payments.gateway import Gateway


class PaymentRefused(Exception):
    """A payment is not taken; the message is a key of the catalogues."""


@dataclass
class Payment:
    """Money taken for an order, and how much of it went back."""

    order_number: str
    provider_number: str
    amount: int
    paid_at: datetime
    refunded: int = 0

    @property
    def refundable(self) -> int:
        """What can still be given back, in cents."""
        return self.amount - self.refunded


def pay(order: Order, gateway: Gateway, now: datetime) -> Payment:
    """Charge the order's total once: the order number is the key, so that a double click pays once. 重复点击不会重复扣款。"""
    if order.status is not OrderStatus.PENDING:
        raise PaymentRefused("payment.not_pending")
    if is_overdue(order, now):
        raise PaymentRefused("payment.expired")
    number = gateway.charge(order.number, order.total, key=f"pay-{order.number}")
    order.move_to(OrderStatus.PAID)
    order.paid_at = now
    return Payment(order.number, number, order.total, now)
