"""Accepted facts about the demo's shop, and questions with the fact that answers them, or none."""

from __future__ import annotations

from typing import NamedTuple


class Known(NamedTuple):
    """A fact: a name for this table, its words, the lines it cites."""

    name: str
    text: str
    path: str
    first: int
    last: int


class Asked(NamedTuple):
    """A question, the fact that answers it (empty for none), whether it is in the fact's own language."""

    text: str
    fact: str
    same: bool = True


FACTS = (
    Known("cancel", "已付款的订单，客户在付款后两小时内、打包之前可以自己取消。", "shop/orders/cancellation.py", 29, 44),
    Known("expiry", "订单超过 30 分钟未付款会自动过期，占用的库存随即释放。", "shop/orders/expiry.py", 13, 26),
    Known("fresh", "Opened food and made-to-order goods are never taken back.", "shop/orders/returns.py", 12, 22),
    Known("approval", "超过 500 元的退款需要另一个人审批，申请人不能审批自己的退款。", "shop/payments/refunds.py", 42, 58),
    Known("retry", "A refund that the provider could not carry out is tried again up to five times, with growing pauses.", "shop/payments/retry.py", 10, 19),
    Known("coupons", "一个订单最多叠加两张优惠券，并且每张都要允许叠加。", "shop/coupons/rules.py", 31, 36),
    Known("give back", "An expired coupon is not given back after a refund.", "shop/coupons/rules.py", 52, 57),
    Known("gold", "近一年实付满 5000 元成为金卡会员。", "shop/members/levels.py", 16, 24),
    Known("points", "Points pay for at most a fifth of an order and are gone after a year.", "shop/members/points.py", 31, 34),
    Known("shipping", "满 99 元包邮，金卡会员始终包邮，偏远地区另收 15 元。", "shop/shipping/fees.py", 17, 28),
    Known("receipt", "A parcel counts as delivered ten days after it was shipped.", "shop/shipping/delivery.py", 27, 35),
    Known("quiet", "晚上十点到早上八点不给客户发消息，付款验证码除外。", "shop/notifications/sender.py", 43, 48),
)  # fmt: skip

QUESTIONS = (
    Asked("客户付款以后多久之内还能取消订单？", "cancel"),
    Asked("Until when may a customer cancel a paid order?", "cancel", same=False),
    Asked("没付款的订单什么时候过期？", "expiry"),
    Asked("When does an unpaid order expire?", "expiry", same=False),
    Asked("Can made-to-order goods be returned?", "fresh"),
    Asked("生鲜和定制商品可以退货吗？", "fresh", same=False),
    Asked("多大金额的退款需要审批？", "approval"),
    Asked("Can I approve my own refund?", "approval", same=False),
    Asked("How many times is a failed refund tried again?", "retry"),
    Asked("退款失败后会自动重试几次？", "retry", same=False),
    Asked("一个订单能叠加几张优惠券？", "coupons"),
    Asked("How many coupons can be combined on one order?", "coupons", same=False),
    Asked("Is an expired coupon given back after the refund?", "give back"),
    Asked("退款后过期的优惠券会退回来吗？", "give back", same=False),
    Asked("怎样成为金卡会员？", "gold"),
    Asked("What makes someone a gold member?", "gold", same=False),
    Asked("How much of an order can points pay for?", "points"),
    Asked("积分最多能抵扣订单的多少？", "points", same=False),
    Asked("偏远地区包邮吗？", "shipping"),
    Asked("Do gold members pay for shipping?", "shipping", same=False),
    Asked("When does a parcel count as delivered by itself?", "receipt"),
    Asked("多少天后自动确认收货？", "receipt", same=False),
    Asked("晚上会给客户发消息吗？", "quiet"),
    Asked("Are customers sent messages at night?", "quiet", same=False),
    # Near to what is known, but about something else; and about nothing of it.
    Asked("库存不足时预留会怎样？", ""),
    Asked("What is an order number made of?", ""),
    Asked("快递公司有哪些？", ""),
    Asked("How is a lost parcel found?", ""),
    Asked("优惠券的金额是怎么算的？", ""),
    Asked("Who gets told when stock runs low?", ""),
    Asked("退货时运费退不退？", ""),
    Asked("How many points does one yuan earn?", ""),
    Asked("工资什么时候发？", ""),
    Asked("Which database do we use?", ""),
    Asked("员工怎么请假？", ""),
    Asked("How do I reset my password?", ""),
)
