"""Installs what a target needs from the lock files, and nothing when they have not changed.

Runs with the system's Python before anything is installed: standard library only, and nothing
newer than Python 3.6 can read, so that an old one can say what is wrong.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
FRONTEND = ROOT / "frontend"
PYTHON = (3, 11)
OLDEST_NODE = 20
# Everything the built pages depend on.
FRONTEND_SOURCES = ("src", "public", "index.html", "package-lock.json", "vite.config.ts")
CHROMIUM = ("chromium", "chromium-browser")
BROWSER_PACKAGES = ("chromium", "fonts-noto-cjk")


class CannotInstall(Exception):
    """One sentence for the person at the terminal."""


def main() -> int:
    """`install.py run|dev|llm|frontend|browser|sshd …`, in that order."""
    steps = {
        "run": python_packages,
        "dev": python_packages,
        "llm": python_packages,
        "frontend": frontend,
        "browser": browser,
        "sshd": sshd,
    }
    try:
        check_machine()
        for name in sys.argv[1:]:
            steps[name](name)
    except CannotInstall as error:
        sys.stderr.write(f"{error}\n")
        return 1
    except PermissionError as error:
        sys.stderr.write(
            f"No permission to write to {error.filename}: give this folder to your user.\n"
        )
        return 1
    return 0


def check_machine() -> None:
    """What only the person can install. Raises `CannotInstall`."""
    if sys.version_info[:2] != PYTHON:
        raise CannotInstall(
            "KB Agent needs Python 3.11, and {} is {}.{}: install it, or name it with"
            " `make … PYTHON=/path/to/python3.11`.".format(sys.executable, *sys.version_info[:2])
        )
    if shutil.which("git") is None:
        raise CannotInstall("KB Agent reads code through git, which is not installed: install git.")
    node = _node_version()
    if node < OLDEST_NODE:
        found = f"is version {node}" if node else "is not installed"
        raise CannotInstall(
            f"The pages are built with Node {OLDEST_NODE} or newer, which {found}: install it."
        )
    if not os.access(ROOT, os.W_OK):
        raise CannotInstall(f"No permission to write to {ROOT}: give this folder to your user.")


def python_packages(name: str) -> None:
    """A virtual environment with exactly the locked packages."""
    lock = ROOT / "requirements" / f"{name}.txt"
    stamp, digest = VENV / f".installed-{name}", _digest([lock])
    if stamp.exists() and stamp.read_text() == digest:
        return
    if not (VENV / "bin" / "python").exists():
        _run([sys.executable, "-m", "venv", str(VENV)], "The virtual environment could not be made")
    print(f"Installing Python packages ({name}) …", flush=True)
    pip = [
        str(VENV / "bin" / "python"),
        "-m",
        "pip",
        "install",
        "-qq",
        "--disable-pip-version-check",
    ]
    if name == "llm":
        # Its packages ask for others that would compile for minutes, and that nothing uses here.
        pip.append("--no-deps")
    _run([*pip, "--require-hashes", "-r", str(lock)], "The Python packages could not be installed")
    stamp.write_text(digest)


def frontend(_name: str) -> None:
    """npm's packages, and the built pages when their sources changed."""
    lock, modules = FRONTEND / "package-lock.json", FRONTEND / "node_modules"
    installed, built = modules / ".installed", modules / ".built"
    if not (installed.exists() and installed.read_text() == _digest([lock])):
        print("Installing packages of the front end …", flush=True)
        npm = [
            "npm",
            "ci",
            "--no-audit",
            "--no-fund",
            "--no-update-notifier",
            "--loglevel",
            "error",
        ]
        _run(npm, "The front end's packages could not be installed", FRONTEND)
        installed.write_text(_digest([lock]))
    digest = _digest([FRONTEND / name for name in FRONTEND_SOURCES])
    if (
        (FRONTEND / "dist" / "index.html").exists()
        and built.exists()
        and built.read_text() == digest
    ):
        return
    print("Building the pages …", flush=True)
    build = ["npm", "run", "build", "--silent", "--", "--logLevel", "warn"]
    _run(build, "The pages could not be built", FRONTEND)
    built.write_text(digest)


def browser(_name: str) -> None:
    """Chromium for browser tests: from the system's packages as root, else say how."""
    if os.environ.get("KB_AGENT_CHROMIUM") or any(shutil.which(name) for name in CHROMIUM):
        return
    packages = " ".join(BROWSER_PACKAGES)
    if os.getuid() != 0 or shutil.which("apt-get") is None:
        raise CannotInstall(
            f"Browser tests need Chromium: install the system's packages {packages}"
            f" (on Debian: `sudo apt-get install {packages}`), or name a Chromium by KB_AGENT_CHROMIUM."
        )
    _system_packages("Chromium", BROWSER_PACKAGES)


def sshd(_name: str) -> None:
    """sshd for tests that fetch over ssh: from the system's packages as root, else say how."""
    if shutil.which("sshd", path="{}:/usr/sbin:/usr/local/sbin".format(os.environ["PATH"])):
        return
    # Where services are started, installing it opens a port: only the person may decide that.
    services = Path("/run/systemd/system").exists()
    if services or os.getuid() != 0 or shutil.which("apt-get") is None:
        raise CannotInstall(
            "Tests of fetching over ssh need the program sshd: install the system's package"
            " openssh-server (on Debian: `sudo apt-get install openssh-server`; its service is"
            " not needed: `sudo systemctl disable --now ssh`)."
        )
    _system_packages("sshd", ("openssh-server",))


def _system_packages(name: str, packages: tuple[str, ...]) -> None:
    print(f"Installing {name} …", flush=True)
    apt = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (["update"], ["install", "-y", "--no-install-recommends", *packages]):
        _run(["apt-get", "-qq", *command], f"{name} could not be installed", environment=apt)


def _node_version() -> int:
    """The major version, 0 when there is no Node or no npm."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        return 0
    said = subprocess.run(
        ["node", "--version"], stdout=subprocess.PIPE, check=False
    ).stdout.decode()
    found = re.match(r"v(\d+)", said)
    return int(found.group(1)) if found else 0


def _digest(paths: list[Path]) -> str:
    """One digest over names and contents of files and of everything in folders."""
    files = [
        file
        for path in paths
        for file in (sorted(path.rglob("*")) if path.is_dir() else [path])
        if file.is_file()
    ]
    total = hashlib.sha256()
    for file in files:
        total.update(f"{file.relative_to(ROOT)}\0".encode() + file.read_bytes() + b"\0")
    return total.hexdigest()


def _run(
    command: list[str], failure: str, cwd: Path = ROOT, environment: dict[str, str] | None = None
) -> None:
    done = subprocess.run(command, cwd=str(cwd), env=environment, check=False)
    if done.returncode:
        raise CannotInstall(f"{failure}; `{' '.join(command[:4])} …` says why above.")


if __name__ == "__main__":
    sys.exit(main())
