"""Figures that the shop's owner may change without changing a rule."""

from __future__ import annotations

from datetime import timedelta

CURRENCY = "CNY"

# An unpaid order holds its goods this long; then it expires and they go back on sale.
PAYMENT_DEADLINE = timedelta(minutes=30)

# A paid order may be cancelled by its customer this long after payment, if nothing was packed.
FREE_CANCELLATION = timedelta(hours=2)

# Goods may be returned this long after delivery.
RETURN_PERIOD = timedelta(days=7)

# A refund that fails is tried again this many times, with growing pauses.
REFUND_ATTEMPTS = 5
REFUND_FIRST_PAUSE = timedelta(minutes=1)
REFUND_LONGEST_PAUSE = timedelta(hours=6)

# Refunds above this amount, in cents, need a second person's approval.
REFUND_APPROVAL_ABOVE = 500_00

# Orders from this amount on, in cents, are shipped free of charge.
FREE_SHIPPING_FROM = 99_00

# A point is earned for every so many cents paid.
CENTS_A_POINT = 100
