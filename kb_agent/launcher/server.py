"""One server program as the keeper's child: start, watch, restart with back-off, stop."""

from __future__ import annotations

import socket
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from signal import Signals
from typing import TYPE_CHECKING

from kb_agent.launcher import processes

if TYPE_CHECKING:
    from kb_agent.launcher.processes import Account

READY_SECONDS = 30
STOP_SECONDS = 15
LONGEST_PAUSE = 5.0
LARGEST_LOG = 5_000_000


class CannotStart(Exception):
    """A server did not come up; the message quotes its last words."""


@dataclass
class Server:
    """A command, the socket it answers on, and what to do around it."""

    name: str
    command: list[str]
    socket: Path
    log: Path
    stop_signal: Signals
    account: Account | None = None
    before: Callable[[], None] = lambda: None
    """Runs before every start: removes what an earlier one left."""
    ready: Callable[[], bool] = lambda: True
    """Runs once the socket answers; the server is up when it says so."""
    process: subprocess.Popen[bytes] | None = None
    pause: float = field(default=0.1, init=False)
    due: float = field(default=0.0, init=False)

    def start(self) -> None:
        """Start and wait until it answers. Raises `CannotStart`."""
        deadline = time.monotonic() + READY_SECONDS
        while True:
            self._spawn()
            if self._comes_up(deadline):
                return
            self.stop()
            if time.monotonic() > deadline:
                raise CannotStart(f"{self.name} did not start: {self._last_words()}")
            # An earlier server may still be shutting down, and its files with it.
            time.sleep(0.2)

    def restart_if_dead(self) -> None:
        """Start it again when it died, ever more slowly while it keeps dying."""
        now = time.monotonic()
        if self.process is not None and self.process.poll() is None:
            if now > self.due + 60:
                self.pause = 0.1
            return
        if now >= self.due:
            self._spawn()
            self.due = now + self.pause
            self.pause = min(self.pause * 2, LONGEST_PAUSE)

    def stop(self) -> None:
        """Ask it to stop, then make it."""
        if self.process is None:
            return
        self.process.send_signal(self.stop_signal)
        try:
            self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process = None

    def _spawn(self) -> None:
        self.before()
        with self.log.open("ab" if _small(self.log) else "wb") as log:
            self.process = processes.start(
                self.command, dies_by=self.stop_signal, log=log, account=self.account
            )

    def _comes_up(self, deadline: float) -> bool:
        while self.process is not None and self.process.poll() is None:
            if answers(self.socket) and self.ready():
                return True
            if time.monotonic() > deadline:
                return False
            time.sleep(0.03)
        return False

    def _last_words(self) -> str:
        lines = self.log.read_text(errors="replace").strip().splitlines()
        return f"{lines[-1] if lines else 'it said nothing'} (more in {self.log})"


def answers(path: Path) -> bool:
    """Whether a server listens on this unix socket."""
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(1)
        try:
            client.connect(str(path))
        except OSError:
            return False
    return True


def _small(log: Path) -> bool:
    return log.exists() and log.stat().st_size < LARGEST_LOG
