"""C1: everything is read from git objects; nothing in a repository reaches outside it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from kb_agent.repositories import evidence, files, mirror
from kb_agent.repositories.mirror import fetching, git, registry
from kb_agent.repositories.models import Repository, Skipped
from tests.repositories.code import REFUND, Code, add, index, indexed

pytestmark = pytest.mark.django_db
OUTSIDE = "outside the repository"


def reasons(repository: Repository) -> dict[str, str]:
    """Why files were left out."""
    rows = Skipped.objects.filter(branch__repository=repository)
    return dict(rows.values_list("path", "reason"))


def listed(repository: Repository) -> list[str]:
    """What is indexed of the default branch."""
    return files.listing(repository, repository.default_branch)


def test_C1_a_link_that_leaves_the_tree_is_never_followed(code: Code, tmp_path: Path) -> None:
    (tmp_path / "outside.py").write_text(f"x = '{OUTSIDE}'\n")
    code.commit({"a.py": REFUND})
    (code.folder / "link.py").symlink_to(tmp_path / "outside.py")
    (code.folder / "up").symlink_to("..")
    commit = code.commit({})
    repository = indexed(code)
    assert listed(repository) == ["a.py"]
    assert reasons(repository) == {"link.py": "symlink", "up": "symlink"}
    for path in ("link.py", "up/outside.py", "../outside.py", str(tmp_path / "outside.py")):
        with pytest.raises(mirror.MissingFile):
            mirror.read(repository, commit, path)


def test_C1_a_plain_folder_keeps_links_as_links(tmp_path: Path) -> None:
    folder = tmp_path / "plain"
    folder.mkdir()
    (tmp_path / "outside.py").write_text(f"x = '{OUTSIDE}'\n")
    (folder / "refund.py").write_text(REFUND)
    (folder / "link.py").symlink_to(tmp_path / "outside.py")
    repository = registry.add("plain", str(folder), groups=["readers"])
    assert index(repository).status == "done"
    assert (listed(repository), reasons(repository)) == (["refund.py"], {"link.py": "symlink"})


def test_C1_strange_names_are_indexed_or_left_out_for_a_reason(code: Code) -> None:
    code.commit({"a.py": REFUND})
    code.commit_entries(
        [
            ("100644", "退款.py".encode("gb18030"), REFUND.encode()),
            ("100644", b"with\nbreak.py", REFUND.encode()),
            ("100644", b"bad\xff\xfe\xff.py", REFUND.encode()),
            ("100644", b"-dash.py", REFUND.encode()),
        ]
    )
    repository = indexed(code)
    assert listed(repository) == ["-dash.py", "退款.py"]
    assert reasons(repository) == {"with\\x0abreak.py": "name", "bad\\xff\\xfe\\xff.py": "name"}
    commit = repository.branches.get().indexed_commit
    for path in listed(repository):
        assert mirror.read(repository, commit, path) == REFUND.encode()


def test_C1_hooks_and_settings_of_a_source_are_never_run(code: Code, tmp_path: Path) -> None:
    owned = tmp_path / "owned"
    code.commit({"a.py": REFUND})
    for name in ("post-checkout", "reference-transaction", "pre-receive", "post-upload-pack"):
        hook = code.folder / ".git" / "hooks" / name
        hook.parent.mkdir(exist_ok=True)
        hook.write_text(f"#!/bin/sh\ntouch {owned}\n")
        hook.chmod(0o755)
    code.git("config", "core.fsmonitor", f"touch {owned}")
    code.git("config", "uploadpack.packObjectsHook", f"touch {owned}")
    code.git("config", "core.sshCommand", f"touch {owned}")
    indexed(code)
    assert not owned.exists()


def test_C2_a_plain_folder_is_snapshotted_as_a_commit_and_only_when_it_changed(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "plain"
    folder.mkdir()
    (folder / "refund.py").write_bytes(REFUND.replace("\n", "\r\n").encode())
    (folder / ".gitattributes").write_text("* text=auto eol=lf\n")
    (folder / ".gitignore").write_text("junk/\n")
    (folder / "junk").mkdir()
    (folder / "junk" / "x.py").write_text("x = 1\n")
    repository = registry.add("plain", str(folder), groups=["readers"])
    index(repository)
    first = repository.branches.get().indexed_commit
    assert "junk/x.py" not in listed(repository)
    assert b"\r\n" in mirror.read(repository, first, "refund.py")
    index(repository)
    assert repository.branches.get().indexed_commit == first
    (folder / "more.py").write_text("def more():\n    return 1\n")
    index(repository)
    assert repository.branches.get().indexed_commit != first
    assert "more.py" in listed(repository)


def test_C2_an_empty_source_ends_the_run_with_a_clear_word(code: Code, tmp_path: Path) -> None:
    run = index(add(code))
    assert (run.status, "no commit" in run.error) == ("failed", True)
    (tmp_path / "nothing").mkdir()
    run = index(registry.add("nothing", str(tmp_path / "nothing")))
    assert (run.status, run.error) == ("failed", "The folder holds no file.")


def test_C2_a_source_that_is_gone_ends_the_run_and_keeps_the_index(code: Code) -> None:
    code.commit({"a.py": REFUND})
    repository = indexed(code)
    shutil.rmtree(code.folder)
    run = index(repository)
    assert (run.status, repository.status) == ("failed", "failed")
    assert "no such folder" in repository.error
    assert listed(repository) == ["a.py"]


def test_C2_several_branches_and_tags_are_followed(code: Code) -> None:
    code.commit({"a.py": REFUND})
    code.git("tag", "v1")
    code.git("switch", "--quiet", "--create", "next")
    code.commit({"b.py": REFUND})
    repository = registry.add("shop", str(code.folder), branches=["next", "v1"])
    assert index(repository).status == "done"
    assert files.listing(repository, "next") == ["a.py", "b.py"]
    assert files.listing(repository, "v1") == ["a.py"]
    assert repository.default_branch == "next"


def test_C2_an_unknown_branch_is_named(code: Code) -> None:
    code.commit({"a.py": REFUND})
    repository = registry.add("shop", str(code.folder), branches=["nowhere"])
    with pytest.raises(fetching.UnknownBranch, match="nowhere"):
        fetching.fetch(repository)


def test_C2_a_branch_that_is_gone_keeps_no_other_from_being_fetched(code: Code) -> None:
    code.commit({"a.py": REFUND})
    code.git("branch", "feature")
    repository = registry.add("shop", str(code.folder), branches=["feature", "main"])
    index(repository)
    code.git("branch", "--delete", "--force", "feature")
    code.commit({"b.py": REFUND})
    run = index(repository)
    assert (run.status, run.error) == ("done", "The source has no branch or tag feature.")
    assert files.listing(repository, "main") == ["a.py", "b.py"]
    assert files.listing(repository, "feature") == ["a.py"]
    assert (repository.status, repository.error) == ("fresh", run.error)


def test_C2_what_git_says_of_servers_and_folders_is_not_for_every_reader(code: Code) -> None:
    code.commit({"a.py": REFUND})
    repository = indexed(code)
    (code.folder / ".git" / "HEAD").write_text("broken")
    run = index(repository)
    assert (run.status, run.error) == ("failed", "The source could not be read.")
    assert repository.error == run.error
    assert "repository" in run.detail


def test_C1_a_cited_commit_outlives_a_branch_moved_by_force_and_garbage_collection(
    code: Code,
) -> None:
    old = code.commit({"a.py": REFUND})
    repository = indexed(code)
    place = evidence.Place(
        repository_id=repository.pk,
        commit=old,
        branch="main",
        path="a.py",
        start_line=4,
        end_line=9,
    )
    (row,) = evidence.mint(1, 1, [place])
    code.git("checkout", "--quiet", "--orphan", "fresh")
    code.commit({"a.py": None, "b.py": REFUND})
    code.git("branch", "--force", "main", "fresh")
    assert index(repository).status == "done"
    git.run(mirror.folder(repository), "-c", "gc.pruneExpire=now", "gc", "--prune=now", "--quiet")
    assert evidence.check(row)
    assert evidence.changed_since(row)
    assert listed(repository) == ["b.py"]
