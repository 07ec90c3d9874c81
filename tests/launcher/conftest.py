"""Servers of a test's own, apart from those all tests share."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import psutil
import pytest

from kb_agent.launcher import processes
from kb_agent.launcher.place import BASE_DIR, Place

SOON = 20
"""Seconds in which what happens at once happens on a busy machine too."""
HOLD = """
import sys
from kb_agent.launcher import servers
with servers.use():
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def place() -> Iterator[Place]:
    """A fresh place; whatever still runs there afterwards is ended, and its files removed."""
    folder = Path(tempfile.mkdtemp(prefix="kb-agent-test-"))
    folder.chmod(0o711)
    found = Place(folder / "var")
    yield found
    deadline = time.monotonic() + 30
    while (left := running_in(found)) and time.monotonic() < deadline:
        time.sleep(0.05)
    for process in left:
        with suppress(psutil.NoSuchProcess):
            process.kill()
    if found.postgres_data.is_symlink():
        shutil.rmtree(found.postgres_data.readlink().parent)
    shutil.rmtree(folder)
    assert not left, f"still running: {left}"


class Holder:
    """A process that uses the servers until told to end."""

    def __init__(self, popen: subprocess.Popen[str]) -> None:
        self.popen = popen

    def await_held(self) -> None:
        """Until it has the servers."""
        assert self.popen.stdout is not None
        assert self.popen.stdout.readline() == "held\n"

    def end(self) -> None:
        """As a command ends that is done."""
        self.popen.communicate()

    def kill(self) -> None:
        """As a crash ends it."""
        self.popen.kill()
        self.popen.communicate()


HolderMaker = Callable[[], Holder]


@pytest.fixture
def hold(place: Place) -> Iterator[HolderMaker]:
    """`hold()` starts a process that uses the servers of `place`."""
    with ExitStack() as stack:

        def start() -> Holder:
            popen = subprocess.Popen(
                [sys.executable, "-c", HOLD],
                cwd=BASE_DIR,
                env=environment(place),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            stack.callback(popen.communicate)
            stack.callback(popen.kill)
            return Holder(popen)

        yield start


def environment(place: Place, **more: str) -> dict[str, str]:
    """Variables for a process that lives in this place."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("KB_AGENT_") and name not in {"DATABASE_URL", "REDIS_URL"}
    }
    settings = {"DJANGO_SETTINGS_MODULE": "kb_agent.settings", "PYTHONPATH": str(BASE_DIR)}
    return {**kept, **settings, "KB_AGENT_VAR": str(place.var), "KB_AGENT_DURABLE": "0", **more}


def running_in(place: Place, program: str = "") -> list[psutil.Process]:
    """Every process that names this place, in its arguments or its environment; of this program only, if one is given."""
    found = []
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            arguments = process.cmdline()
            names = [*arguments, *process.environ().values()]
            here = process.pid != os.getpid() and any(str(place.var) in name for name in names)
            if here and (not program or program in arguments):
                found.append(process)
    return found


def keeper_of(place: Place) -> psutil.Process:
    """The keeper at work."""
    return psutil.Process(int((place.locks / "keeper.pid").read_text()))


def postgres_of(place: Place) -> psutil.Process:
    """PostgreSQL's first process."""
    return psutil.Process(int((place.postgres_data / "postmaster.pid").read_text().split()[0]))


def until(condition: Callable[[], object], *, seconds: float) -> bool:
    """Whether it became true in time."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def kill(process: psutil.Process) -> None:
    """End it as nobody can prevent, and wait until it is gone."""
    process.send_signal(signal.SIGKILL)
    assert until(lambda: not processes.command_line(process.pid), seconds=SOON)
