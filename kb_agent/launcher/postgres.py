"""The embedded PostgreSQL: initialised once, two roles, two extensions, no network."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kb_agent.launcher import folders, processes
from kb_agent.launcher.server import CannotStart, Server

if TYPE_CHECKING:
    from kb_agent.launcher.place import Place
    from kb_agent.launcher.processes import Account

# One collation everywhere, whatever the machine's environment says.
LOCALE = (
    "--encoding=UTF8",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--locale=C.UTF-8",
)
CONFIGURATION = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "max_connections": "100",
    "timezone": "UTC",
    "log_timezone": "UTC",
    # Small by default: a laptop runs this beside everything else.
    "shared_buffers": "64MB",
    "max_wal_size": "512MB",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "io_method": "sync",
    "huge_pages": "off",
    "jit": "off",
}
# For tests: what a crash of the machine would lose is not worth waiting for a disk.
CARELESS = {"fsync": "off", "full_page_writes": "off"}
BOOTSTRAP = r"""
SELECT 'CREATE ROLE kb_agent_owner LOGIN CREATEDB'
 WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'kb_agent_owner') \gexec
SELECT 'CREATE ROLE kb_agent_app LOGIN'
 WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'kb_agent_app') \gexec
\connect template1
CREATE EXTENSION IF NOT EXISTS vector;
CREATE EXTENSION IF NOT EXISTS pg_trgm;
SELECT 'CREATE DATABASE kb_agent OWNER kb_agent_owner'
 WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = 'kb_agent') \gexec
\connect kb_agent
CREATE EXTENSION IF NOT EXISTS vector;
CREATE EXTENSION IF NOT EXISTS pg_trgm;
"""


def server(place: Place) -> Server:
    """PostgreSQL for this place, its data folder made when it is missing."""
    runs_as = folders.account()
    folders.prepare(place, runs_as)
    programs = folders.programs(runs_as)
    data = place.postgres_data.resolve()
    sockets = place.sockets.resolve()
    if not (data / "PG_VERSION").exists():
        _initialise(data, programs, runs_as)
    _check_version(data, programs)
    options = CONFIGURATION | {"unix_socket_directories": str(sockets)}
    if not durable():
        options |= CARELESS
    return Server(
        name="PostgreSQL",
        command=[
            str(programs / "postgres"),
            *("-D", str(data)),
            *(part for name, value in options.items() for part in ("-c", f"{name}={value}")),
        ],
        socket=place.postgres_socket,
        log=place.logs / "postgres.log",
        # Fast shutdown: running statements are ended, nothing committed is lost.
        stop_signal=signal.SIGINT,
        account=runs_as,
        before=lambda: _end_earlier(data),
        ready=lambda: _bootstrap(programs, sockets),
    )


def durable() -> bool:
    """Whether commits are on disk when they return; only tests say no."""
    return os.environ.get("KB_AGENT_DURABLE", "1") != "0"


def _initialise(data: Path, programs: Path, runs_as: Account | None) -> None:
    """Into a folder beside, renamed when complete: a killed `initdb` leaves no half data."""
    unfinished = data / "unfinished"
    shutil.rmtree(unfinished, ignore_errors=True)
    identity: dict[str, Any] = (
        {"user": runs_as.uid, "group": runs_as.gid, "extra_groups": []} if runs_as else {}
    )
    options = [*LOCALE, *([] if durable() else ["--no-sync"])]
    made = subprocess.run(
        [
            str(programs / "initdb"),
            "-D",
            str(unfinished),
            "-U",
            "postgres",
            "-A",
            "trust",
            *options,
        ],
        check=False,
        capture_output=True,
        text=True,
        cwd="/",
        **identity,
    )
    if made.returncode:
        raise CannotStart(f"PostgreSQL's data folder could not be made: {made.stderr.strip()}")
    # PG_VERSION last: it is what says that the folder is complete.
    for item in sorted(unfinished.iterdir(), key=lambda path: path.name == "PG_VERSION"):
        item.rename(data / item.name)
    unfinished.rmdir()


def _check_version(data: Path, programs: Path) -> None:
    found = (data / "PG_VERSION").read_text().strip()
    said = subprocess.run(
        [str(programs / "postgres"), "--version"], check=True, capture_output=True, text=True
    ).stdout
    wanted = said.split()[-1].split(".")[0]
    if found != wanted:
        raise CannotStart(
            f"The data in {data} was written by PostgreSQL {found}, and {wanted} is installed:"
            " dump it with the earlier release of KB Agent and restore it with this one."
        )


def _end_earlier(data: Path) -> None:
    """A server that outlived its keeper is asked to stop; its pid file goes with it."""
    pid_file = data / "postmaster.pid"
    if not pid_file.exists():
        return
    first = pid_file.read_text().partition("\n")[0]
    pid = int(first) if first.isdigit() else 0
    if not processes.await_gone(pid, str(data), seconds=2):
        os.kill(pid, signal.SIGINT)
        processes.await_gone(pid, str(data), seconds=10)


def _bootstrap(programs: Path, sockets: Path) -> bool:
    """Roles, database and extensions; false while the server is still recovering."""
    done = subprocess.run(
        [
            str(programs / "psql"),
            *("-h", str(sockets), "-U", "postgres", "-d", "postgres"),
            *("-X", "-q", "-v", "ON_ERROR_STOP=1"),
        ],
        input=BOOTSTRAP,
        check=False,
        capture_output=True,
        text=True,
        cwd="/",
    )
    if done.returncode and "starting up" not in done.stderr and "recovery" not in done.stderr:
        raise CannotStart(f"PostgreSQL could not be set up: {done.stderr.strip()}")
    return done.returncode == 0
