"""Runs git with nothing of the machine's own settings and only the transports a caller names."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from kb_agent.repositories import secrets

KEPT = (
    "PATH",
    "HOME",
    "SSH_AUTH_SOCK",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "HTTPS_PROXY",
    "https_proxy",
)
SSH = "ssh -o BatchMode=yes -o ConnectTimeout=10 -o StrictHostKeyChecking=accept-new"
CONFIG = {
    "core.hooksPath": os.devnull,
    "core.fsmonitor": "false",
    "core.attributesFile": os.devnull,
    "core.excludesFile": os.devnull,
    "credential.helper": "",
    "gc.auto": "0",
    "maintenance.auto": "false",
    "http.followRedirects": "initial",
    "submodule.recurse": "false",
    "fetch.fsckObjects": "false",
}


class GitFailed(Exception):
    """git ended with an error; the message is git's own, masked."""

    code = "git_failed"


class NotStored(GitFailed):
    """The server's own disk does not take what was to be kept: full, read-only, over its quota."""

    code = "not_stored"

    def __init__(self, why: str) -> None:
        """Say in the system's words why."""
        super().__init__(f"The server could not store the code: {why.lower()}.")


_DISK = re.compile(rb"No space left on device|Read-only file system|Disk quota exceeded")


def environment(transports: Iterable[str] = (), *, trusted: Path | None = None) -> dict[str, str]:
    """The whole environment of a git process.

    `transports` are the protocols it may use ("https", "ssh", "file"); `trusted` is a local repository that
    another account may own (git refuses to read those unless told).
    """
    config = dict(CONFIG)
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
        "GIT_SSH_COMMAND": SSH,
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
) -> bytes:
    """Standard output of one git command. Raises `GitFailed`, `NotStored`."""
    try:
        result = subprocess.run(  # noqa: S603 - arguments are ours, sources are classified first
            command(mirror, arguments),
            input=stdin,
            stdin=subprocess.DEVNULL if stdin is None else None,
            capture_output=True,
            env=env or environment(),
            timeout=timeout,
            check=False,
        )
    except subprocess.TimeoutExpired as late:
        raise GitFailed(f"git took longer than {timeout:.0f} seconds") from late
    if result.returncode != 0:
        raise _failure(result)
    return result.stdout


def _failure(result: subprocess.CompletedProcess[bytes]) -> GitFailed:
    """What a failed command died of; a disk that takes no more is in any of its lines."""
    if disk := _DISK.search(result.stderr):
        return NotStored(disk[0].decode())
    return GitFailed(explain(result.stderr))


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
