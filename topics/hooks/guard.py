"""Holds a hook to its time, and a pre-hook off the network, while it keeps a transaction open (P4).

Python cannot stop a function from outside, so the database holds the time: it ends a statement
that takes longer, and drops a transaction that a hook leaves idle, which frees the tape. Whoever
called the hook waits no longer than that either (`aside`).
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.db import connection

LEFT_ALONE_SECONDS = 3.0
"""How long past its time a hook may keep the transaction idle before the database drops it."""

_NETWORK = frozenset(
    {"socket.connect", "socket.sendto", "socket.getaddrinfo", "socket.gethostbyname"}
    | {"subprocess.Popen", "os.system", "os.posix_spawn", "os.fork"}
)


@dataclass(slots=True)
class Clock:
    """When the hook it runs for must be done; put off by the time of hooks that run inside it."""

    deadline: float
    stands: int = 0
    """How many hooks run inside it now."""

    def left(self) -> float:
        """For how many seconds its caller still waits."""
        if self.stands:
            return LEFT_ALONE_SECONDS
        return self.deadline + LEFT_ALONE_SECONDS - time.monotonic()


_running: ContextVar[Clock | None] = ContextVar("the clock of the hook that runs", default=None)
_offline: ContextVar[bool] = ContextVar("whether that hook may reach no network", default=False)


class Overdue(Exception):
    """A hook took longer than it may."""


class NetworkRefused(Exception):
    """A pre-hook reached for a network or another process."""


@contextmanager
def watched(seconds: float, *, offline: bool = True) -> Iterator[Clock]:
    """Hold the code inside to `seconds`, `offline` without network and processes; must be inside a transaction.

    Nested, the outer clock stands still: a hook that ends a topic does not pay for the hooks of
    that end, which have their own time. Raises NetworkRefused from within, and Overdue when it
    ends too late.
    """
    _install()
    outer, started = _running.get(), time.monotonic()
    clock = Clock(started + seconds)
    before = limits()
    _set(f"{seconds}s", f"{seconds + LEFT_ALONE_SECONDS}s")
    tokens = _running.set(clock), _offline.set(offline)
    if outer:
        outer.stands += 1
    try:
        yield clock
    finally:
        _running.reset(tokens[0])
        _offline.reset(tokens[1])
        ended = time.monotonic()
        if outer:
            outer.deadline += ended - started
            outer.stands -= 1
    if ended > clock.deadline:
        raise Overdue(f"took longer than {seconds:g} s")
    _set(*before)


def limits() -> tuple[str, str]:
    """How long a statement may take, and a transaction idle, in the database's words."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT current_setting('statement_timeout'),"
            " current_setting('idle_in_transaction_session_timeout')"
        )
        found: tuple[str, str] = cursor.fetchone()
    return found


def _set(statement: str, idle: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT set_config('statement_timeout', %s, true),"
            " set_config('idle_in_transaction_session_timeout', %s, true)",
            [statement, idle],
        )


@cache
def _install() -> None:
    sys.addaudithook(_audit)


def _audit(event: str, _: tuple[Any, ...]) -> None:
    if event in _NETWORK and _offline.get():
        raise NetworkRefused(f"{event} inside a transaction")
