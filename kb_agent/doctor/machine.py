"""The machine: versions, packages, programs, disk, permissions."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib import metadata

from django.conf import settings

from kb_agent.doctor.finding import Finding, failed, ok, warning

OLDEST_GIT = (2, 30)
LEAST_DISK, LITTLE_DISK = 500_000_000, 3_000_000_000


def look() -> Iterator[Finding]:
    """Everything below."""
    yield _python()
    yield _packages()
    yield _git()
    yield _pages()
    yield _disk()
    yield _writable()
    yield from _private_files()


def _python() -> Finding:
    found = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info[:2] == (3, 11) and sys.platform == "linux":
        return ok("python", f"{found} on {sys.platform}")
    return failed("python", f"{found} on {sys.platform}", "Use Python 3.11 on Linux.")


def _packages() -> Finding:
    """Installed versions against the lock file."""
    lock = (settings.BASE_DIR / "requirements" / "run.txt").read_text()
    wrong = []
    for name, version, marker in re.findall(r"(?m)^([a-z0-9._-]+)==([^ ;\\]+)( ;)?", lock):
        try:
            found = metadata.version(name)
        except metadata.PackageNotFoundError:
            found = "missing"
        # A marker may leave a package out on this machine.
        if found != version and not (found == "missing" and marker):
            wrong.append(f"{name} {found}, locked {version}")
    if wrong:
        return failed("packages", "; ".join(wrong), "Run `make setup`.")
    return ok("packages", "as locked in requirements/run.txt")


def _git() -> Finding:
    program = shutil.which("git")
    if program is None:
        return failed("git", "not installed", "Install git: code is read through it.")
    command = [program, "--version"]
    said = subprocess.run(command, capture_output=True, text=True, check=False).stdout  # noqa: S603
    version = tuple(int(part) for part in re.findall(r"\d+", said)[:2])
    if version < OLDEST_GIT:
        return failed("git", said.strip(), "Install git 2.30 or newer.")
    return ok("git", said.strip())


def _pages() -> Finding:
    if (settings.FRONTEND_DIST / "index.html").exists():
        return ok("pages", f"built in {settings.FRONTEND_DIST}")
    return failed(
        "pages",
        "the front end is not built",
        "Run `make run`, or `npm ci && npm run build` in frontend/.",
    )


def _disk() -> Finding:
    free = shutil.disk_usage(settings.VAR).free
    said = f"{free / 1e9:.1f} GB free at {settings.VAR}"
    if free < LEAST_DISK:
        return failed("disk", said, "Free some space: PostgreSQL stops when the disk is full.")
    if free < LITTLE_DISK:
        return warning("disk", said, "Free some space, or move the folder (KB_AGENT_VAR).")
    return ok("disk", said)


def _writable() -> Finding:
    if os.access(settings.VAR, os.W_OK | os.X_OK):
        return ok("data folder", str(settings.VAR))
    return failed("data folder", f"{settings.VAR} cannot be written", "Give it to this user.")


def _private_files() -> Iterator[Finding]:
    for name in ("secret-key", "demo-passwords"):
        path = settings.VAR / name
        if path.exists() and path.stat().st_mode & 0o077:
            yield failed(name, f"{path} can be read by others", f"Run `chmod 600 {path}`.")
