"""The keeper: a detached process that runs PostgreSQL and Valkey until nobody uses them any more.

Everyone who uses the servers holds a shared lock on one file, which the system releases however
they end. The keeper stops the servers once it gets that lock for itself. Its children die with it.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from types import FrameType

from kb_agent.launcher import folders, postgres, processes, valkey
from kb_agent.launcher.place import Place
from kb_agent.launcher.server import CannotStart, Server

LOOK_EVERY = 0.2


def main(arguments: Sequence[str]) -> None:
    """`keeper VAR READY_FD SERVER…`: report readiness or one sentence of failure on the pipe."""
    place, ready = Place(Path(arguments[0])), int(arguments[1])
    # The starter waits for this first process only; the second belongs to nobody.
    if os.fork():
        os._exit(0)
    os.setsid()
    os.chdir("/")
    _redirect_output(place)
    alone = processes.open_lock(place.locks / "keeper.lock")
    processes.lock_alone(alone)
    (place.locks / "keeper.pid").write_text(f"{os.getpid()}\n")
    signal.signal(signal.SIGTERM, _leave)
    servers: list[Server] = []
    try:
        try:
            servers.extend(_start(name, place) for name in arguments[2:])
            os.write(ready, b"ready")
        except (CannotStart, folders.CannotPrepare) as error:
            os.write(ready, str(error).encode())
            return
        finally:
            os.close(ready)
        _watch(servers, processes.open_lock(place.locks / "holders.lock"))
    finally:
        for server in reversed(servers):
            server.stop()


def _start(name: str, place: Place) -> Server:
    server = postgres.server(place) if name == "postgres" else valkey.server(place)
    server.start()
    return server


def _watch(servers: list[Server], holders: int) -> None:
    """Restart what died; return, holding the lock, when the last user is gone."""
    while not processes.try_lock_alone(holders):
        for server in servers:
            server.restart_if_dead()
        time.sleep(LOOK_EVERY)


def _redirect_output(place: Place) -> None:
    log = os.open(place.logs / "keeper.log", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    os.dup2(log, 1)
    os.dup2(log, 2)
    os.close(log)


def _leave(_number: int, _frame: FrameType | None) -> None:
    raise SystemExit(0)


if __name__ == "__main__":
    main(sys.argv[1:])
