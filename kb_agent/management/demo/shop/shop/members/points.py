"""Points: earned by paying, lost by refunds, spent on orders, gone after a year."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from shop import settings
from shop.members.levels import Level

LIFETIME = timedelta(days=365)
CENTS_OFF_A_POINT = 1
# Points may pay for at most this share of an order, in percent.
MOST_SHARE = 20
FACTORS = {Level.PLAIN: 100, Level.SILVER: 120, Level.GOLD: 150}


@dataclass
class Earning:
    """Points earned at one time; the oldest are spent first."""

    points: int
    earned_at: datetime


def earned(paid: int, level: Level) -> int:
    """Points for a payment; higher levels earn more."""
    return paid // settings.CENTS_A_POINT * FACTORS[level] // 100


def usable(earnings: list[Earning], total: int, now: datetime) -> int:
    """How many points may be spent on an order: those not expired, up to a fifth of its total. 积分最多抵扣订单的两成。"""
    alive = sum(earning.points for earning in earnings if now - earning.earned_at < LIFETIME)
    return min(alive, total * MOST_SHARE // 100 // CENTS_OFF_A_POINT)
