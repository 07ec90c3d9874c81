"""Process facts Linux keeps for us: children that die with their parent, locks that die with theirs."""

from __future__ import annotations

import ctypes
import fcntl
import os
import signal
import subprocess
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
_LIBC = ctypes.CDLL(None, use_errno=True)


@dataclass(frozen=True)
class Account:
    """A user to run a program as instead of ourselves."""

    uid: int
    gid: int


def start(
    command: list[str],
    *,
    dies_by: signal.Signals,
    log: IO[bytes] | int | None = None,
    account: Account | None = None,
    cwd: Path = Path("/"),
    environment: Mapping[str, str] | None = None,
) -> subprocess.Popen[bytes]:
    """Start a program in a session of its own that gets `dies_by` when we die, however we die."""
    identity: dict[str, Any] = (
        {"user": account.uid, "group": account.gid, "extra_groups": []} if account else {}
    )
    parent = os.getpid()
    return subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=log,
        cwd=cwd,
        env=environment,
        start_new_session=True,
        # Only prctl, getppid and kill run between fork and exec: nothing that could hold a lock.
        preexec_fn=lambda: _tie(parent, dies_by),  # noqa: PLW1509
        **identity,
    )


def die_with_parent(number: signal.Signals) -> None:
    """Make the running process get this signal when its parent dies."""
    _tie(os.getppid(), number)


def _tie(parent: int, number: signal.Signals) -> None:
    _LIBC.prctl(PR_SET_PDEATHSIG, int(number), 0, 0, 0)
    # The parent may have died before the call: then no signal would ever come.
    if os.getppid() != parent:
        os.kill(os.getpid(), number)


def adopt_orphans() -> None:
    """Make this process the parent of its children's orphans, so that it can reap them."""
    _LIBC.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def open_lock(path: Path) -> int:
    """A file descriptor to lock; not inherited by programs this process starts."""
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)


def lock_shared(descriptor: int) -> None:
    """Wait for the shared lock."""
    fcntl.flock(descriptor, fcntl.LOCK_SH)


def lock_alone(descriptor: int) -> None:
    """Wait for the exclusive lock."""
    fcntl.flock(descriptor, fcntl.LOCK_EX)


def try_lock_alone(descriptor: int) -> bool:
    """Take the exclusive lock if nobody else holds any."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def command_line(pid: int) -> list[str]:
    """The arguments of a running process, empty when it is gone or a zombie."""
    try:
        raw = Path(f"/proc/{pid}/cmdline").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return []
    return [os.fsdecode(part) for part in raw.split(b"\0") if part]


def await_gone(pid: int, argument: str, *, seconds: float) -> bool:
    """Wait until no process `pid` with this argument runs any more."""
    deadline = time.monotonic() + seconds
    while argument in command_line(pid):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True
