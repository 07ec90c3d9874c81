"""When a failed refund is tried again."""

from __future__ import annotations

from datetime import datetime, timedelta

from shop import settings


def pause(attempts: int) -> timedelta:
    """The pause after so many attempts: a minute, doubled each time, six hours at most."""
    return min(settings.REFUND_FIRST_PAUSE * 2 ** (attempts - 1), settings.REFUND_LONGEST_PAUSE)


def next_attempt(attempts: int, now: datetime) -> datetime | None:
    """When to try again, or None when all attempts are used up. 重试次数用完后不再自动重试。"""
    if attempts >= settings.REFUND_ATTEMPTS:
        return None
    return now + pause(attempts)
