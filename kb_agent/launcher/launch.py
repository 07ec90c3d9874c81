"""Everything `make run` starts, in order, kept running until it is told to stop."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from types import FrameType

from kb_agent.launcher import address, place, processes, programs, servers, welcome
from kb_agent.launcher.child import Child
from kb_agent.launcher.place import BASE_DIR, Place
from kb_agent.launcher.reload import SourceWatch

LOOK_EVERY = 0.25
HEALTH_SECONDS = 90
FUTILE_STARTS = 4
VITE_PORT = 5173


class CannotRun(Exception):
    """One sentence for the person at the terminal."""


class Stopped(Exception):
    """Ctrl-C or SIGTERM."""


def run(*, reload: bool) -> None:
    """Start, watch, stop in reverse. Raises `CannotRun`."""
    where = place.here()
    signal.signal(signal.SIGINT, _stop)
    signal.signal(signal.SIGTERM, _stop)
    processes.adopt_orphans()
    try:
        with servers.use(where):
            _only_launcher(where)
            if reason := address.why_not_free():
                raise CannotRun(reason)
            _prepare_data()
            _supervise(where, reload=reload)
    except servers.Unavailable as error:
        raise CannotRun(str(error)) from error
    except Stopped:
        return


def _only_launcher(where: Place) -> None:
    lock = where.locks / "launcher.lock"
    if not processes.try_lock_alone(processes.open_lock(lock)):
        raise CannotRun(f"KB Agent already runs with the data in {where.var}.")


def _prepare_data() -> None:
    """In a process of its own, so that the launcher stays without Django."""
    command = [sys.executable, str(BASE_DIR / "manage.py"), "prepare"]
    if subprocess.run(command, check=False).returncode:
        raise CannotRun("The database could not be prepared, so nothing was started.")


def _supervise(where: Place, *, reload: bool) -> None:
    children = [
        Child(name, command(), where.logs / f"{name}.log", programs.environment())
        for name, command in programs.BY_NAME.items()
    ]
    if reload:
        children.append(_front_end(where))
    watch = SourceWatch() if reload else None
    try:
        for child in children:
            child.start()
        _await_health(children)
        welcome.show(where)
        if reload:
            print(f"  pages as you edit them: http://127.0.0.1:{VITE_PORT}\n", flush=True)
        while True:
            _look(where, children)
            if watch and watch.changed():
                _restart(children)
            time.sleep(LOOK_EVERY)
    finally:
        # All at once, then one after the other in reverse: a second Ctrl-C must not leave any.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        print("\nStopping …", flush=True)
        for child in reversed(children):
            child.ask_to_stop()
        for child in reversed(children):
            child.stop()


def _front_end(where: Place) -> Child:
    """Vite itself, not npm around it: npm would leave it behind when killed."""
    frontend = BASE_DIR / "frontend"
    command = ["node", str(frontend / "node_modules/vite/bin/vite.js"), str(frontend)]
    command += ["--host", "127.0.0.1", "--port", str(VITE_PORT), "--strictPort"]
    environment = {**programs.environment(), "KB_AGENT_DEV_SERVER": address.url()}
    return Child("vite", command, where.logs / "vite.log", environment)


def _restart(children: list[Child]) -> None:
    print("The code changed: starting again …", flush=True)
    ours = [child for child in children if child.name != "vite"]
    for child in ours:
        child.ask_to_stop()
    for child in ours:
        child.stop()
        child.start()


def _look(where: Place, children: list[Child]) -> None:
    for child in children:
        if said := child.look():
            print(said, flush=True)
    if servers.needed() and not servers.keeper_alive(where):
        print("The servers' keeper ended; starting another …", flush=True)
        servers.ensure(where)
    _reap({child.process.pid for child in children if child.process})


def _reap(own: set[int]) -> None:
    """Collect orphans that came to us; our own children are collected by name."""
    while True:
        try:
            found = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:
            return
        if found is None or found.si_pid in own:
            return
        os.waitpid(found.si_pid, 0)


def _await_health(children: list[Child]) -> None:
    """Until the web server answers; a program that keeps ending at once is not worth waiting for."""
    deadline = time.monotonic() + HEALTH_SECONDS
    while not _healthy():
        for child in children:
            child.look()
            if child.ends >= FUTILE_STARTS or time.monotonic() > deadline:
                raise CannotRun(f"{child.name} does not start: {child.last_words()} ({child.log})")
        time.sleep(0.1)


def _healthy() -> bool:
    health = f"http://{'127.0.0.1' if address.host() == '0.0.0.0' else address.host()}"  # noqa: S104
    try:
        with urllib.request.urlopen(f"{health}:{address.port()}/api/health", timeout=5) as answer:  # noqa: S310
            return bool(answer.status == 200)
    except (urllib.error.URLError, OSError):
        return False


def _stop(_number: int, _frame: FrameType | None) -> None:
    raise Stopped
