"""Runs a hook in a thread of its own, so that one that never returns is left behind (P4).

Python cannot end a function from outside. The caller waits for so long and goes on; the thread stays until
the hook returns or the process ends. One that ran on the caller's transaction reaches the database no more:
its connection was cut, which rolled everything back.
"""

from __future__ import annotations

import logging
import os
import socket
from concurrent.futures import Future
from contextlib import suppress
from contextvars import copy_context
from threading import Lock, Thread
from typing import TYPE_CHECKING, Any, TypeVar

import psycopg
from django.db import DEFAULT_DB_ALIAS, connection, connections

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.db.backends.base.base import BaseDatabaseWrapper

    from topics.hooks.guard import Clock

T = TypeVar("T")

COPIED = (
    "connection", "autocommit", "in_atomic_block", "savepoint_state", "commit_on_exit",
    "needs_rollback", "rollback_exc", "closed_in_transaction", "errors_occurred",
    "queries_log", "force_debug_cursor",
)  # fmt: skip
COPIED_LISTS = ("savepoint_ids", "atomic_blocks", "run_on_commit", "execute_wrappers")
"""What Django keeps of a connection and its transaction; of the lists either side has its own."""

logger = logging.getLogger(__name__)
_lock = Lock()
_left: list[Thread] = []


class LeftBehind(Exception):
    """A hook did not return in its time, and nobody waits for it any longer."""


def run(does: Callable[[], T], *, path: str, clock: Clock) -> T:
    """Do it on the caller's transaction, and return or raise what it does. Raises LeftBehind when the clock has run out."""
    caller: Any = connections[DEFAULT_DB_ALIAS]
    done: Future[T] = Future()
    lent: list[BaseDatabaseWrapper] = []

    def inside() -> None:
        # A wrapper of its own: once left behind, it cannot touch what the caller does next.
        lent.append(connections.create_connection(DEFAULT_DB_ALIAS))
        _copy(caller, lent[0])
        connections[DEFAULT_DB_ALIAS] = lent[0]
        try:
            done.set_result(does())
        except BaseException as raised:  # noqa: BLE001 — it is raised again where the hook was called
            done.set_exception(raised)

    thread = _start(inside, path)
    while thread.is_alive() and (seconds := clock.left()) > 0:
        thread.join(seconds)
    if thread.is_alive():
        _leave(thread)
        _cut(caller)
        raise LeftBehind(f"{path} has not returned")
    _copy(lent[0], caller)
    return done.result()


def apart(does: Callable[[], T], *, path: str, seconds: float) -> T:
    """Do it outside any transaction, and return or raise what it does. Raises LeftBehind when the time is over."""
    done: Future[T] = Future()

    def inside() -> None:
        try:
            done.set_result(does())
        except BaseException as raised:  # noqa: BLE001 — it is raised again where the hook was called
            done.set_exception(raised)
        finally:
            connection.close()

    thread = _start(inside, path)
    thread.join(seconds)
    if thread.is_alive():
        _leave(thread)
        raise LeftBehind(f"{path} has not returned")
    return done.result()


def left_behind() -> list[str]:
    """The threads of this process that were left behind and still run, by the names of their hooks."""
    with _lock:
        _left[:] = [thread for thread in _left if thread.is_alive()]
        return [thread.name for thread in _left]


def _copy(one: Any, other: Any) -> None:
    for name in COPIED:
        setattr(other, name, getattr(one, name))
    for name in COPIED_LISTS:
        setattr(other, name, list(getattr(one, name)))


def _start(inside: Callable[[], None], path: str) -> Thread:
    thread = Thread(target=copy_context().run, args=(inside,), name=f"hook {path}", daemon=True)
    thread.start()
    return thread


def _leave(thread: Thread) -> None:
    with _lock:
        _left.append(thread)
    logger.error(
        "%s has not returned: it keeps a thread of this process, one of %d left behind",
        thread.name,
        len(left_behind()),
    )


def _cut(caller: Any) -> None:
    if caller.connection is None:
        return
    # Whoever uses it, on either side, is told that it is gone; the server rolls back.
    with suppress(OSError, psycopg.Error):
        wire = socket.socket(fileno=os.dup(caller.connection.fileno()))
        wire.shutdown(socket.SHUT_RDWR)
        wire.close()
