"""Runs git against a server: its authority, sign-in, ssh keys, time limits, and failures in plain words (C2)."""

from __future__ import annotations

import base64
import re
import shlex
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import quote

from django.conf import settings

from kb_agent.llm import keys
from kb_agent.repositories import secrets
from kb_agent.repositories.mirror import credentials, git, sources

FETCH_SECONDS = 3600
CERTIFICATE = "The server's certificate is not one that is trusted here."
REDIRECT = (
    "The server sends on to another address, which is not followed: give the repository's own."
)
NO_LOGIN = "The server asks who is reading, and no token is kept for it."
BAD_LOGIN = "The server refused the token that is kept for it."
SEAL_BROKEN = "The token kept for the server cannot be read: SECRET_KEY has changed, give it again."
SILENT = "The server did not answer in time."
ENDLESS = "The fetch took longer than an hour."
# The first that fits; looked for in all that git, curl and ssh wrote.
SENTENCES = (
    (
        r"error setting certificate|SSL CA cert",
        "The file of authorities is unreadable.",
        "certificate",
    ),
    (
        r"SSL certificate problem|certificate verif|certificate subject|SSL: no alt",
        CERTIFICATE,
        "certificate",
    ),
    (r"returned error: 3\d\d|unable to update url base", REDIRECT, "redirected"),
    (
        r"returned error: 403",
        "The server does not let this account read the repository.",
        "forbidden_by_server",
    ),
    (
        r"returned error: 404|repository '.*' not found|not appear to be a git repository|could not be found",
        "The server shows no such repository.",
        "not_found",
    ),
    (r"returned error: (429|5\d\d)", "The server is out of order or too busy.", "busy"),
    (
        r"HOST IDENTIFICATION HAS CHANGED",
        "The server's host key is another than the known one.",
        "host_key",
    ),
    (r"Host key verification failed", "The server's host key is not known here.", "host_key"),
    (
        r"UNPROTECTED PRIVATE KEY|Load key|no such identity",
        "The ssh key file cannot be used.",
        "credential_broken",
    ),
    (r"Permission denied \(", "The server refused the ssh key.", "credential_refused"),
    (r"Could not resolve", "There is no server of that name.", "unreachable"),
    (r"[Tt]imed? ?out|too slow", SILENT, "timeout"),
    (
        r"Connection refused|Failed to connect|Couldn't connect",
        "No server answers there.",
        "unreachable",
    ),
    (
        r"Connection (reset|closed)|hung up|early EOF|unexpected eof",
        "The connection was cut.",
        "unreachable",
    ),
)
LOGIN = r"Authentication failed|returned error: 401|could not read (Username|Password)"


class RemoteFailed(git.GitFailed):
    """A server could not be read: `plain` says why, naming no host; the message is git's, without the token."""

    def __init__(self, plain: str, message: str, reason: str) -> None:
        """Keep all three; `reason` is the sentence for programs."""
        super().__init__(message)
        self.plain = plain
        self.reason = reason


def run(source: sources.Source, target: Path | None, *arguments: str) -> bytes:
    """Standard output of one git command on a remote source. Raises `RemoteFailed`, `git.NotStored`."""
    try:
        login = credentials.find(source)
    except keys.SealBroken as broken:
        raise RemoteFailed(SEAL_BROKEN, SEAL_BROKEN, "credential_broken") from broken
    asking = arguments[0] == "ls-remote"
    seconds = settings.GIT_ANSWER_SECONDS if asking else FETCH_SECONDS
    with credentials.handed(login, credentials.server(source)) as (helper, pipes):
        env = environment(source.transports, helper)
        try:
            return git.run(target, *arguments, env=env, timeout=seconds, pipes=pipes)
        except git.NotStored:
            raise
        except git.TookTooLong as late:
            raise RemoteFailed(SILENT if asking else ENDLESS, str(late), "timeout") from None
        except git.GitFailed as failure:
            raise _failed(failure, login) from None


def environment(transports: Iterable[str], extra: dict[str, str] | None = None) -> dict[str, str]:
    """The environment of a git process that talks to a server."""
    config = {
        "http.lowSpeedLimit": "1",
        "http.lowSpeedTime": str(settings.GIT_ANSWER_SECONDS),
        **(extra or {}),
    }
    if settings.GIT_CA_FILE:
        config["http.sslCAInfo"] = str(Path(settings.GIT_CA_FILE).absolute())
    ssh = {"GIT_SSH_COMMAND": shlex.join(_ssh()), "GIT_SSH_VARIANT": "ssh"}
    return git.environment(transports, extra=config) | ssh


def _ssh() -> list[str]:
    """ssh that asks nobody, no agent, and reads no settings but these."""
    options = {
        "BatchMode": "yes",
        "PreferredAuthentications": "publickey",
        "IdentitiesOnly": "yes",
        "IdentityAgent": "none",
        "ForwardAgent": "no",
        "ConnectTimeout": str(settings.GIT_ANSWER_SECONDS),
        "ServerAliveInterval": str(settings.GIT_ANSWER_SECONDS),
        "ServerAliveCountMax": "1",
        "StrictHostKeyChecking": "accept-new",
    }
    if settings.GIT_SSH_KEY_FILE:
        options["IdentityFile"] = _path(settings.GIT_SSH_KEY_FILE)
    if settings.GIT_KNOWN_HOSTS_FILE:
        options["StrictHostKeyChecking"] = "yes"
        options["UserKnownHostsFile"] = _path(settings.GIT_KNOWN_HOSTS_FILE)
        options["GlobalKnownHostsFile"] = "/dev/null"
    return ["ssh", "-F", "none", *(f"-o{name}={value}" for name, value in options.items())]


def _path(file: Path) -> str:
    """A file's name as ssh reads it in an option: blanks quoted, `%` doubled."""
    return '"{}"'.format(str(Path(file).absolute()).replace("%", "%%"))


def _failed(failure: git.GitFailed, login: credentials.Login | None) -> RemoteFailed:
    said = failure.stderr.decode(errors="replace")
    for secret in _spellings(login):
        said = said.replace(secret, secrets.MASK)
    lines = [secrets.mask(line.strip()).text for line in said.splitlines() if line.strip()]
    plain, reason = _plain(said, login)
    return RemoteFailed(plain, "; ".join(lines)[:1000] or str(failure), reason)


def _plain(said: str, login: credentials.Login | None) -> tuple[str, str]:
    """(a sentence for every reader, the same for programs)."""
    if re.search(LOGIN, said):
        return (BAD_LOGIN, "credential_refused") if login else (NO_LOGIN, "no_credential")
    fitting = ((plain, reason) for pattern, plain, reason in SENTENCES if re.search(pattern, said))
    return next(fitting, (git.GitFailed.plain, git.GitFailed.reason))


def _spellings(login: credentials.Login | None) -> list[str]:
    """The token in every form in which a server could send it back."""
    if login is None:
        return []
    both = f"{login.username}:{login.token}".encode()
    return [base64.b64encode(both).decode(), login.token, quote(login.token, safe="")]
