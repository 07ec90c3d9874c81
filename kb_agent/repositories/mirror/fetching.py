"""Brings a mirror up to date with its source: a fetch, or a snapshot of a plain folder (C2)."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings
from django.db import transaction

from kb_agent.repositories import mirror
from kb_agent.repositories.mirror import git, remote, sources
from kb_agent.repositories.models import Branch, Repository

SNAPSHOT_BRANCH = "main"
IDENTITY = {
    f"GIT_{role}_{field}": value
    for role in ("AUTHOR", "COMMITTER")
    for field, value in (("NAME", "KB Agent"), ("EMAIL", "snapshot@kb-agent.invalid"))
}


class EmptyRepository(Exception):
    """The source holds no commit, or no file."""

    code = "empty_repository"
    reason = "empty"


class UnknownBranch(Exception):
    """The source has no branch or tag of that name."""

    code = "unknown_branch"
    reason = "branch_gone"


class FetchFailed(Exception):
    """The source could not be read; the message is git's, without credentials: not for every reader."""

    code = "fetch_failed"

    def __init__(self, failure: git.GitFailed) -> None:
        """Take over what git said, and what of it every reader may know."""
        super().__init__(str(failure))
        self.plain = failure.plain
        self.reason = failure.reason


REASONS = (
    *("credential_refused", "not_found", "unreachable", "forbidden_by_server", "redirected"),
    *("certificate", "busy", "branch_gone", "too_large", "no_credential", "empty", "host_key"),
    *("timeout", "not_stored", "credential_broken", "gave_up", "failed", "other"),
)
"""Why a run or a fetch failed, for programs: a browser has a sentence for each in its own language."""

REFUSALS = (
    sources.BadSource,
    EmptyRepository,
    UnknownBranch,
    FetchFailed,
    git.GitFailed,
    mirror.MissingFile,
)
"""Every way in which a source or its mirror may not be had."""


@dataclass
class Fetched:
    """Branches that stand where the source has them now, and what kept others from it."""

    branches: list[Branch] = field(default_factory=list)
    failures: list[Exception] = field(default_factory=list)


def sentence(failure: Exception) -> str:
    """What every reader of the repository may know of a failure: no folder, no host."""
    if isinstance(failure, (FetchFailed, git.GitFailed)):
        return failure.plain
    return str(failure)


def reason(failure: Exception) -> str:
    """The sentence for programs, so that a browser can say it in any language."""
    if isinstance(failure, sources.BadSource):
        return "not_found" if failure.reason == "no_folder" else "other"
    if isinstance(failure, mirror.MissingFile):
        return UnknownBranch.reason
    return str(getattr(failure, "reason", git.GitFailed.reason))


def detail(failure: Exception) -> str:
    """git's own words, for those who run the server, where the sentence does not say it all."""
    return "" if sentence(failure) == str(failure) else str(failure)


def fetch(repository: Repository) -> Fetched:
    """Fetch every followed branch and note where it stands; one that fails keeps no other from it.

    Raises `sources.BadSource`, `FetchFailed`, `EmptyRepository`, `UnknownBranch` when none could be fetched,
    `git.NotStored` when nothing more can be kept here.
    """
    source = sources.classify(repository.source)
    mirror.open_or_make(repository)
    if source.kind == Repository.Kind.DIRECTORY:
        _snapshot(repository, Path(source.location))
        return Fetched([_note(branch) for branch in repository.branches.all()])
    _follow_default(repository, source)
    _drop_unfollowed(repository)
    fetched = Fetched()
    for branch in repository.branches.order_by("pk"):
        try:
            _fetch_branch(repository, source, branch.name)
            fetched.branches.append(_note(branch))
        except (UnknownBranch, FetchFailed, mirror.MissingFile) as failure:
            if isinstance(failure, UnknownBranch):
                Branch.objects.filter(pk=branch.pk).update(missing=True)
            fetched.failures.append(failure)
    if not fetched.branches and fetched.failures:
        raise fetched.failures[0]
    return fetched


def _drop_unfollowed(repository: Repository) -> None:
    """Take branches and tags that are no longer followed out of the mirror: `release` would bar `release/1`."""
    target = mirror.folder(repository)
    followed = set(repository.branches.values_list("name", flat=True))
    listed = git.run(target, "for-each-ref", "--format=%(refname)", "refs/heads", "refs/tags")
    gone = [
        f"delete {reference}\n"
        for reference in listed.decode(errors="surrogateescape").splitlines()
        if reference.split("/", 2)[2] not in followed
    ]
    if gone:
        commands = "".join(gone).encode(errors="surrogateescape")
        git.run(target, "update-ref", "--stdin", stdin=commands)


def _note(branch: Branch) -> Branch:
    branch.commit, branch.committed_at = mirror.resolve(branch.repository, branch.name)
    branch.missing = False
    # One that was removed meanwhile changes nothing: its run ends when it would be written.
    Branch.objects.filter(pk=branch.pk).update(
        commit=branch.commit, committed_at=branch.committed_at, missing=False
    )
    return branch


