"""C2: code is fetched over ssh from a real sshd, with a key and a known host, and nothing else."""

from __future__ import annotations

import os
import shlex
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from kb_agent.repositories import files
from kb_agent.repositories.mirror import registry, remote
from tests.repositories import ssh_server
from tests.repositories.code import REFUND, Code, ended, index

if TYPE_CHECKING:
    from pytest_django import Settings

    from kb_agent.repositories.models import Repository
    from tests.repositories.ssh_server import SshServer

pytestmark = pytest.mark.django_db


@pytest.fixture
def server(code: Code, tmp_path: Path, settings: Settings) -> Iterator[SshServer]:
    """Serves the repository of `code`; its key and host are set."""
    code.commit({"refund.py": REFUND})
    with ssh_server.serving(tmp_path / "ssh server") as running:
        settings.GIT_SSH_KEY_FILE = running.key
        settings.GIT_KNOWN_HOSTS_FILE = running.known_hosts
        yield running


def add(server: SshServer, code: Code) -> Repository:
    return registry.add("shop", server.url(code.folder), groups=["readers"])


def test_C2_a_server_is_read_with_a_key_and_followed_when_its_branch_is_moved_by_force(
    server: SshServer, code: Code
) -> None:
    repository = add(server, code)
    assert ended(index(repository)) == ("done", "")
    assert files.listing(repository, "main") == ["refund.py"]
    code.git("checkout", "--quiet", "--orphan", "fresh")
    forced = code.commit({"refund.py": None, "other.py": REFUND})
    code.git("branch", "--force", "main", "fresh")
    code.git("symbolic-ref", "HEAD", "refs/heads/main")
    assert ended(index(repository)) == ("done", "")
    assert repository.branches.get().indexed_commit == forced
    assert "Accepted publickey" in server.log()


def test_C2_a_key_that_the_server_does_not_know_is_refused(
    server: SshServer, code: Code, tmp_path: Path, settings: Settings
) -> None:
    settings.GIT_SSH_KEY_FILE = ssh_server.make_key(tmp_path / "stranger").with_suffix("")
    run = index(add(server, code))
    assert ended(run) == ("failed", "The server refused the ssh key.")
    assert "Permission denied" in run.detail


@pytest.mark.parametrize("fault", ["gone", "not a key", "readable by all"])
def test_C2_a_key_file_that_cannot_be_used_is_told(
    server: SshServer, code: Code, fault: str
) -> None:
    if fault == "gone":
        server.key.unlink()
    elif fault == "not a key":
        server.key.write_text("nothing")
    else:
        server.key.chmod(0o644)
    assert ended(index(add(server, code))) == ("failed", "The ssh key file cannot be used.")


def test_C2_an_agent_is_never_asked(
    server: SshServer,
    code: Code,
    tmp_path: Path,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with subprocess.Popen(
        ["ssh-agent", "-D", "-a", str(tmp_path / "agent")], stdout=subprocess.DEVNULL
    ) as agent:
        try:
            while not (tmp_path / "agent").exists():
                time.sleep(0.02)
            monkeypatch.setenv("SSH_AUTH_SOCK", str(tmp_path / "agent"))
            subprocess.run(["ssh-add", "-q", str(server.key)], check=True)
            settings.GIT_SSH_KEY_FILE = ssh_server.make_key(tmp_path / "own").with_suffix("")
            assert ended(index(add(server, code))) == ("failed", "The server refused the ssh key.")
        finally:
            agent.terminate()


def test_C2_a_server_that_is_not_among_the_known_hosts_is_refused(
    server: SshServer, code: Code
) -> None:
    server.known_hosts.write_text("")
    run = index(add(server, code))
    assert ended(run) == ("failed", "The server's host key is not known here.")
    assert server.known_hosts.read_text() == ""
    assert "Accepted" not in server.log()


def test_C2_a_server_whose_host_key_has_changed_is_refused(
    server: SshServer, code: Code, tmp_path: Path
) -> None:
    other = ssh_server.make_key(tmp_path / "other").read_text()
    server.known_hosts.write_text(f"[127.0.0.1]:{server.port} {other}")
    run = index(add(server, code))
    assert ended(run) == ("failed", "The server's host key is another than the known one.")
    assert "Accepted" not in server.log()


def test_C2_a_repository_that_is_not_there_is_told_in_a_sentence(
    server: SshServer, code: Code, tmp_path: Path
) -> None:
    run = index(registry.add("none", server.url(tmp_path / "none.git")))
    assert ended(run) == ("failed", "The server shows no such repository.")
    assert "none.git" in run.detail


def test_C2_an_ssh_server_that_is_silent_is_given_up(settings: Settings) -> None:
    settings.GIT_ANSWER_SECONDS = 1
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        run = index(registry.add("shop", f"ssh://git@127.0.0.1:{silent.getsockname()[1]}/shop"))
    assert ended(run) == ("failed", "The server did not answer in time.")


def test_C2_ssh_reads_no_settings_of_the_account_and_asks_nobody(settings: Settings) -> None:
    settings.GIT_SSH_KEY_FILE, settings.GIT_KNOWN_HOSTS_FILE = Path("/k/a b"), Path("/k/50%h")
    env = remote.environment(("ssh",))
    assert "SSH_AUTH_SOCK" not in env
    command = shlex.split(env["GIT_SSH_COMMAND"])
    said = subprocess.run(
        [*command, "-G", "git.example.com"], check=True, capture_output=True, env=dict(os.environ)
    )
    lines = set(said.stdout.decode().splitlines())
    assert lines >= {
        "batchmode yes",
        "stricthostkeychecking true",
        "identityagent none",
        "identitiesonly yes",
        "preferredauthentications publickey",
        "forwardagent no",
        "globalknownhostsfile /dev/null",
    }
    assert {line for line in lines if line.startswith("identityfile")} == {"identityfile /k/a b"}
