"""Who may cancel an order, and until when."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import Enum

from shop import settings
from shop.orders.order import Order, OrderStatus


class Actor(Enum):
    """Who asks for the cancellation."""

    CUSTOMER = "customer"
    SUPPORT = "support"
    MANAGER = "manager"


@dataclass(frozen=True)
class Decision:
    """Whether the order may be cancelled, and the message key that says why not."""

    allowed: bool
    reason: str = ""


def may_cancel(order: Order, actor: Actor, now: datetime) -> Decision:
    """Decide a cancellation.

    An unpaid order may be cancelled by anyone concerned. A paid order may still be cancelled by its customer within the
    free period; by support until it is packed; by a manager as support. Once packed, nobody cancels: the goods
    have to come back as a return.
    """
    if order.status is OrderStatus.PENDING:
        return Decision(allowed=True)
    if order.status is not OrderStatus.PAID or order.paid_at is None:
        return Decision(allowed=False, reason="cancel.too_late")
    if actor in {Actor.SUPPORT, Actor.MANAGER}:
        return Decision(allowed=True)
    if now - order.paid_at <= settings.FREE_CANCELLATION:
        return Decision(allowed=True)
    return Decision(allowed=False, reason="cancel.ask_support")


def cancel(order: Order, actor: Actor, now: datetime) -> bool:
    """Cancel when allowed; a paid order then has to be refunded in full by the caller. Tells whether it was done."""
    if not may_cancel(order, actor, now).allowed:
        return False
    order.move_to(OrderStatus.CANCELLED)
    return True
