"""Builds real git repositories for tests, and indexes them."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from django.db.models.functions import Now

from kb_agent.repositories import indexing
from kb_agent.repositories.mirror import registry
from kb_agent.repositories.models import Repository

if TYPE_CHECKING:
    from kb_agent.repositories.models import IndexRun

IDENTITY = {
    f"GIT_{role}_{field}": value
    for role in ("AUTHOR", "COMMITTER")
    for field, value in (("NAME", "Test"), ("EMAIL", "test@example.com"))
}
REFUND = '''"""Refunds."""


def retry_refund(refund, gateway):
    """Try a failed refund again, three times at most."""
    for attempt in range(3):
        if gateway.refund(refund):
            return attempt
    return None
'''


@dataclass
class Code:
    """A git repository with a worktree."""

    folder: Path

    def __post_init__(self) -> None:
        """Begin empty."""
        self.folder.mkdir(parents=True)
        self.git("init", "--quiet", "--initial-branch=main")

    def git(self, *arguments: str, stdin: bytes | None = None) -> str:
        """Run git in the worktree."""
        command = ["git", "-C", str(self.folder), *arguments]
        environment = {**os.environ, **IDENTITY}
        done = subprocess.run(
            command, check=True, capture_output=True, env=environment, input=stdin
        )
        return done.stdout.decode().strip()

    def commit(self, files: dict[str, str | bytes | None], message: str = "Change.") -> str:
        """Write files (None deletes one), commit them, return the commit."""
        for path, content in files.items():
            file = self.folder / path
            if content is None:
                file.unlink()
                continue
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content.encode() if isinstance(content, str) else content)
        self.git("add", "--all", "--force")
        self.git("commit", "--quiet", "--allow-empty", "--message", message)
        return self.git("rev-parse", "HEAD")

    def commit_entries(self, entries: list[tuple[str, bytes, bytes]]) -> str:
        """Commit a tree of (mode, raw name, content) as git objects, with names a file system would refuse."""
        lines = []
        for mode, name, content in entries:
            sha = self.git("hash-object", "-w", "--stdin", stdin=content)
            lines.append(f"{mode} blob {sha}\t".encode() + name)
        tree = self.git("mktree", "-z", stdin=b"\0".join([*lines, b""]))
        commit = self.git("commit-tree", tree, "-m", "Strange names.")
        self.git("update-ref", "refs/heads/main", commit)
        return commit


def add(code: Code, name: str = "shop", group: str = "readers") -> Repository:
    """Add the repository for a group."""
    return registry.add(name, str(code.folder), groups=[group])


def index(repository: Repository) -> IndexRun:
    """Index it here and now; the run says how it ended."""
    run = indexing.run(indexing.queue(repository).pk)
    assert run is not None
    repository.refresh_from_db()
    return run


def indexed(code: Code, name: str = "shop", group: str = "readers") -> Repository:
    """Add and index, which has to succeed."""
    repository = add(code, name, group)
    run = index(repository)
    assert (run.status, run.error) == ("done", "")
    return repository


def make_due() -> None:
    """Let the time of every repository's next fetch have come."""
    Repository.objects.update(next_fetch_at=Now())


def ended(run: IndexRun) -> tuple[str, str]:
    """How a run ended, as every reader is told."""
    return run.status, run.error
