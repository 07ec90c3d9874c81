"""A coupon: what it takes off, from when to when, for whom and how often."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum


class CouponKind(Enum):
    """What a coupon does. 优惠券类型。"""

    AMOUNT = "amount"
    PERCENT = "percent"
    FREE_SHIPPING = "free_shipping"


@dataclass
class Coupon:
    """A coupon as the marketing team set it up."""

    code: str
    kind: CouponKind
    value: int
    valid_from: datetime
    valid_until: datetime
    minimum_total: int = 0
    most_off: int | None = None
    uses_a_customer: int = 1
    combinable: bool = False
    only_new_customers: bool = False
    used_by: dict[int, int] = field(default_factory=dict)

    def uses_of(self, customer_id: int) -> int:
        """How often a customer has used it."""
        return self.used_by.get(customer_id, 0)
