"""Who wrote lines, when and why: blame and log from the bare mirror, at a commit, within bounds."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from kb_agent.repositories import mirror, secrets, text
from kb_agent.repositories.mirror import git
from kb_agent.repositories.models import Repository

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    Arguments = Callable[[bytes], Sequence[str | bytes]]

LARGEST = 1_500_000
MOST_LINES = 1_000
MOST_COMMITS = 100
SECONDS = 10.0
NAME_CHARS, SUMMARY_CHARS = 80, 160
# Wider than what is shown: masking a secret needs its whole length.
FORMAT = f"--format=tformat:%H%x00%<({NAME_CHARS * 2},trunc)%an%x00%at%x00%<({SUMMARY_CHARS * 4},trunc)%s"
HOSTILE = {"Cc", "Cf", "Cs", "Zl", "Zp", "Co", "Cn"}


class NoHistory(Exception):
    """A plain folder's snapshots say nothing of who wrote what."""

    code = "no_history"


@dataclass(frozen=True)
class Commit:
    """A commit; author and summary are one clean line each, secrets masked."""

    commit: str
    author: str
    date: datetime | None
    summary: str


@dataclass(frozen=True)
class Span(Commit):
    """Lines that follow one another and were last written by one commit."""

    start_line: int
    end_line: int


def blame(
    repository: Repository, commit: str, path: str, start_line: int = 1, end_line: int = 0
) -> list[Span]:
    """Who last wrote the lines, as the file stands at `commit`; at most `MOST_LINES` of them.

    Raises `NoHistory`, `mirror.MissingFile`, `mirror.TooLarge`, `text.Binary`, `git.TookTooLong`.
    """
    lines = _within(repository, commit, path, start_line, end_line)
    out = _first_named(
        repository,
        path,
        lambda raw: ["blame", "--incremental", f"-L{lines[0]},{lines[1]}", commit, b"--", raw],
    )
    return list(_joined(sorted(_spans(out), key=lambda span: span.start_line)))


def log(
    repository: Repository,
    commit: str,
    path: str,
    *,
    lines: tuple[int, int] | None = None,
    limit: int = 20,
) -> list[Commit]:
    """Commits up to `commit` that touched the file, or its `lines`; the newest first.

    A renamed file is followed. Raises what `blame` raises.
    """
    found = _within(repository, commit, path, *(lines or (1, 0)))
    most = f"-n{max(1, min(limit, MOST_COMMITS))}"
    head = ["log", "-z", "--no-patch", "--no-ext-diff", "--no-textconv", "--no-show-signature"]
    head += ["--encoding=UTF-8", FORMAT, most]

    def arguments(raw: bytes) -> Sequence[str | bytes]:
        if lines is None:
            return [*head, "--follow", commit, b"--", raw]
        return [*head, f"-L{found[0]},{found[1]}:".encode() + raw, commit, "--"]

    return list(_commits(_first_named(repository, path, arguments)))


def _within(
    repository: Repository, commit: str, path: str, start_line: int, end_line: int
) -> tuple[int, int]:
    """The lines asked for that the file has, once it is known to be text of a bearable size."""
    if repository.kind == Repository.Kind.DIRECTORY:
        raise NoHistory("A plain folder has no history.")
    if mirror.find(repository, commit, path).size > LARGEST:
        raise mirror.TooLarge(f"{path} is too large for its history to be told")
    total = len(mirror.lines(repository, commit, path))
    first = max(1, start_line)
    last = min(end_line or total, total, first + MOST_LINES - 1)
    if last < first:
        raise mirror.MissingFile(f"there are no lines {start_line}-{end_line} of {path!r}")
    return first, last


def _first_named(repository: Repository, path: str, arguments: Arguments) -> bytes:
    """What git says of the file under the first of its possible byte names that it knows."""
    for raw in text.raw_names(path):
        try:
            out = git.run(mirror.folder(repository), *arguments(raw), timeout=SECONDS)
        except git.TookTooLong:
            raise
        except git.GitFailed:
            continue
        if out:
            return out
    raise mirror.MissingFile(f"there is no file {path!r}")


def _spans(out: bytes) -> Iterator[Span]:
    """Read `git blame --incremental`: a head line, what is new of its commit, the file's name last."""
    known: dict[str, dict[bytes, bytes]] = {}
    head: list[str] = []
    for line in out.split(b"\n"):
        if not head:
            head = line.decode(errors="replace").split()
            continue
        key, _, value = line.partition(b" ")
        told = known.setdefault(head[0], {})
        told.setdefault(key, value)
        if key == b"filename":
            start, count = int(head[2]), int(head[3])
            yield Span(*_told(head[0], told), start_line=start, end_line=start + count - 1)
            head = []


def _told(commit: str, told: dict[bytes, bytes]) -> tuple[str, str, datetime | None, str]:
    return (
        commit,
        clean(told.get(b"author", b""), NAME_CHARS),
        _date(told.get(b"author-time", b"")),
        clean(told.get(b"summary", b""), SUMMARY_CHARS),
    )


def _joined(spans: Sequence[Span]) -> Iterator[Span]:
    """Spans of one commit that touch are one."""
    last: Span | None = None
    for span in spans:
        if last and (last.commit, last.end_line + 1) == (span.commit, span.start_line):
            last = Span(
                last.commit, last.author, last.date, last.summary, last.start_line, span.end_line
            )
            continue
        if last:
            yield last
        last = span
    if last:
        yield last


def _commits(out: bytes) -> Iterator[Commit]:
    parts = out.split(b"\0")
    for at in range(0, len(parts) - 3, 4):
        commit, author, seconds, summary = parts[at : at + 4]
        yield Commit(
            commit.decode().strip(),
            clean(author, NAME_CHARS),
            _date(seconds),
            clean(summary, SUMMARY_CHARS),
        )


def _date(seconds: bytes) -> datetime | None:
    """A moment; none for one that no calendar holds."""
    try:
        return datetime.fromtimestamp(int(seconds), UTC)
    except (ValueError, OverflowError, OSError):
        return None


def clean(raw: bytes, most: int) -> str:
    """Someone else's words on one line: masked, without characters that are not seen, none too long."""
    words = secrets.mask(raw.decode(errors="replace")).text
    seen = "".join(" " if unicodedata.category(each) in HOSTILE else each for each in words)
    line = " ".join(seen.split()).removesuffix("..")
    return line if len(line) <= most else line[: most - 1] + "…"