def _follow_default(repository: Repository, source: sources.Source) -> None:
    """Follow the source's own default branch, also when it is another than before, unless a person named one."""
    if repository.default_branch and not repository.follows_default:
        return
    listed = _git(source, None, "ls-remote", "--symref", "--", source.location, "HEAD").decode()
    name = next(
        (
            line.split()[1].removeprefix("refs/heads/")
            for line in listed.splitlines()
            if line.startswith("ref:")
        ),
        "",
    )
    if name and "\tHEAD" in listed:
        if sources.check_branch(name) != repository.default_branch:
            gone = _is_gone(source, repository.default_branch)
            # A local folder's HEAD is whatever its owner works on: no word about the default branch.
            if gone or not repository.default_branch or source.kind == Repository.Kind.GIT_REMOTE:
                _follow(repository, name, gone=gone)
    elif not repository.default_branch:
        raise EmptyRepository("The source has no commit on its default branch.")


def _is_gone(source: sources.Source, name: str) -> bool:
    """Whether the source has no branch of that name (any more)."""
    return bool(name) and not _git(
        source, None, "ls-remote", "--", source.location, f"refs/heads/{name}"
    )


def _follow(repository: Repository, name: str, *, gone: bool = False) -> None:
    """Make a branch the default one; one that is `gone` was renamed to it, and its index with it."""
    with transaction.atomic():
        held = repository.branches
        if gone and not held.filter(name=name).exists():
            held.filter(name=repository.default_branch).update(name=name)
        elif gone:
            held.filter(name=repository.default_branch).delete()
        repository.default_branch = name
        repository.save(update_fields=["default_branch"])
        Branch.objects.get_or_create(repository=repository, name=name)


def _fetch_branch(repository: Repository, source: sources.Source, name: str) -> None:
    target = mirror.folder(repository)
    sources.check_branch(name)
    found = _git(
        source, None, "ls-remote", "--", source.location, f"refs/heads/{name}", f"refs/tags/{name}"
    )
    spaces = [space for space in ("heads", "tags") if f"refs/{space}/{name}".encode() in found]
    if not spaces:
        raise UnknownBranch(f"The source has no branch or tag {name}.")
    reference = f"refs/{spaces[0]}/{name}"
    _git(
        source,
        target,
        *(
            "fetch",
            "--quiet",
            "--force",
            "--no-tags",
            "--no-recurse-submodules",
            "--no-write-fetch-head",
        ),
        *("--", source.location, f"+{reference}:{reference}"),
    )


def _git(source: sources.Source, target: Path | None, *arguments: str) -> bytes:
    try:
        if source.kind == Repository.Kind.GIT_REMOTE:
            return remote.run(source, target, *arguments)
        env = git.environment(source.transports, trusted=Path(source.location))
        return git.run(target, *arguments, env=env)
    except git.NotStored:
        raise
    except git.GitFailed as failure:
        raise FetchFailed(failure) from failure


def _snapshot(repository: Repository, source: Path) -> None:
    """Commit the folder as it is; links are kept as links, ignored files are left out."""
    target = mirror.folder(repository)
    if not repository.default_branch:
        _follow(repository, SNAPSHOT_BRANCH)
    reference = f"refs/heads/{repository.default_branch}"
    _leave_out_our_own(target, source)
    with git.storing(), tempfile.TemporaryDirectory(dir=target) as scratch:
        env = git.environment() | {"GIT_INDEX_FILE": str(Path(scratch) / "index")}
        try:
            git.run(
                target,
                f"--work-tree={source}",
                "add",
                "--all",
                "--ignore-errors",
                "--",
                ".",
                env=_in(env),
            )
            tree = git.run(target, "write-tree", env=env).decode().strip()
            listed = git.run(target, "ls-tree", tree)
        except git.NotStored:
            raise
        except git.GitFailed as failure:
            raise FetchFailed(failure) from failure
    if not listed:
        raise EmptyRepository("The folder holds no file.")
    _commit(target, reference, tree)


def _leave_out_our_own(target: Path, source: Path) -> None:
    """Keep the product's data (mirrors, keys) out of a snapshot of a folder that holds it."""
    own = Path(settings.VAR).resolve()
    inside = own.relative_to(source.resolve()) if own.is_relative_to(source.resolve()) else None
    with git.storing():
        (target / "info" / "exclude").write_text(f"/{inside.as_posix()}/\n" if inside else "")


def _in(env: dict[str, str]) -> dict[str, str]:
    return {name: value for name, value in env.items() if name != "GIT_LITERAL_PATHSPECS"}


def _commit(target: Path, reference: str, tree: str) -> None:
    """A commit of `tree` on the branch, unless the branch already stands at that tree."""
    known = (
        git.run(target, "for-each-ref", "--format=%(objectname) %(tree)", reference)
        .decode()
        .split()
    )
    if known[1:] == [tree]:
        return
    parent = ["-p", known[0]] if known else []
    now = datetime.now(UTC).strftime("%s +0000")
    dates = {"GIT_AUTHOR_DATE": now, "GIT_COMMITTER_DATE": now}
    commit = git.run(
        target,
        "commit-tree",
        tree,
        *parent,
        "-m",
        "Snapshot",
        env=git.environment() | IDENTITY | dates,
    )
    git.run(target, "update-ref", reference, commit.decode().strip())
