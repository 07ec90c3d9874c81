"""A real sshd on loopback that lets one key in, and nothing run but git's serving of a folder."""

from __future__ import annotations

import getpass
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

CONFIGURATION = """\
ListenAddress 127.0.0.1
Port {port}
HostKey "{folder}/host"
AuthorizedKeysFile "{folder}/client.pub"
PidFile none
StrictModes no
UsePAM no
AuthenticationMethods publickey
AllowAgentForwarding no
LogLevel VERBOSE
"""


@dataclass
class SshServer:
    """Where it listens, and the files of its keys."""

    folder: Path
    port: int

    @property
    def key(self) -> Path:
        """The private key that is let in."""
        return self.folder / "client"

    @property
    def known_hosts(self) -> Path:
        """The server's own key, as a client knows it."""
        return self.folder / "known hosts"

    def url(self, repository: Path) -> str:
        """The ssh address of a repository."""
        return f"ssh://{getpass.getuser()}@127.0.0.1:{self.port}{repository}"

    def log(self) -> str:
        """What the server wrote."""
        return (self.folder / "log").read_text()


def make_key(file: Path) -> Path:
    """A key pair without a passphrase; the file of its public half."""
    command = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "test", "-f", str(file)]
    subprocess.run(command, check=True)
    return file.with_suffix(".pub")


@contextmanager
def serving(folder: Path) -> Iterator[SshServer]:
    """Serve every repository this account reads."""
    folder.mkdir()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        server = SshServer(folder, free.getsockname()[1])
    make_key(server.key)
    host = make_key(folder / "host").read_text()
    server.known_hosts.write_text(f"[127.0.0.1]:{server.port} {host}")
    (folder / "configuration").write_text(CONFIGURATION.format(folder=folder, port=server.port))
    if os.getuid() == 0:  # sshd drops its rights in there
        Path("/run/sshd").mkdir(mode=0o755, exist_ok=True)
    # sshd starts itself anew by its whole path; it is not on every account's PATH.
    program = shutil.which("sshd", path=f"{os.environ['PATH']}:/usr/sbin:/usr/local/sbin")
    assert program, "sshd is not installed: `make test` installs it or says how"
    command = [program, "-D", "-f", str(folder / "configuration"), "-E", str(folder / "log")]
    with subprocess.Popen(command) as process:
        try:
            _wait(server, process)
            yield server
        finally:
            process.terminate()


def _wait(server: SshServer, process: subprocess.Popen[bytes]) -> None:
    for _ in range(200):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", server.port)) == 0:
                return
        assert process.poll() is None, server.log()
        time.sleep(0.05)
    raise AssertionError(server.log())
