"""Holds a pre-hook to its time, and off the network, while it keeps a transaction open (P4).

Python cannot stop a function from outside, so the database holds the time: it ends a statement
that takes longer, and drops a transaction that a hook leaves idle, which frees the tape.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import Any

from django.db import connection

LEFT_ALONE_SECONDS = 3.0
"""How long past its time a hook may keep the transaction idle before the database drops it."""

_NETWORK = frozenset(
    {"socket.connect", "socket.sendto", "socket.getaddrinfo", "socket.gethostbyname"}
    | {"subprocess.Popen", "os.system", "os.posix_spawn", "os.fork"}
)
_watching: ContextVar[bool] = ContextVar("a pre-hook runs", default=False)


class Overdue(Exception):
    """A pre-hook took longer than it may."""


class NetworkRefused(Exception):
    """A pre-hook reached for a network or another process."""


@contextmanager
def watched(seconds: float) -> Iterator[None]:
    """Hold the code inside to `seconds`, without network; must be inside a transaction.

    Raises NetworkRefused from within, and Overdue when it ends too late.
    """
    _install()
    deadline = time.monotonic() + seconds
    before = limits()
    _set(f"{seconds}s", f"{seconds + LEFT_ALONE_SECONDS}s")
    token = _watching.set(True)
    try:
        yield
    finally:
        _watching.reset(token)
    if time.monotonic() > deadline:
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
    if event in _NETWORK and _watching.get():
        raise NetworkRefused(f"{event} inside a transaction")
