"""Sends messages: to customers by their channel and never at night, to support at once."""

from __future__ import annotations

from datetime import datetime, time, timedelta
from typing import Protocol

from shop.notifications import catalogue

# Nothing is sent to customers in these hours; it waits for the morning. 夜间免打扰。
QUIET_FROM = time(22)
QUIET_UNTIL = time(8)
# These are sent at any hour, since the customer is waiting for them.
URGENT = frozenset({"payment.code", "refund.failed"})


class Channel(Protocol):
    """E-mail, SMS or an app message."""

    def deliver(self, to: str, text: str, at: datetime | None) -> None:
        """Send now, or at a time."""


class Sender:
    """Knows the channels and the quiet hours."""

    def __init__(self, customers: Channel, support: Channel, language: str = "zh") -> None:
        """Channels for customers and for support, and the language of the texts."""
        self._customers = customers
        self._support = support
        self._language = language

    def to_customer(self, key: str, number: str, now: datetime) -> None:
        """Send a customer a text of the catalogue about an order."""
        at = None if key in URGENT else after_quiet_hours(now)
        self._customers.deliver(number, catalogue.text(key, self._language), at)

    def to_support(self, key: str, number: str) -> None:
        """Tell support, at any hour."""
        self._support.deliver(number, catalogue.text(key, self._language), None)


def after_quiet_hours(now: datetime) -> datetime | None:
    """None when it may be sent now, else when the quiet hours end."""
    if QUIET_UNTIL <= now.time() < QUIET_FROM:
        return None
    morning = now.replace(hour=QUIET_UNTIL.hour, minute=0, second=0, microsecond=0)
    return morning if now.time() < QUIET_UNTIL else morning + timedelta(days=1)
