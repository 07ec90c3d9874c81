"""An order, its lines, its total and the states it moves through."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum


class OrderStatus(Enum):
    """Where an order stands. 订单状态。"""

    PENDING = "pending"
    PAID = "paid"
    PACKED = "packed"
    SHIPPED = "shipped"
    DELIVERED = "delivered"
    CANCELLED = "cancelled"
    EXPIRED = "expired"


MOVES: dict[OrderStatus, frozenset[OrderStatus]] = {
    OrderStatus.PENDING: frozenset({OrderStatus.PAID, OrderStatus.CANCELLED, OrderStatus.EXPIRED}),
    OrderStatus.PAID: frozenset({OrderStatus.PACKED, OrderStatus.CANCELLED}),
    OrderStatus.PACKED: frozenset({OrderStatus.SHIPPED}),
    OrderStatus.SHIPPED: frozenset({OrderStatus.DELIVERED}),
    OrderStatus.DELIVERED: frozenset(),
    OrderStatus.CANCELLED: frozenset(),
    OrderStatus.EXPIRED: frozenset(),
}


class ForbiddenMove(Exception):
    """An order cannot go from where it stands to where it was sent."""


@dataclass(frozen=True)
class OrderLine:
    """So many of one product at one price."""

    sku: str
    quantity: int
    unit_price: int

    @property
    def amount(self) -> int:
        """Price of the line, in cents."""
        return self.quantity * self.unit_price


@dataclass
class Order:
    """What a customer ordered."""

    number: str
    customer_id: int
    placed_at: datetime
    lines: list[OrderLine] = field(default_factory=list)
    discount: int = 0
    shipping_fee: int = 0
    status: OrderStatus = OrderStatus.PENDING
    paid_at: datetime | None = None
    delivered_at: datetime | None = None

    @property
    def goods_total(self) -> int:
        """Price of the goods before discount and shipping."""
        return sum(line.amount for line in self.lines)

    @property
    def total(self) -> int:
        """What the customer pays; a discount never makes goods cheaper than nothing."""
        return max(0, self.goods_total - self.discount) + self.shipping_fee

    def move_to(self, status: OrderStatus) -> None:
        """Change the status along `MOVES`; raises `ForbiddenMove` for any other way."""
        if status not in MOVES[self.status]:
            raise ForbiddenMove(f"{self.number}: {self.status.value} to {status.value}")
        self.status = status
