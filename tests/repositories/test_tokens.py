"""C2: a server's token reaches that server, and can be read nowhere else."""

from __future__ import annotations

import base64
import logging
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import psutil
import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from kb_agent.repositories.mirror import credentials, registry, sources
from kb_agent.repositories.models import Credential, IndexRun, Repository
from tests.repositories import git_server
from tests.repositories.code import ended, index

if TYPE_CHECKING:
    from pytest_django import Settings

    from tests.repositories.certificates import Authority
    from tests.repositories.git_server import Answer, Asked, GitServer

pytestmark = pytest.mark.django_db

TOKEN = "tok/en+4f9c2e-$(id)'\"`x"  # noqa: S105 - of a server that lives as long as its test
USER = "robot"
BASIC = base64.b64encode(f"{USER}:{TOKEN}".encode()).decode()
SPELLINGS = [TOKEN, BASIC, "4f9c2e"]
ASKS: Answer = (401, {"WWW-Authenticate": 'Basic realm="code"'}, b"")


class Private:
    """Lets only the token in, and looks at what other accounts of the machine could see meanwhile."""

    def __init__(self, server: GitServer) -> None:
        """Guard the server."""
        self.seen: list[str] = []
        server.refuse = self.refuse

    def refuse(self, asked: Asked) -> Answer | None:
        """The guard; every process that a fetch started is running now."""
        for process in psutil.Process().children(recursive=True):
            with suppress(psutil.NoSuchProcess):
                self.seen += [" ".join(process.cmdline()), str(process.environ())]
        return None if asked.authorization == f"Basic {BASIC}" else ASKS


def add(server: GitServer, monkeypatch: pytest.MonkeyPatch, token: str = TOKEN) -> Repository:
    """Add the repository by the command, the token in a variable that is gone afterwards."""
    with monkeypatch.context() as with_token:
        with_token.setenv("SHOP_TOKEN", token)
        call_command(
            *("add_repository", "shop", server.url("source/.git")),
            *("--token-env", "SHOP_TOKEN", "--username", USER),
        )
    return Repository.objects.get()


