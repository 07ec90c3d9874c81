"""What the shop asks of a payment provider, and how a provider's answers are understood."""

from __future__ import annotations

from typing import Protocol


class GatewayError(Exception):
    """The provider did not do what it was asked."""


class Declined(GatewayError):
    """The provider said no, and will say no again: asking once more is useless."""


class Unavailable(GatewayError):
    """The provider could not be reached or was busy: asking again may help."""


class Gateway(Protocol):
    """A payment provider. Each call carries a key by which the provider knows a repeated one."""

    def charge(self, reference: str, amount: int, *, key: str) -> str:
        """Take money; returns the provider's number of the payment."""

    def refund(self, payment: str, amount: int, *, key: str) -> str:
        """Give money back; returns the provider's number of the refund."""


RETRYABLE_CODES = frozenset({"timeout", "rate_limited", "service_unavailable", "bank_offline"})


def error_of(code: str, message: str) -> GatewayError:
    """The error that a provider's code means: unknown codes count as final, since money is at stake."""
    return Unavailable(message) if code in RETRYABLE_CODES else Declined(message)
