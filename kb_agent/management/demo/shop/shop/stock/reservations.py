"""Keeps goods for orders that are not paid yet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from shop.stock.stock import StockItem


class OutOfStock(Exception):
    """Not enough is left of a product; nothing was reserved."""


@dataclass
class Reservations:
    """What is kept for which order."""

    items: dict[str, StockItem]
    held: dict[str, dict[str, int]] = field(default_factory=dict)

    def reserve(self, order_number: str, wanted: Mapping[str, int]) -> None:
        """Reserve everything or nothing. 库存预留：要么全部成功，要么一件都不占用。"""
        for sku, quantity in wanted.items():
            if self.items[sku].available < quantity:
                raise OutOfStock(sku)
        for sku, quantity in wanted.items():
            self.items[sku].reserved += quantity
        self.held[order_number] = dict(wanted)

    def release(self, order_number: str) -> None:
        """Put what an order held back on sale; releasing twice does nothing the second time."""
        for sku, quantity in self.held.pop(order_number, {}).items():
            self.items[sku].reserved -= quantity

    def ship(self, order_number: str) -> None:
        """The goods leave the warehouse: no longer reserved, no longer on hand."""
        for sku, quantity in self.held.pop(order_number, {}).items():
            self.items[sku].reserved -= quantity
            self.items[sku].on_hand -= quantity
