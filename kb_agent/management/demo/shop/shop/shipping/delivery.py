"""Parcels on their way: packing, lost parcels, and when delivery counts as done."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from shop.orders.order import Order, OrderStatus

# Without a word from the carrier a parcel counts as delivered after this time. 自动确认收货。
AUTOMATIC_RECEIPT = timedelta(days=10)
# A parcel that did not move for so long is looked for.
LOST_AFTER = timedelta(days=5)


@dataclass
class Parcel:
    """What was handed to a carrier."""

    order_number: str
    carrier: str
    shipped_at: datetime
    last_scan_at: datetime
    delivered: bool = False


def confirm_receipt(order: Order, parcel: Parcel, now: datetime) -> bool:
    """Set an order delivered when the carrier says so, or by itself ten days after it was shipped."""
    if order.status is not OrderStatus.SHIPPED:
        return False
    if not parcel.delivered and now - parcel.shipped_at < AUTOMATIC_RECEIPT:
        return False
    order.move_to(OrderStatus.DELIVERED)
    order.delivered_at = now
    return True


def seems_lost(parcel: Parcel, now: datetime) -> bool:
    """Whether support should ask the carrier about a parcel."""
    return not parcel.delivered and now - parcel.last_scan_at > LOST_AFTER
