"""Refunds: asked for, approved when large, carried out, tried again when the provider fails."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import Enum

from shop import settings
from shop.payments import retry
from shop.payments.gateway import Declined, Gateway, Unavailable
from shop.payments.payment import Payment


class RefundStatus(Enum):
    """Where a refund stands."""

    AWAITING_APPROVAL = "awaiting_approval"
    WAITING = "waiting"
    DONE = "done"
    FAILED = "failed"


class RefundRefused(Exception):
    """A refund is not begun; the message is a key of the catalogues."""


@dataclass
class Refund:
    """Money on its way back to a customer."""

    payment: Payment
    amount: int
    requested_by: int
    status: RefundStatus = RefundStatus.WAITING
    attempts: int = 0
    next_attempt_at: datetime | None = None
    approved_by: int | None = None
    error: str = ""


def request(payment: Payment, amount: int, requested_by: int, now: datetime) -> Refund:
    """Begin a refund. Large ones wait for approval; more than was paid is refused."""
    if amount <= 0 or amount > payment.refundable:
        raise RefundRefused("refund.amount")
    refund = Refund(payment, amount, requested_by, next_attempt_at=now)
    if amount > settings.REFUND_APPROVAL_ABOVE:
        refund.status = RefundStatus.AWAITING_APPROVAL
    payment.refunded += amount
    return refund


def approve(refund: Refund, approver: int) -> None:
    """Let a large refund go on. The person who asked for it may not approve it. 申请人不能审批自己的退款。"""
    if approver == refund.requested_by:
        raise RefundRefused("refund.own_approval")
    refund.approved_by = approver
    refund.status = RefundStatus.WAITING


def attempt(refund: Refund, gateway: Gateway, now: datetime) -> None:
    """Try a waiting refund once.

    When the provider is unavailable, the refund is tried again automatically, up to `REFUND_ATTEMPTS` times, with a pause that doubles.
    A declined refund is never tried again: it fails at once and goes to support, and so does one whose attempts are used up.
    """
    refund.attempts += 1
    key = f"refund-{refund.payment.order_number}-{refund.amount}"
    try:
        gateway.refund(refund.payment.provider_number, refund.amount, key=key)
    except Unavailable as error:
        refund.error = str(error)
        refund.next_attempt_at = retry.next_attempt(refund.attempts, now)
        if refund.next_attempt_at is None:
            _give_up(refund)
    except Declined as error:
        refund.error = str(error)
        _give_up(refund)
    else:
        refund.status, refund.next_attempt_at, refund.error = RefundStatus.DONE, None, ""


def _give_up(refund: Refund) -> None:
    """Mark as failed and free the amount, so that support can pay it back another way."""
    refund.status = RefundStatus.FAILED
    refund.next_attempt_at = None
    refund.payment.refunded -= refund.amount
