"""The bare mirror of a repository: filled from its source, read from git objects at a commit (C1)."""

from __future__ import annotations

import shutil
import subprocess
import threading
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from django.conf import settings

from kb_agent.repositories import text
from kb_agent.repositories.mirror import git

if TYPE_CHECKING:
    from kb_agent.repositories.models import Repository

LARGEST_READ = 8_000_000
MOST_NAMES = 200
LIST = ("ls-tree", "-z", "-l", "--full-tree")
REGULAR = {"100644", "100755", "100664"}


class MissingFile(Exception):
    """There is no such file at that commit."""

    code = "missing_file"


class TooLarge(Exception):
    """The file is too large to be shown."""

    code = "too_large"


@dataclass(frozen=True)
class TreeEntry:
    """One entry of a commit's tree; `path` is None when its bytes can be no name we could write down."""

    mode: str
    sha: str
    size: int
    path: str | None
    shown: str


def folder(repository: Repository) -> Path:
    """Where the bare mirror is kept: named by id, never by anything a person typed."""
    return Path(settings.VAR) / "mirrors" / f"{repository.pk}.git"


def open_or_make(repository: Repository) -> Path:
    """The mirror's folder, made when missing or left half made. Raises `git.NotStored`."""
    mirror = folder(repository)
    attributes = mirror / "info" / "attributes"
    with git.storing():
        if not attributes.exists():
            mirror.parent.mkdir(parents=True, exist_ok=True)
            git.run(None, "init", "--quiet", "--bare", "--template=", str(mirror))
            attributes.parent.mkdir(exist_ok=True)
            # Snapshots keep bytes as they are, whatever a folder's own attributes ask for. Put in
            # place whole and last: its being there says that the mirror is complete.
            written = attributes.with_suffix(".new")
            written.write_text("* -text -filter -ident -working-tree-encoding\n")
            written.replace(attributes)
    return mirror


def resolve(repository: Repository, name: str) -> tuple[str, datetime]:
    """(commit, time) of a branch or tag of the mirror. Raises `MissingFile`."""
    mirror = folder(repository)
    for space in ("heads", "tags"):
        reference = f"refs/{space}/{name}"
        with suppress(git.GitFailed):
            out = git.run(mirror, "show", "-s", "--format=%H %ct", f"{reference}^{{commit}}", "--")
            commit, seconds = out.decode().split()
            return commit, datetime.fromtimestamp(int(seconds), UTC)
    raise MissingFile(f"there is no branch {name}")


def committed_at(repository: Repository, commit: str) -> datetime:
    """When a commit was made, also one that every branch has left. Raises `MissingFile`."""
    try:
        out = git.run(
            folder(repository), "show", "-s", "--format=%ct", f"{commit}^{{commit}}", "--"
        )
    except git.GitFailed as missing:
        raise MissingFile(f"there is no commit {commit[:10]}") from missing
    return datetime.fromtimestamp(int(out), UTC)


def forget(repository: Repository) -> None:
    """Remove what an earlier database may have left under this id."""
    shutil.rmtree(folder(repository), ignore_errors=True)


def strip(repository: Repository) -> None:
    """Leave of a removed repository only what was cited: the rest of its code is gone from the disk."""
    mirror = folder(repository)
    done = mirror / "stripped"
    if not mirror.is_dir() or done.exists():
        return
    cited = git.run(mirror, "for-each-ref", "--format=%(refname)", "refs/cited")
    if not cited:
        forget(repository)
        return
    others = git.run(
        mirror, "for-each-ref", "--format=delete %(refname)", "refs/heads", "refs/tags"
    )
    git.run(mirror, "update-ref", "--stdin", stdin=others)
    git.run(mirror, "gc", "--quiet", "--prune=now", timeout=3600)
    with git.storing():
        done.touch()


def keep(repository: Repository, commit: str) -> None:
    """Keep a cited commit readable whatever becomes of its branch."""
    git.run(folder(repository), "update-ref", f"refs/cited/{commit}", commit)


