"""What shipping costs a customer."""

from __future__ import annotations

from shop import settings
from shop.members.levels import Level
from shop.orders.order import Order

BASE_FEE = 8_00
EACH_FURTHER_KILO = 2_00
REMOTE_SURCHARGE = 15_00

# Regions where carriers charge more. 偏远地区加收运费。
REMOTE_REGIONS = frozenset({"XZ", "XJ", "QH", "NM", "HI"})


def shipping_fee(order: Order, grams: int, region: str, level: Level) -> int:
    """The fee in cents.

    Free from `FREE_SHIPPING_FROM` on, counted after the discount, and always for gold members; remote regions pay their surcharge even
    then.
    """
    surcharge = REMOTE_SURCHARGE if region in REMOTE_REGIONS else 0
    paid_for_goods = order.goods_total - order.discount
    if level is Level.GOLD or paid_for_goods >= settings.FREE_SHIPPING_FROM:
        return surcharge
    kilos = -(-grams // 1000)
    return BASE_FEE + max(0, kilos - 1) * EACH_FURTHER_KILO + surcharge
