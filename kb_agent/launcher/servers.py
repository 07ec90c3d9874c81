"""Makes sure PostgreSQL and Valkey run for as long as this process needs them.

    with servers.use():
        …

Whoever uses them holds a shared lock. The first starts a keeper (`keeper.py`); the keeper stops
the servers when the last has gone, also by kill -9.
"""

from __future__ import annotations

import os
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kb_agent.launcher import folders, place, processes
from kb_agent.launcher.place import BASE_DIR, Place
from kb_agent.launcher.server import answers

START_SECONDS = 60


class Unavailable(Exception):
    """The servers could not be started; the message is one sentence for the person."""


def needed() -> list[str]:
    """The servers the environment does not name elsewhere."""
    names = {"DATABASE_URL": "postgres", "REDIS_URL": "valkey"}
    return [server for variable, server in names.items() if not os.environ.get(variable)]


@contextmanager
def use(where: Place | None = None) -> Iterator[None]:
    """Hold the servers: they run at least until the block ends. Raises `Unavailable`."""
    held = hold(where or place.here())
    try:
        yield
    finally:
        if held is not None:
            os.close(held)


def hold(where: Place) -> int | None:
    """Hold the servers until the returned descriptor is closed or the process ends."""
    if not needed():
        return None
    _prepare(where)
    held = processes.open_lock(where.locks / "holders.lock")
    # Waits while a keeper is stopping: it has this lock for itself until it is gone.
    processes.lock_shared(held)
    try:
        ensure(where)
    except Unavailable:
        os.close(held)
        raise
    return held


def ensure(where: Place) -> None:
    """Wait until the servers answer, starting a keeper whenever none is at work."""
    starting = processes.open_lock(where.locks / "starting.lock")
    deadline = time.monotonic() + START_SECONDS
    try:
        processes.lock_alone(starting)
        while True:
            if not keeper_alive(where):
                _start_keeper(where)
            # A keeper at work may be restarting a server that died a moment ago.
            if all(answers(path) for path in sockets(where)):
                return
            if time.monotonic() > deadline:
                raise Unavailable(f"The servers are not answering; see {where.logs}.")
            time.sleep(0.05)
    finally:
        os.close(starting)


def keeper_alive(where: Place) -> bool:
    """Whether some keeper holds its lock."""
    lock = processes.open_lock(where.locks / "keeper.lock")
    try:
        return not processes.try_lock_alone(lock)
    finally:
        os.close(lock)


def sockets(where: Place) -> list[Path]:
    """Where the servers this process needs answer."""
    paths = {"postgres": where.postgres_socket, "valkey": where.valkey_socket}
    return [paths[name] for name in needed()]


def _prepare(where: Place) -> None:
    try:
        folders.prepare(where, folders.account())
    except folders.CannotPrepare as error:
        raise Unavailable(str(error)) from error


def _start_keeper(where: Place) -> None:
    reading, writing = os.pipe()
    try:
        subprocess.run(
            [
                sys.executable,
                "-m",
                "kb_agent.launcher.keeper",
                str(where.var),
                str(writing),
                *needed(),
            ],
            pass_fds=[writing],
            stdin=subprocess.DEVNULL,
            cwd=BASE_DIR,
            check=True,
        )
        os.close(writing)
        writing = -1
        said = _read_until_closed(reading)
    finally:
        os.close(reading)
        if writing >= 0:
            os.close(writing)
    if said != "ready":
        raise Unavailable(said or f"The servers did not start; see {where.logs}.")


def _read_until_closed(reading: int) -> str:
    said, deadline = b"", time.monotonic() + START_SECONDS
    while select.select([reading], [], [], max(0, deadline - time.monotonic()))[0]:
        part = os.read(reading, 65_536)
        if not part:
            break
        said += part
    return said.decode(errors="replace")
