"""Member levels: reached by what was paid in a year."""

from __future__ import annotations

from enum import Enum


class Level(Enum):
    """A member's level. 会员等级。"""

    PLAIN = "plain"
    SILVER = "silver"
    GOLD = "gold"


SILVER_FROM = 1_000_00
GOLD_FROM = 5_000_00


def level_of(paid_in_a_year: int) -> Level:
    """The level for what was paid in the last 365 days, refunds taken off, in cents."""
    if paid_in_a_year >= GOLD_FROM:
        return Level.GOLD
    return Level.SILVER if paid_in_a_year >= SILVER_FROM else Level.PLAIN
