"""Where the embedded servers keep their files: data, sockets and locks below one folder."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

POSTGRES_SOCKET = ".s.PGSQL.5432"
VALKEY_SOCKET = "valkey.sock"
# Linux refuses unix socket paths longer than 107 bytes; a little is left for temporary names.
LONGEST_SOCKET = 100
BASE_DIR = Path(__file__).resolve().parent.parent.parent


@dataclass(frozen=True)
class Place:
    """The folders of one set of embedded servers, all derived from `var`."""

    var: Path

    @property
    def locks(self) -> Path:
        """Lock files, the keeper's log and its process id."""
        return self.var / "locks"

    @property
    def postgres_data(self) -> Path:
        """PostgreSQL's data folder, or a link to it (see `folders`)."""
        return self.var / "postgres"

    @property
    def valkey_data(self) -> Path:
        """Valkey's append-only file."""
        return self.var / "valkey"

    @property
    def logs(self) -> Path:
        """What the servers wrote."""
        return self.var / "log"

    @property
    def sockets(self) -> Path:
        """The folder of both sockets: `var/run`, or a short one when that path is too long."""
        run = self.var / "run"
        if len(os.fsencode(run / POSTGRES_SOCKET)) <= LONGEST_SOCKET:
            return run
        name = hashlib.sha256(os.fsencode(self.var)).hexdigest()[:12]
        return Path("/tmp") / f"kb-agent-{os.getuid()}-{name}"  # noqa: S108 — 0700, owner checked

    @property
    def postgres_socket(self) -> Path:
        """What a client connects to when PostgreSQL is up."""
        return self.sockets / POSTGRES_SOCKET

    @property
    def valkey_socket(self) -> Path:
        """What a client connects to when Valkey is up."""
        return self.sockets / VALKEY_SOCKET


def here() -> Place:
    """The place the environment names: `KB_AGENT_VAR`, or `var` beside the code."""
    return Place(Path(os.environ.get("KB_AGENT_VAR") or BASE_DIR / "var").absolute())
