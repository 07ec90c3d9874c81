"""What workers still do when a turn or a topic has ended, and how a test waits for it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from django.db import OperationalError, connection

from tests.flows import harness
from topics.models import HookRun, Turn

if TYPE_CHECKING:
    from tests.flows.person import Found

REST_SECONDS = 10
UNENDED = ("waiting", "running")


def hooks_ended(*topics: Found) -> None:
    """Wait until the hooks of finished topics have run, whose entries come after the end's own."""
    left = HookRun.objects.filter(topic__in=[topic["id"] for topic in topics], status__in=UNENDED)
    harness.until(lambda: not left.exists(), within=60)


def let_rest() -> None:
    """Give what runs a moment to end: the ids of its rows are soon those of other rows."""
    deadline = time.monotonic() + REST_SECONDS
    while _running() and time.monotonic() < deadline:
        time.sleep(0.05)


def _running() -> bool:
    try:
        return any(kind.objects.filter(status="running").exists() for kind in (HookRun, Turn))
    except OperationalError:
        # A test took the server away, and it is coming back.
        connection.close()
        return True