def tree(repository: Repository, commit: str) -> Iterator[TreeEntry]:
    """Every entry of a commit's tree, folders left out."""
    listed = git.run(folder(repository), *LIST, "-r", commit)
    for entry, _ in _entries(listed):
        yield entry


def blobs(repository: Repository, shas: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    """(sha, bytes) of blobs, in the order asked for, through one git process."""
    asked = list(shas)
    if not asked:
        return
    with subprocess.Popen(  # noqa: S603 - arguments are ours
        git.command(folder(repository), ["cat-file", "--batch", "--buffer"]),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=git.environment(),
    ) as process:
        feeder = threading.Thread(target=_feed, args=(process, asked), daemon=True)
        feeder.start()
        try:
            for sha in asked:
                yield sha, _next_blob(process)
        finally:
            process.kill()
            feeder.join()


def read(repository: Repository, commit: str, path: str) -> bytes:
    """The bytes of a file at a commit. Raises `MissingFile` (also for links and folders), `TooLarge`."""
    entry = find(repository, commit, path)
    if entry.size > LARGEST_READ:
        raise TooLarge(f"{path} has {entry.size:,} bytes")
    return git.run(folder(repository), "cat-file", "blob", entry.sha)


def find(repository: Repository, commit: str, path: str) -> TreeEntry:
    """The tree entry of a regular file. Raises `MissingFile`."""
    found = find_all(repository, commit, [path])
    if path not in found:
        raise MissingFile(f"there is no file {path!r} at {commit[:10]}")
    return found[path]


def read_all(repository: Repository, commit: str, paths: Iterable[str]) -> dict[str, bytes]:
    """The bytes of files at a commit, by two git processes; what is missing or too large is left out."""
    entries = find_all(repository, commit, paths)
    small = {path: entry.sha for path, entry in entries.items() if entry.size <= LARGEST_READ}
    read = dict(blobs(repository, sorted(set(small.values()))))
    return {path: read[sha] for path, sha in small.items()}


def find_all(repository: Repository, commit: str, paths: Iterable[str]) -> dict[str, TreeEntry]:
    """The tree entries of regular files at a commit, by path; others are left out."""
    names = {raw: path for path in paths if _inside(path) for raw in text.raw_names(path)}
    asked = sorted(names)
    found: dict[str, TreeEntry] = {}
    for start in range(0, len(asked), MOST_NAMES):
        some = asked[start : start + MOST_NAMES]
        try:
            out = git.run(folder(repository), *LIST, commit, b"--", *some)
        except git.GitFailed:  # no such commit
            return {}
        for entry, raw in _entries(out):
            if raw in names and entry.mode in REGULAR:
                found.setdefault(names[raw], entry)
    return found


def lines(repository: Repository, commit: str, path: str) -> list[str]:
    """The unmasked lines of a file. Raises `MissingFile`, `TooLarge`, `text.Binary`."""
    return text.lines(text.decode(read(repository, commit, path)))


def _inside(path: str) -> bool:
    """Whether a path can name something within a tree."""
    return (
        bool(path) and not path.startswith("/") and ".." not in path.split("/") and "\0" not in path
    )


def _entries(listed: bytes) -> Iterator[tuple[TreeEntry, bytes]]:
    """(entry, raw name) of a tree's listing."""
    for line in listed.split(b"\0"):
        if line:
            head, _, raw = line.partition(b"\t")
            mode, _, sha, size = head.decode().split()
            length = int(size) if size.isdigit() else 0
            yield TreeEntry(mode, sha, length, text.name(raw), text.escaped(raw)), raw


def _feed(process: subprocess.Popen[bytes], shas: list[str]) -> None:
    if process.stdin is not None:
        with suppress(BrokenPipeError), process.stdin as pipe:
            pipe.write("\n".join([*shas, ""]).encode())


def _next_blob(process: subprocess.Popen[bytes]) -> bytes:
    if process.stdout is None:
        raise git.GitFailed("git gave no output")
    head = process.stdout.readline().split()
    if len(head) != 3:
        raise git.GitFailed("a blob is missing from the mirror")
    data = process.stdout.read(int(head[2]))
    process.stdout.read(1)
    return data
