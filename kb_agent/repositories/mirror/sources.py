"""Says what a source given by a person is, and refuses what git could be tricked into running (C2)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings

from kb_agent.repositories.models import Repository

CONTROL = re.compile(r"[\x00-\x1f\x7f]")
SCP = re.compile(r"^(?P<user>[A-Za-z0-9_][\w.-]*)@(?P<host>[A-Za-z0-9][\w.-]*):(?P<path>[^:].*)$")
HOST = re.compile(r"^[A-Za-z0-9][A-Za-z0-9.-]*$|^\[[0-9A-Fa-f:]+\]$")
NAME = re.compile(r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$")
BRANCH = re.compile(
    r"^(?!.*(\.\.|//|@\{|\.lock$|/$|\.$))[^\x00-\x20\x7f~^:?*\[\\-][^\x00-\x20\x7f~^:?*\[\\]{0,249}$"
)


class BadSource(Exception):
    """The source cannot be used; the message says why in plain words, `reason` in one of REASONS."""

    code = "bad_source"

    def __init__(self, message: str, *, reason: str, of: str = "source") -> None:
        """Say why, for people and for programs, and of which of the things that were given."""
        super().__init__(message)
        self.reason = reason
        self.of = of


REASONS = (
    "empty",
    "characters",
    "dash",
    "helper",
    "scheme",
    "credentials_in_address",
    "query",
    "host",
    "path",
    "no_folder",
    "local_forbidden",
    "bad_name",
    "bad_branch",
)


@dataclass(frozen=True)
class Source:
    """Where a repository comes from: `location` is a URL, or an absolute folder."""

    kind: str
    location: str
    transports: tuple[str, ...] = ()


def classify(text: str) -> Source:
    """The source that `text` names. Raises `BadSource`."""
    if not text.strip():
        raise BadSource("The source is empty.", reason="empty")
    if CONTROL.search(text):
        raise BadSource("The source holds control characters.", reason="characters")
    if text.startswith("-"):
        raise BadSource(
            "A source may not begin with a dash: git would take it for an option.", reason="dash"
        )
    if "::" in text.split("/", 1)[0]:
        raise BadSource(
            "Remote helpers such as ext:: are refused: they run programs.", reason="helper"
        )
    if "://" in text:
        return _url(text)
    if scp := SCP.match(text):
        return _scp(text, scp)
    return _folder(text)


def check_name(name: str) -> str:
    """`name` when it can name a repository. Raises `BadSource`."""
    if not NAME.match(name) or ".." in name:
        raise BadSource(
            "A name is letters, digits, dots, dashes and underscores, at most 100.",
            reason="bad_name",
            of="name",
        )
    return name


def check_branch(name: str) -> str:
    """`name` when git would take it for a branch or tag. Raises `BadSource`."""
    if not BRANCH.match(name):
        raise BadSource(
            f"{name!r} cannot be the name of a branch.", reason="bad_branch", of="branches"
        )
    return name


def _url(text: str) -> Source:
    try:
        parts = urlsplit(text)
        host, port = parts.hostname or "", parts.port
    except ValueError as wrong:
        raise BadSource("The address cannot be read.", reason="host") from wrong
    if parts.scheme not in {"https", "ssh"}:
        raise BadSource(
            f"{parts.scheme}:// is refused; use https:// or ssh://, or name a folder by its path.",
            reason="scheme",
        )
    if parts.password is not None or (parts.scheme == "https" and parts.username is not None):
        raise BadSource(
            "Credentials may not stand in the address.", reason="credentials_in_address"
        )
    if parts.username is not None and parts.username.startswith("-"):
        raise BadSource("The user may not begin with a dash.", reason="dash")
    if parts.query or parts.fragment:
        raise BadSource("The address may not carry a query or a fragment.", reason="query")
    if not HOST.match(f"[{host}]" if ":" in host else host) or port == 0:
        raise BadSource("The address names no usable host.", reason="host")
    if parts.path.strip("/") == "":
        raise BadSource("The address names no repository.", reason="path")
    return Source(Repository.Kind.GIT_REMOTE, text, (parts.scheme,))


def _scp(text: str, parts: re.Match[str]) -> Source:
    if parts["path"].startswith("-"):
        raise BadSource("The path may not begin with a dash.", reason="dash")
    return Source(Repository.Kind.GIT_REMOTE, text, ("ssh",))


def _folder(text: str) -> Source:
    try:
        folder = Path(text).expanduser().resolve()
        there = folder.is_dir()
    except (OSError, RuntimeError):
        there, folder = False, Path(text)
    if not there:
        raise BadSource(
            "There is no such folder, and it is not an https or ssh address.", reason="no_folder"
        )
    if folder.is_relative_to(Path(settings.VAR).resolve()) or folder == folder.parent:
        raise BadSource(
            "This folder is the product's own, or the whole machine: name the code's folder.",
            reason="local_forbidden",
        )
    if (folder / "HEAD").is_file() and (folder / "objects").is_dir():
        return Source(Repository.Kind.GIT_LOCAL, str(folder), ("file",))
    if (folder / ".git").exists():
        return Source(Repository.Kind.GIT_LOCAL, str(folder), ("file",))
    return Source(Repository.Kind.DIRECTORY, str(folder))
