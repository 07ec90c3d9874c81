"""Keeps one sealed token for each https server, and hands it to the git process that needs it (C2)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from urllib.parse import urlsplit

from kb_agent.llm import keys
from kb_agent.repositories.mirror import sources
from kb_agent.repositories.models import Credential

# GitHub, GitLab, Gitee and Gitea take any name, or this one, with a token.
USERNAME = "oauth2"
LONGEST = 4_000


class BadCredential(Exception):
    """The token cannot be used; the message says why, without it, `reason` in one word."""

    code = "bad_credential"

    def __init__(self, message: str, *, reason: str) -> None:
        """Say why, for people and for programs."""
        super().__init__(message)
        self.reason = reason


@dataclass(frozen=True)
class Login:
    """What a server is told; a token is shown by no `repr`."""

    username: str
    token: str

    def __repr__(self) -> str:
        """Name the account only."""
        return f"Login({self.username!r})"


def keep(address: str, login: Login) -> str:
    """Keep the token for the server of an https address, instead of an earlier one; returns the server.

    Raises `BadCredential`, `sources.BadSource`.
    """
    source = sources.classify(address)
    check(source, login)
    host = server(source)
    Credential.objects.update_or_create(
        host=host,
        defaults={"username": login.username or USERNAME, "sealed": keys.seal(login.token)},
    )
    return host


def check(source: sources.Source, login: Login) -> None:
    """Whether a source can use a token. Raises `BadCredential`."""
    if source.transports != ("https",):
        raise BadCredential("A token is for https sources; ssh uses a key.", reason="https_only")
    if not login.token:
        raise BadCredential("The token is empty.", reason="empty_token")
    if len(login.token) + len(login.username) > LONGEST:
        raise BadCredential("The token or the name is too long.", reason="too_long")
    if sources.CONTROL.search(login.token + login.username):
        raise BadCredential("The token or the name holds control characters.", reason="characters")


def find(source: sources.Source) -> Login | None:
    """What the server of a source is told, when anything is kept for it. Raises `keys.SealBroken`."""
    if source.transports != ("https",):
        return None
    kept = Credential.objects.filter(host=server(source)).first()
    return Login(kept.username, keys.unseal(kept.sealed)) if kept else None


def server(source: sources.Source) -> str:
    """The server of an https source as git names it: with its port, when that is not the usual one."""
    parts = urlsplit(source.location)
    host = parts.hostname or ""
    host = f"[{host}]" if ":" in host else host
    return host if parts.port in {None, 443} else f"{host}:{parts.port}"


@contextmanager
def handed(login: Login | None, host: str) -> Iterator[tuple[dict[str, str], tuple[int, ...]]]:
    """(configuration, pipes) by which one git process can ask for the token, for that server only.

    It goes through a pipe: arguments and environments of a process can be read by others.
    """
    if login is None:
        yield {}, ()
        return
    reading, writing = os.pipe()
    try:
        with os.fdopen(writing, "w") as pipe:
            pipe.write(f"username={login.username}\npassword={login.token}\n")
        ask = f'!f() {{ test "$1" = get && cat /dev/fd/{reading}; }}; f'
        yield {f"credential.https://{host}.helper": ask}, (reading,)
    finally:
        os.close(reading)
