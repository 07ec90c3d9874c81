"""C2: what may be a source, and what git could be tricked into."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb_agent.repositories.mirror import git, remote, sources
from kb_agent.repositories.models import Repository

REFUSED = {
    "": "empty",
    "--upload-pack=touch /tmp/owned": "dash",
    "-oProxyCommand=id": "dash",
    "ext::sh -c id": "helper",
    "fd::7": "helper",
    "file:///etc": "refused",
    "http://git.example.com/shop.git": "refused",
    "git://git.example.com/shop.git": "refused",
    "https://user:secret@git.example.com/shop.git": "Credentials",
    "https://token@git.example.com/shop.git": "Credentials",
    "ssh://git:secret@git.example.com/shop.git": "Credentials",
    "ssh://-oProxyCommand=id/shop.git": "host",
    "https://git.example.com/shop.git?token=1": "query",
    "https:///shop.git": "host",
    "https://git.example.com": "repository",
    "https://git.example.com/a\nb": "control",
    "git@git.example.com:-oProxyCommand=id": "dash",
    "/no/such/folder": "no such folder",
}


@pytest.mark.parametrize("source", REFUSED)
def test_C2_a_source_that_git_could_be_tricked_with_is_refused_with_a_clear_word(
    source: str,
) -> None:
    with pytest.raises(sources.BadSource, match=REFUSED[source]):
        sources.classify(source)


@pytest.mark.parametrize(
    "source",
    [
        "https://git.example.com/team/shop.git",
        "ssh://git@git.example.com:2222/shop.git",
        "git@git.example.com:team/shop.git",
    ],
)
def test_C2_https_and_ssh_addresses_are_taken(source: str) -> None:
    found = sources.classify(source)
    assert (found.kind, found.location) == (Repository.Kind.GIT_REMOTE, source)
    assert set(found.transports) <= {"https", "ssh"}


def test_C2_a_folder_is_a_git_repository_or_a_plain_directory(tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.mkdir()
    assert sources.classify(str(plain)).kind == Repository.Kind.DIRECTORY
    (plain / ".git").mkdir()
    assert sources.classify(str(plain)).kind == Repository.Kind.GIT_LOCAL


@pytest.mark.parametrize("name", ["", "-x", "a/b", "../up", "a b", "a..b", "x" * 101])
def test_a_repository_name_is_a_plain_word(name: str) -> None:
    with pytest.raises(sources.BadSource):
        sources.check_name(name)


@pytest.mark.parametrize("name", ["", "-x", "a..b", "a b", "a~1", "x.lock", "a\x00b", "refs/@{0}"])
def test_a_branch_name_that_git_reads_otherwise_is_refused(name: str) -> None:
    with pytest.raises(sources.BadSource):
        sources.check_branch(name)


def test_C2_git_runs_without_the_machines_settings_hooks_or_prompts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("GIT_SSH_COMMAND", "touch owned")
    monkeypatch.setenv("GIT_EXEC_PATH", "/evil")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/evil")
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "0")
    env = remote.environment(("https",))
    assert "GIT_EXEC_PATH" not in env
    assert env["GIT_SSH_COMMAND"].startswith("ssh ")
    assert (env["GIT_CONFIG_GLOBAL"], env["GIT_CONFIG_NOSYSTEM"]) == ("/dev/null", "1")
    assert (env["GIT_TERMINAL_PROMPT"], env["GIT_ALLOW_PROTOCOL"]) == ("0", "https")


def test_C2_a_transport_that_was_not_named_is_refused_by_git_itself(tmp_path: Path) -> None:
    owned = tmp_path / "owned"
    with pytest.raises(git.GitFailed, match="not allowed"):
        git.run(None, "ls-remote", f"ext::touch {owned}", env=git.environment(("https",)))
    assert not owned.exists()
