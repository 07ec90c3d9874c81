"""C2: code is fetched over https from a real server with a company's own certificate."""

from __future__ import annotations

import socket
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

import psutil
import pytest

from kb_agent.repositories import files, indexing, mirror
from kb_agent.repositories.mirror import registry
from tests.repositories import git_server
from tests.repositories.code import REFUND, Code, ended, index, make_due

if TYPE_CHECKING:
    from pytest_django import Settings

    from kb_agent.repositories.models import Repository
    from tests.repositories.certificates import Authority
    from tests.repositories.git_server import GitServer

pytestmark = pytest.mark.django_db


def add(server: GitServer, host: str = "127.0.0.1") -> Repository:
    return registry.add("shop", server.url("source/.git", host), groups=["readers"])


def test_C2_a_server_with_the_companys_own_certificate_is_read(server: GitServer) -> None:
    repository = add(server)
    assert ended(index(repository)) == ("done", "")
    assert files.listing(repository, repository.default_branch) == ["refund.py"]
    assert all(asked.path.startswith("/source/.git/") for asked in server.requests)


def test_C3_a_branch_that_moved_on_and_one_moved_by_force_are_followed(
    server: GitServer, code: Code
) -> None:
    repository = add(server)
    index(repository)
    first = repository.branches.get().indexed_commit
    second = code.commit({"more.py": REFUND})
    make_due()
    indexing.fetch_due()
    assert ended(index(repository)) == ("done", "")
    assert repository.branches.get().indexed_commit == second
    code.git("checkout", "--quiet", "--orphan", "fresh")
    forced = code.commit({"refund.py": None, "more.py": None, "other.py": REFUND})
    code.git("branch", "--force", "main", "fresh")
    code.git("symbolic-ref", "HEAD", "refs/heads/main")
    assert ended(index(repository)) == ("done", "")
    assert repository.branches.get().indexed_commit == forced not in {first, second}
    assert files.listing(repository, "main") == ["other.py"]


def test_C2_a_certificate_of_an_unknown_authority_is_refused(
    server: GitServer, settings: Settings
) -> None:
    settings.GIT_CA_FILE = None
    run = index(add(server))
    assert ended(run) == ("failed", "The server's certificate is not one that is trusted here.")
    assert "certificate" in run.detail
    assert server.requests == []


def test_C2_a_certificate_of_another_host_is_refused(server: GitServer) -> None:
    run = index(add(server, "localhost"))
    assert ended(run) == ("failed", "The server's certificate is not one that is trusted here.")
    assert server.requests == []


def test_C2_nothing_in_the_environment_switches_the_check_off(
    server: GitServer, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.GIT_CA_FILE = None
    monkeypatch.setenv("GIT_SSL_NO_VERIFY", "true")
    assert index(add(server)).status == "failed"
    assert server.requests == []


def test_C2_a_file_of_authorities_that_is_gone_is_named(
    server: GitServer, settings: Settings, tmp_path: Path
) -> None:
    settings.GIT_CA_FILE = tmp_path / "gone.pem"
    assert ended(index(add(server))) == ("failed", "The file of authorities is unreadable.")


@pytest.mark.parametrize("location", ["http", "https", "ftp", "git", "file", "ext"])
def test_C2_a_redirect_to_another_protocol_or_host_is_not_followed(
    server: GitServer, authority: Authority, tmp_path: Path, location: str
) -> None:
    (tmp_path / "elsewhere").mkdir()
    elsewhere = authority.certify("localhost")
    with git_server.serving(tmp_path / "elsewhere", elsewhere) as other, socket.socket() as plain:
        plain.bind(("127.0.0.1", 0))
        plain.listen()
        plain.settimeout(0)
        port = other.port if location == "https" else plain.getsockname()[1]
        target = {"file": f"file://{tmp_path}/source/.git", "ext": "ext::sh -c id"}.get(
            location, f"{location}://localhost:{port}/source/.git/info/refs"
        )
        server.refuse = lambda _asked: (302, {"Location": target}, b"")
        run = index(add(server))
        assert (run.status, "sends on to another address" in run.error) == ("failed", True)
        assert other.requests == []
        with pytest.raises(BlockingIOError):
            plain.accept()


def test_C2_a_redirect_in_the_middle_of_a_fetch_is_not_followed(server: GitServer) -> None:
    def refuse(asked: git_server.Asked) -> git_server.Answer | None:
        target = server.url("source/.git/git-upload-pack", "localhost")
        return (307, {"Location": target}, b"") if asked.body else None

    server.refuse = refuse
    run = index(add(server))
    assert (run.status, "sends on to another address" in run.error) == ("failed", True)


@pytest.mark.parametrize(
    ("status", "sentence"),
    [
        (401, "The server asks who is reading, and no token is kept for it."),
        (403, "The server does not let this account read the repository."),
        (404, "The server shows no such repository."),
        (503, "The server is out of order or too busy."),
    ],
)
def test_C2_what_a_server_refuses_is_told_in_a_sentence(
    server: GitServer, status: int, sentence: str
) -> None:
    headers = {"WWW-Authenticate": 'Basic realm="code"'} if status == 401 else {}
    server.refuse = lambda _asked: (status, headers, b"")
    repository = add(server)
    run = index(repository)
    assert ended(run) == ("failed", sentence)
    assert repository.error == sentence
    assert str(server.port) in run.detail
    assert str(server.port) not in run.error


def test_C2_a_server_that_fails_later_keeps_what_was_indexed(server: GitServer) -> None:
    repository = add(server)
    index(repository)
    server.refuse = lambda _asked: (500, {}, b"")
    assert index(repository).status == "failed"
    assert files.listing(repository, "main") == ["refund.py"]
    commit = repository.branches.get().indexed_commit
    assert mirror.read(repository, commit, "refund.py") == REFUND.encode()


def test_C2_a_port_where_nothing_listens_is_told_in_a_sentence() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"https://127.0.0.1:{free.getsockname()[1]}/shop.git"
        run = index(registry.add("shop", url))
    assert ended(run) == ("failed", "No server answers there.")


def connected_to(port: int) -> list[str]:
    """Processes of this machine, orphans too, that were started to read from the port, and stay."""
    deadline = time.monotonic() + 10
    while (found := _started_for(port)) and time.monotonic() < deadline:
        time.sleep(0.05)
    return found


def _started_for(port: int) -> list[str]:
    lines = [
        " ".join(process.info["cmdline"] or []) for process in psutil.process_iter(["cmdline"])
    ]
    return [line for line in lines if f"127.0.0.1:{port}/" in line]


def test_C2_a_server_that_takes_the_connection_and_is_silent_is_given_up(
    settings: Settings,
) -> None:
    settings.GIT_ANSWER_SECONDS = 1
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        port = silent.getsockname()[1]
        began = time.monotonic()
        run = index(registry.add("shop", f"https://127.0.0.1:{port}/shop.git"))
        took = time.monotonic() - began
        assert connected_to(port) == []
    assert ended(run) == ("failed", "The server did not answer in time.")
    assert took < 10


def test_C2_a_server_that_falls_silent_during_a_fetch_is_given_up(
    server: GitServer, settings: Settings
) -> None:
    settings.GIT_ANSWER_SECONDS = 2
    released = threading.Event()

    def refuse(asked: git_server.Asked) -> None:
        if b"command=fetch" in asked.body:
            released.wait(30)

    server.refuse = refuse
    began = time.monotonic()
    run = index(add(server))
    took = time.monotonic() - began
    assert connected_to(server.port) == []
    released.set()
    assert ended(run) == ("failed", "The server did not answer in time.")
    assert 1 < took < 20
