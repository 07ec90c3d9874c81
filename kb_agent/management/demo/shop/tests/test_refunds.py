"""How refunds are tried again."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from shop.payments import refunds
from shop.payments.gateway import Declined, GatewayError, Unavailable
from shop.payments.payment import Payment
from shop.payments.refunds import RefundStatus

NOW = datetime(2026, 1, 15, 12, tzinfo=UTC)


class FailingGateway:
    """Answers every refund with the same error."""

    def __init__(self, error: GatewayError) -> None:
        """The error to raise."""
        self.error = error

    def charge(self, reference: str, amount: int, *, key: str) -> str:
        """Never charges."""
        raise self.error

    def refund(self, payment: str, amount: int, *, key: str) -> str:
        """Always fails."""
        raise self.error


def test_an_unavailable_provider_is_asked_five_times_with_doubled_pauses() -> None:
    payment = Payment("20260115-00042-7", "p-1", 100_00, NOW)
    refund = refunds.request(payment, 100_00, requested_by=1, now=NOW)
    pauses = []
    while refund.status is RefundStatus.WAITING:
        refunds.attempt(refund, FailingGateway(Unavailable("busy")), NOW)
        if refund.next_attempt_at is not None:
            pauses.append(refund.next_attempt_at - NOW)
    assert pauses == [timedelta(minutes=minutes) for minutes in (1, 2, 4, 8)]
    assert (refund.attempts, refund.status, payment.refunded) == (5, RefundStatus.FAILED, 0)


def test_a_declined_refund_is_not_tried_again() -> None:
    payment = Payment("20260115-00042-7", "p-1", 100_00, NOW)
    refund = refunds.request(payment, 50_00, requested_by=1, now=NOW)
    refunds.attempt(refund, FailingGateway(Declined("account closed")), NOW)
    assert (refund.attempts, refund.status) == (1, RefundStatus.FAILED)
