"""Runs git with nothing of the machine's own settings and only the transports a caller names."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path

import psutil

from kb_agent.repositories import secrets

KEPT = (
    "PATH",
    "HOME",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "HTTPS_PROXY",
    "https_proxy",
    "NO_PROXY",
    "no_proxy",
)
CONFIG = {
    "core.hooksPath": os.devnull,
    "core.fsmonitor": "false",
    "core.attributesFile": os.devnull,
    "core.excludesFile": os.devnull,
    "credential.helper": "",
    "gc.auto": "0",
    "maintenance.auto": "false",
    "http.followRedirects": "false",
    "http.sslVerify": "true",
    "submodule.recurse": "false",
    "fetch.fsckObjects": "false",
}


LOOK_SECONDS = 0.5
_WATCHING: ContextVar[Callable[[], None] | None] = ContextVar("watching git", default=None)


class GitFailed(Exception):
    """git ended with an error; the message is git's own, masked, and `plain` is for every reader."""

    code = "git_failed"
    plain = "The source could not be read."
    reason = "other"

    def __init__(self, message: str, stderr: bytes = b"") -> None:
        """Keep the sentence, and all that git wrote."""
        super().__init__(message)
        self.stderr = stderr


class TookTooLong(GitFailed):
    """git was ended, with all it had started, because its time was over."""


class NotStored(GitFailed):
    """The server's own disk does not take what was to be kept: full, read-only, over its quota."""

    code = "not_stored"
    reason = "not_stored"

    def __init__(self, why: str) -> None:
        """Say in the system's words why."""
        super().__init__(f"The server could not store the code: {why.lower()}.")
        self.plain = str(self)


_DISK = re.compile(rb"No space left on device|Read-only file system|Disk quota exceeded")


def environment(
    transports: Iterable[str] = (),
    *,
    trusted: Path | None = None,
    extra: Mapping[str, str] | None = None,
) -> dict[str, str]:
    """The whole environment of a git process.

    `transports` are the protocols it may use ("https", "ssh", "file"); `trusted` is a local repository that
    another account may own (git refuses to read those unless told); `extra` is further configuration.
    """
    config = CONFIG | dict(extra or {})
    if trusted is not None:
        config["safe.directory"] = str(trusted)
    values = {
        **{name: os.environ[name] for name in KEPT if name in os.environ},
        "LC_ALL": "C.UTF-8",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ASKPASS": "true",
        # Only `remote` says how ssh is to be called.
        "GIT_SSH_COMMAND": "false",
        "GIT_PROTOCOL_FROM_USER": "0",
        "GIT_ALLOW_PROTOCOL": ":".join(transports) or "none",
        "GIT_LITERAL_PATHSPECS": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_CONFIG_COUNT": str(len(config)),
    }
    for index, (key, value) in enumerate(config.items()):
        values[f"GIT_CONFIG_KEY_{index}"] = key
        values[f"GIT_CONFIG_VALUE_{index}"] = value
    return values


def command(mirror: Path | None, arguments: Sequence[str | bytes]) -> list[str | bytes]:
    """The argument list of a git process on a bare repository."""
    program = shutil.which("git")
    if program is None:
        raise GitFailed("git is not installed")
    where = [f"--git-dir={mirror}"] if mirror is not None else []
    return [program, *where, *arguments]


def run(
    mirror: Path | None,
    *arguments: str | bytes,
    stdin: bytes | None = None,
    env: dict[str, str] | None = None,
    timeout: float = 600,
    pipes: Sequence[int] = (),
) -> bytes:
    """Standard output of one git command, which inherits `pipes`. Raises `GitFailed`, `NotStored`."""
    with subprocess.Popen(  # noqa: S603 - arguments are ours, sources are classified first
        command(mirror, arguments),
        stdin=subprocess.DEVNULL if stdin is None else subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=env or environment(),
        pass_fds=tuple(pipes),
    ) as process:
        try:
            output, complaint = _communicate(process, stdin, timeout)
        finally:
            if process.poll() is None:
                _end(process.pid)
    if process.returncode != 0:
        raise _failure(complaint)
    return output


def _communicate(
    process: subprocess.Popen[bytes], stdin: bytes | None, timeout: float
) -> tuple[bytes, bytes]:
    """What the process says until it ends; whoever watches may raise meanwhile. Raises `TookTooLong`."""
    watch = _WATCHING.get()
    deadline = time.monotonic() + timeout
    while True:
        left = deadline - time.monotonic()
        try:
            return process.communicate(stdin, timeout=min(left, LOOK_SECONDS) if watch else left)
        except subprocess.TimeoutExpired as late:
            if time.monotonic() >= deadline:
                raise TookTooLong(f"git took longer than {timeout:.0f} seconds") from late
        stdin = None
        if watch:
            watch()


@contextmanager
def watched(watch: Callable[[], None]) -> Iterator[None]:
    """Call `watch` about twice a second while git works in here; what it raises ends that git."""
    token = _WATCHING.set(watch)
    try:
        yield
    finally:
        _WATCHING.reset(token)


def _end(pid: int) -> None:
    """End git and what it started: its helpers hold the connection, and would outlive it."""
    with suppress(psutil.NoSuchProcess):
        process = psutil.Process(pid)
        for each in [*process.children(recursive=True), process]:
            with suppress(psutil.NoSuchProcess):
                each.kill()


def _failure(stderr: bytes) -> GitFailed:
    """What a failed command died of; a disk that takes no more is in any of its lines."""
    if disk := _DISK.search(stderr):
        return NotStored(disk[0].decode())
    return GitFailed(explain(stderr), stderr)


@contextmanager
def storing() -> Iterator[None]:
    """Name what the server's disk refuses to our own writing as it is named for git's."""
    try:
        yield
    except OSError as error:
        raise NotStored(error.strerror or type(error).__name__) from error


def explain(stderr: bytes) -> str:
    """git's complaint in one line, without credentials."""
    lines = [line.strip() for line in stderr.decode(errors="replace").splitlines() if line.strip()]
    return secrets.mask(lines[-1]).text if lines else "git failed without a word"