def everything_stored() -> str:
    """Every row of every table, as text."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace"
            " AND relkind IN ('r', 'p') AND has_table_privilege(oid, 'SELECT')"
        )
        rows: list[str] = []
        for (table,) in cursor.fetchall():
            cursor.execute(f'SELECT t::text FROM "{table}" AS t')
            rows += [row for (row,) in cursor.fetchall()]
    return "\n".join(rows)


def test_C2_the_token_reaches_its_server_and_appears_nowhere_else(
    server: GitServer,
    monkeypatch: pytest.MonkeyPatch,
    settings: Settings,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    caplog.set_level(logging.DEBUG)
    private = Private(server)
    repository = add(server, monkeypatch)
    assert ended(index(repository)) == ("done", "")
    assert f"Basic {BASIC}" in {asked.authorization for asked in server.requests}
    assert any("git-remote-https" in line or "remote-https" in line for line in private.seen)
    kept = Path(settings.VAR)
    files = [file.read_text(errors="replace") for file in kept.rglob("*") if file.is_file()]
    assert any("[core]" in text for text in files)
    said = capfd.readouterr()
    places = {
        "processes": "\n".join(private.seen),
        "mirror": "\n".join(files),
        "database": everything_stored(),
        "logs": caplog.text,
        "output": said.out + said.err,
        "paths": "\n".join(asked.path for asked in server.requests),
    }
    found = {where for where, text in places.items() if any(each in text for each in SPELLINGS)}
    assert found == set()
    assert USER in places["database"]


def test_C2_a_server_that_sends_the_token_back_does_not_get_it_into_any_text(
    server: GitServer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)

    def refuse(asked: Asked) -> Answer:
        echo = f"{asked.authorization} {TOKEN} is not welcome\n".encode()
        return (403, {"Content-Type": "text/plain"}, echo) if asked.authorization else ASKS

    repository = add(server, monkeypatch)
    server.refuse = refuse
    run = index(repository)
    assert ended(run) == ("failed", "The server does not let this account read the repository.")
    assert "is not welcome" in run.detail
    assert not any(each in run.detail + caplog.text + everything_stored() for each in SPELLINGS)


def test_C2_a_token_that_is_refused_is_told_and_another_one_is_taken(
    server: GitServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    Private(server)
    repository = add(server, monkeypatch, "outdated-token")
    run = index(repository)
    assert ended(run) == ("failed", "The server refused the token that is kept for it.")
    assert "outdated-token" not in run.detail
    monkeypatch.setenv("NEW_TOKEN", TOKEN)
    call_command("set_token", server.url("any"), "--token-env", "NEW_TOKEN", "--username", USER)
    assert ended(index(repository)) == ("done", "")
    assert Credential.objects.count() == 1


def test_C2_a_token_is_for_its_own_server_only(
    server: GitServer, authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    Private(server)
    add(server, monkeypatch)
    certificate = authority.certify("127.0.0.1")
    with git_server.serving(server.root, certificate) as other:
        other.refuse = lambda _asked: ASKS
        run = index(registry.add("other", other.url("source/.git")))
        assert run.error == "The server asks who is reading, and no token is kept for it."
        assert not any(BASIC in asked.authorization for asked in other.requests)


def test_C2_a_token_is_not_taken_along_by_a_redirect(
    server: GitServer, authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    with git_server.serving(server.root, authority.certify("localhost")) as other:
        repository = add(server, monkeypatch)
        target = {"Location": other.url("source/.git/info/refs", "localhost")}
        server.refuse = lambda asked: (302, target, b"") if asked.authorization else ASKS
        assert "sends on to another address" in index(repository).error
        assert other.requests == []


def test_C2_a_changed_secret_key_is_told_in_a_sentence(
    server: GitServer, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    repository = add(server, monkeypatch)
    settings.SECRET_KEY += "changed"
    run = index(repository)
    assert (run.status, "give it again" in run.error) == ("failed", True)
    assert server.requests == []


@pytest.mark.parametrize(
    ("token", "source", "word"),
    [
        ("", "https://git.example.com/shop.git", "empty"),
        ("two\nlines", "https://git.example.com/shop.git", "control"),
        ("x" * 5000, "https://git.example.com/shop.git", "too long"),
        ("token", "ssh://git@git.example.com/shop.git", "ssh uses a key"),
        ("token", ".", "https"),
    ],
)
def test_C2_a_token_that_cannot_be_used_is_refused_without_being_said(
    monkeypatch: pytest.MonkeyPatch, token: str, source: str, word: str
) -> None:
    monkeypatch.setenv("SHOP_TOKEN", token)
    for command in (["add_repository", "shop", source], ["set_token", source]):
        with pytest.raises(CommandError, match=word) as refused:
            call_command(*command, "--token-env", "SHOP_TOKEN")
        assert not token or f" {token} " not in f" {refused.value} ".replace("A token", "")
    assert not Repository.objects.exists()
    assert not Credential.objects.exists()
    assert not IndexRun.objects.exists()


@pytest.mark.parametrize(
    ("options", "word"),
    [
        (["--token-env", "NO_SUCH_VARIABLE"], "NO_SUCH_VARIABLE"),
        (["--username", "robot"], "--token-env"),
    ],
)
def test_a_token_that_is_not_there_is_named(options: list[str], word: str) -> None:
    with pytest.raises(CommandError, match=word):
        call_command("add_repository", "shop", "https://git.example.com/shop.git", *options)
    with pytest.raises(CommandError, match="--token-env"):
        call_command("set_token", "https://git.example.com/shop.git")


def test_a_login_is_shown_without_its_token() -> None:
    login = credentials.Login(USER, TOKEN)
    assert repr(login) == "Login('robot')"
    assert TOKEN not in f"{login} {login!r}"


@pytest.mark.parametrize(
    ("address", "server"),
    [
        ("https://Git.Example.com/a/b.git", "git.example.com"),
        ("https://git.example.com:443/b", "git.example.com"),
        ("https://git.example.com:8443/b", "git.example.com:8443"),
        ("https://[::1]:8443/b", "[::1]:8443"),
    ],
)
def test_C2_a_server_is_its_host_and_port(address: str, server: str) -> None:
    assert credentials.server(sources.classify(address)) == server
