"""The job that carries refunds out; runs every minute."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from shop.notifications.sender import Sender
from shop.payments import refunds
from shop.payments.gateway import Gateway
from shop.payments.refunds import Refund, RefundStatus


def is_due(refund: Refund, now: datetime) -> bool:
    """Whether a refund waits and its time has come."""
    return (
        refund.status is RefundStatus.WAITING
        and refund.next_attempt_at is not None
        and refund.next_attempt_at <= now
    )


def run(waiting: Iterable[Refund], gateway: Gateway, sender: Sender, now: datetime) -> int:
    """Attempt every refund that is due; tell the customer when it is done, support when it failed for good."""
    tried = 0
    for refund in waiting:
        if not is_due(refund, now):
            continue
        tried += 1
        refunds.attempt(refund, gateway, now)
        number = refund.payment.order_number
        if refund.status is RefundStatus.DONE:
            sender.to_customer("refund.done", number, now)
        elif refund.status is RefundStatus.FAILED:
            sender.to_support("refund.failed", number)
    return tried
