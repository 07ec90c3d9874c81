"""`make run` from the terminal's side: start, restart, stop, and what is left behind."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import psutil
import pytest

from kb_agent.launcher import processes
from kb_agent.launcher.place import BASE_DIR, Place
from tests.flows.harness import free_port
from tests.launcher.conftest import SOON, environment, keeper_of, kill, running_in, until

START_SECONDS = 120
NAMES = ("turns", "indexing", "upkeep", "web")


class Launched:
    """A running launcher and what it printed."""

    def __init__(self, place: Place, port: int, log: Path) -> None:
        self.place, self.port, self.log = place, port, log
        with log.open("ab") as output:
            self.popen = subprocess.Popen(
                [sys.executable, "-m", "kb_agent.launcher"],
                cwd=BASE_DIR,
                env=environment(place, KB_AGENT_PORT=str(port)),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
            )

    def said(self) -> str:
        """Everything printed so far."""
        return self.log.read_text()

    def await_ready(self) -> None:
        """Until it prints its address."""
        ready = until(
            lambda: "is ready" in self.said() or self.popen.poll() is not None,
            seconds=START_SECONDS,
        )
        assert ready, self.said()
        assert self.popen.poll() is None, self.said()

    def child(self, name: str) -> psutil.Process:
        """The program of this name."""
        mark = "uvicorn" if name == "web" else f"{name}@%h"
        children = psutil.Process(self.popen.pid).children()
        (found,) = [child for child in children if mark in processes.command_line(child.pid)]
        return found

    def answers(self) -> bool:
        """Whether the web server does."""
        try:
            with urllib.request.urlopen(
                f"http://127.0.0.1:{self.port}/api/ready", timeout=5
            ) as got:
                return bool(got.status == 200)
        except OSError:
            return False


Launch = Callable[[], Launched]


@pytest.fixture
def launch(place: Place, tmp_path: Path) -> Iterator[Launch]:
    """`launch()` starts the whole product in a place of its own."""
    port = free_port()
    with ExitStack() as stack:

        def start() -> Launched:
            launched = Launched(place, port, tmp_path / "launcher.log")
            stack.callback(launched.popen.wait)
            stack.callback(launched.popen.kill)
            return launched

        yield start


@pytest.mark.timeout(400)
def test_R1_it_starts_survives_crashes_stops_and_starts_again_in_seconds(
    launch: Launch, place: Place
) -> None:
    first = launch()
    first.await_ready()
    assert first.answers()
    assert {"admin", "lin", "zhou"} <= set((place.var / "demo-passwords").read_text().split())
    assert "退款" in first.said()
    _a_killed_program_is_started_again(first)
    _the_servers_come_back_after_their_keeper_was_killed(first)
    first.popen.send_signal(signal.SIGTERM)
    assert first.popen.wait(60) == 0
    assert until(lambda: not running_in(place), seconds=SOON), running_in(place)

    started = time.monotonic()
    second = launch()
    second.await_ready()
    assert time.monotonic() - started < 40
    second.popen.kill()
    assert until(lambda: not running_in(place), seconds=SOON), running_in(place)


def _a_killed_program_is_started_again(launched: Launched) -> None:
    for name in NAMES:
        killed = launched.child(name)
        pool = killed.children(recursive=True)
        kill(killed)
        assert not psutil.wait_procs(pool, timeout=SOON)[1], f"{name} left its pool behind"
    for name in NAMES:
        assert until(lambda name=name: _is_alive(launched, name), seconds=60), name
    assert until(launched.answers, seconds=60)


def _is_alive(launched: Launched, name: str) -> bool:
    try:
        return launched.child(name).is_running()
    except (ValueError, psutil.NoSuchProcess):
        return False


def _the_servers_come_back_after_their_keeper_was_killed(launched: Launched) -> None:
    kill(keeper_of(launched.place))
    assert until(launched.answers, seconds=60)


def test_R1_a_taken_port_is_one_clear_sentence(place: Place) -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        port = listener.getsockname()[1]
        said = _run_launcher(environment(place, KB_AGENT_PORT=str(port)))
    assert said.returncode == 1
    assert said.stderr.startswith(
        f"Port {port} on 127.0.0.1 cannot be used (address already in use)"
    )
    assert len(said.stderr.splitlines()) == 1


def test_a_port_that_is_no_number_is_one_clear_sentence(place: Place) -> None:
    said = _run_launcher(environment(place, KB_AGENT_PORT="eighty"))
    assert said.returncode == 1
    assert said.stderr == "KB_AGENT_PORT must be a number, not 'eighty'.\n"


def _run_launcher(variables: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "kb_agent.launcher"],
        cwd=BASE_DIR,
        env=variables,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
