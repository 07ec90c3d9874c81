"""Real processes against the test database: a Celery worker, the ASGI server, any command."""

from __future__ import annotations

import itertools
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connections

from kb_agent.launcher import processes

START_SECONDS = 120
ROOT = Path(__file__).resolve().parent.parent.parent


@dataclass
class Process:
    """A running program of ours; `lines()` is what it wrote so far."""

    popen: subprocess.Popen[bytes]
    log: Path
    environment: dict[str, str] = field(repr=False)

    @property
    def pid(self) -> int:
        """Its process id."""
        return self.popen.pid

    def lines(self) -> list[str]:
        """What it wrote to either output."""
        return self.log.read_text(errors="replace").splitlines()

    def kill(self) -> None:
        """End it as a crash does."""
        self.popen.kill()
        self.popen.wait()

    def stop(self) -> None:
        """End it as an administrator does."""
        if self.popen.poll() is None:
            self.popen.send_signal(signal.SIGCONT)
            self.popen.terminate()
            try:
                self.popen.wait(15)
            except subprocess.TimeoutExpired:
                self.kill()


def child_environment(**more: str) -> dict[str, str]:
    """What a child process needs to use this test's database and Redis instead of the product's."""
    return {
        **os.environ,
        "KB_AGENT_VAR": str(settings.VAR),
        "KB_AGENT_DATABASE_NAME": str(connections["default"].settings_dict["NAME"]),
        "DJANGO_SETTINGS_MODULE": "tests.flows.child_settings",
        "PYTHONPATH": str(ROOT),
        "PYTHONUNBUFFERED": "1",
        **more,
    }


@contextmanager
def running(
    command: list[str], log: Path, *, ready: Callable[[Process], bool], **environment: str
) -> Iterator[Process]:
    """Start a program, wait until it is ready, stop it at the end; it cannot outlive the tests."""
    variables = child_environment(**environment)
    with log.open("ab") as output:
        popen = processes.start(
            command, dies_by=signal.SIGKILL, log=output, cwd=ROOT, environment=variables
        )
    process = Process(popen, log, variables)
    try:
        _await(process, ready)
        yield process
    finally:
        process.kill()


def _await(process: Process, ready: Callable[[Process], bool]) -> None:
    deadline = time.monotonic() + START_SECONDS
    while not ready(process):
        said = "\n".join(process.lines()[-20:])
        assert process.popen.poll() is None, f"{process.popen.args} ended at once:\n{said}"
        assert time.monotonic() < deadline, f"{process.popen.args} is not ready:\n{said}"
        time.sleep(0.05)


def until(holds: Callable[[], bool], *, within: float = 150) -> None:
    """Wait for something to become so."""
    deadline = time.monotonic() + within
    while not holds():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.05)


StartWorker = Callable[..., Process]


@pytest.fixture
def start_worker(committed_database: None, tmp_path: Path) -> Iterator[StartWorker]:
    """`start_worker("turns", KB_AGENT_TURN_LEASE_SECONDS="2")`: a real Celery worker of its own; `beat` inside."""
    stack, numbers = ExitStack(), itertools.count()

    def start(
        queues: str = "turns,indexing,upkeep", *, beat: bool = False, **environment: str
    ) -> Process:
        number = next(numbers)
        command = [
            *(sys.executable, "-m", "celery", "-A", "kb_agent.celery:app", "worker"),
            *("--queues", queues, "--pool", "threads", "--concurrency", "8"),
            *("--without-gossip", "--without-mingle", "--hostname", f"test{number}@%h"),
            *("--loglevel", "INFO"),
            *(("--beat", "-s", str(tmp_path / f"beat-{number}")) if beat else ()),
        ]
        context = running(
            command,
            tmp_path / f"worker-{number}.log",
            ready=lambda process: any(" ready." in line for line in process.lines()),
            **environment,
        )
        return stack.enter_context(context)

    with stack:
        yield start


@pytest.fixture
def worker(start_worker: StartWorker) -> Process:
    """A real Celery worker serving every queue."""
    return start_worker()


@dataclass(frozen=True)
class WebServer:
    """The real ASGI server."""

    url: str
    process: Process


@pytest.fixture
def web_server(committed_database: None, tmp_path: Path) -> Iterator[WebServer]:
    """Uvicorn on a free port, serving the test database."""
    with serving(tmp_path) as server:
        yield server


@contextmanager
def serving(folder: Path) -> Iterator[WebServer]:
    """The real ASGI server until the block ends, with its log in this folder."""
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    command = [
        *(sys.executable, "-m", "uvicorn", "kb_agent.asgi:application"),
        *("--host", "127.0.0.1", "--port", str(port), "--no-access-log"),
        *("--timeout-graceful-shutdown", "1"),
    ]
    with running(
        command,
        folder / "web.log",
        ready=lambda _: _answers(f"{url}/api/health"),
        KB_AGENT_PORT=str(port),
    ) as process:
        yield WebServer(url, process)


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=5) as response:
            return bool(response.status == 200)
    except OSError:
        return False


def free_port() -> int:
    """A port below those the system hands out to outgoing connections."""
    for port in range(20_000 + os.getpid() % 5_000, 32_768):
        with socket.socket() as listener:
            try:
                listener.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise AssertionError("No free port below 32768.")
