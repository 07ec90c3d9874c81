"""One program under the launcher: started again with back-off, stopped with its whole group."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from kb_agent.launcher import processes
from kb_agent.launcher.place import BASE_DIR

GRACE_SECONDS = 8
FIRST_PAUSE = 0.5
LONGEST_PAUSE = 10.0
HEALTHY_SECONDS = 60
LARGEST_LOG = 20_000_000


@dataclass
class Child:
    """A command with a log, running or due to run again."""

    name: str
    command: list[str]
    log: Path
    environment: Mapping[str, str]
    process: subprocess.Popen[bytes] | None = None
    started: float = field(default=0.0, init=False)
    due: float = field(default=0.0, init=False)
    pause: float = field(default=FIRST_PAUSE, init=False)
    ends: int = field(default=0, init=False)

    def start(self) -> None:
        """Start it now; it is killed when the launcher dies, however that happens."""
        large = self.log.exists() and self.log.stat().st_size > LARGEST_LOG
        with self.log.open("wb" if large else "ab") as log:
            self.process = processes.start(
                self.command,
                dies_by=signal.SIGKILL,
                log=log,
                cwd=BASE_DIR,
                environment=self.environment,
            )
        self.started = time.monotonic()

    def look(self) -> str:
        """Start it again when its pause is over; say so, once, when it has ended."""
        now = time.monotonic()
        if self.process is None:
            if now >= self.due:
                self.start()
            return ""
        code = self.process.poll()
        if code is None:
            return ""
        self._kill_group()
        self.process = None
        self.ends += 1
        if now - self.started > HEALTHY_SECONDS:
            self.pause = FIRST_PAUSE
        self.due, self.pause = now + self.pause, min(self.pause * 2, LONGEST_PAUSE)
        return f"{self.name} ended (exit code {code}) and will be started again; see {self.log}"

    def ask_to_stop(self) -> None:
        """SIGTERM; `stop` waits for it."""
        if self.process is not None:
            self.process.terminate()

    def stop(self) -> None:
        """Wait for the grace period, then kill whatever is left of its group."""
        if self.process is None:
            return
        self.process.terminate()
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(GRACE_SECONDS)
        self._kill_group()
        self.process.wait()
        self.process = None

    def last_words(self) -> str:
        """The last line it wrote."""
        lines = self.log.read_text(errors="replace").strip().splitlines()
        return lines[-1] if lines else "it said nothing"

    def _kill_group(self) -> None:
        if self.process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
