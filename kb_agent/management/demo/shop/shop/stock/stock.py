"""How many of each product there are, and when to order more."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class StockItem:
    """One product in the warehouse."""

    sku: str
    on_hand: int
    reserved: int = 0
    reorder_point: int = 0
    reorder_quantity: int = 0
    oversell: int = 0

    @property
    def available(self) -> int:
        """What can still be promised: on hand and allowed oversell, without what is reserved."""
        return self.on_hand + self.oversell - self.reserved


def needs_reorder(item: StockItem) -> bool:
    """Whether stock that is not promised has fallen to the reorder point. 低于补货点时需要补货。"""
    return item.on_hand - item.reserved <= item.reorder_point


def reorder_amount(item: StockItem) -> int:
    """How many to order: whole packs, enough to stand above the reorder point again."""
    missing = item.reorder_point - (item.on_hand - item.reserved) + 1
    if item.reorder_quantity <= 0:
        return max(0, missing)
    packs = -(-max(0, missing) // item.reorder_quantity)
    return packs * item.reorder_quantity
