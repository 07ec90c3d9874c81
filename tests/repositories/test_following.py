"""C2: branches, tags, names and sources that change, and repositories that are removed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.core.management import call_command
from django.db import IntegrityError, transaction

from kb_agent.repositories import access, evidence, files, indexing, mirror, search
from kb_agent.repositories.mirror import git, registry, schedule
from kb_agent.repositories.mirror.registry import Change
from kb_agent.repositories.models import Blob, Branch, File, IndexRun, Repository, Term, Vocabulary
from tests.repositories.code import REFUND, Code, index, indexed, make_due

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_django import Settings

    from kb_agent.accounts.models import User

pytestmark = pytest.mark.django_db
OTHER = REFUND.replace("retry_refund", "settle_refund").replace("three times", "five times")


def paths(repository: Repository, branch: str = "main") -> list[str]:
    return files.listing(repository, branch)


def test_C2_branches_and_tags_are_followed_beside_each_other_and_taken_away(code: Code) -> None:
    code.commit({"refund.py": REFUND})
    code.git("tag", "v1")
    code.git("branch", "release/2")
    code.commit({"later.py": OTHER})
    repository = indexed(code)
    registry.change(repository, Change(branches=["main", "v1", "release/2"]))
    assert index(repository).error == ""
    assert [paths(repository, name) for name in ("main", "v1", "release/2")] == [
        ["later.py", "refund.py"],
        ["refund.py"],
        ["refund.py"],
    ]
    registry.change(repository, Change(branches=["main"]))
    assert paths(repository, "v1") == []
    assert index(repository).error == ""
    assert (repository.default_branch, repository.follows_default) == ("main", True)


def test_C2_a_question_may_name_one_of_the_branches(code: Code) -> None:
    code.commit({"refund.py": REFUND})
    code.git("branch", "old")
    code.commit({"refund.py": OTHER})
    repository = indexed(code)
    registry.change(repository, Change(branches=["main", "old"]))
    index(repository)
    for branch, name in (("", "settle_refund"), ("old", "retry_refund")):
        hits = search.search("refund", readable=[repository.pk], branch=branch).hits
        assert name in " ".join(hit.excerpt for hit in hits)
        assert {hit.branch for hit in hits} == {branch or "main"}


def test_C2_a_branch_deleted_at_the_source_is_told_and_the_others_go_on(code: Code) -> None:
    code.commit({"refund.py": REFUND})
    code.git("branch", "old")
    repository = indexed(code)
    registry.change(repository, Change(branches=["main", "old"]))
    index(repository)
    code.git("branch", "-D", "old")
    code.commit({"later.py": OTHER})
    run = index(repository)
    assert (run.status, run.error_code) == ("done", "branch_gone")
    assert run.error == "The source has no branch or tag old."
    assert paths(repository) == ["later.py", "refund.py"]
    assert paths(repository, "old") == ["refund.py"]
    assert dict(repository.branches.values_list("name", "missing")) == {"main": False, "old": True}


def test_C2_a_renamed_default_branch_is_followed_with_its_index(code: Code) -> None:
    code.commit({"refund.py": REFUND})
    repository = indexed(code)
    code.git("branch", "-m", "main", "trunk")
    code.commit({"later.py": OTHER})
    run = index(repository)
    assert (run.status, run.error) == ("done", "")
    assert repository.default_branch == "trunk"
    assert [branch.name for branch in repository.branches.all()] == ["trunk"]
    assert paths(repository, "trunk") == ["later.py", "refund.py"]


def test_C2_a_default_branch_that_a_person_named_is_not_replaced(code: Code) -> None:
    code.commit({"refund.py": REFUND})
    repository = indexed(code)
    registry.change(repository, Change(default_branch="main"))
    code.git("branch", "-m", "main", "trunk")
    assert index(repository).error_code == "branch_gone"
    assert (repository.default_branch, paths(repository)) == ("main", ["refund.py"])


def test_C2_a_branch_may_take_the_place_of_a_folder_of_branches(code: Code) -> None:
    code.commit({"refund.py": REFUND})
    code.git("branch", "release")
    repository = indexed(code)
    registry.change(repository, Change(branches=["main", "release"]))
    index(repository)
    code.git("branch", "-D", "release")
    code.git("branch", "release/1")
    registry.change(repository, Change(branches=["main", "release/1"]))
    assert index(repository).error == ""
    assert paths(repository, "release/1") == ["refund.py"]


def test_a_renamed_repository_is_found_by_its_new_name_and_old_answers_open(
    code: Code, reader: User
) -> None:
    code.commit({"refund.py": REFUND})
    repository = indexed(code, "oldshop")
    cited = _cited(repository)
    registry.change(repository, Change(name="newshop"))
    index(repository)
    assert evidence.check(cited)
    assert evidence.open(cited, context=0).lines
    terms = set(Term.objects.values_list("term", flat=True))
    assert "newshop" in terms
    assert "oldshop" not in terms
    with pytest.raises(registry.UnknownRepository):
        registry.named("oldshop")


def test_a_name_that_is_taken_changes_nothing(code: Code) -> None:
    code.commit({"refund.py": REFUND})
    repository = indexed(code, "one")
    registry.add("two", str(code.folder))
    with pytest.raises(registry.NameTaken):
        registry.change(repository, Change(name="two", en="changed"))
    repository.refresh_from_db()
    assert (repository.name, repository.description_en) == ("one", "")


def test_C2_another_source_is_taken_from_then_on(code: Code, tmp_path: Path) -> None:
    code.commit({"refund.py": REFUND})
    repository = indexed(code)
    elsewhere = Code(tmp_path / "elsewhere")
    elsewhere.commit({"other.py": OTHER})
    registry.change(repository, Change(source=str(elsewhere.folder)))
    assert paths(repository) == ["refund.py"]
    assert index(repository).error == ""
    assert paths(repository) == ["other.py"]


def test_C7_a_removed_repository_leaves_the_index_at_once_and_cited_lines_stay(
    code: Code, reader: User, stranger: User
) -> None:
    code.commit(
        {"refund.py": REFUND, "i18n/zh.json": '{"a": "退款"}', "i18n/en.json": '{"a": "refund"}'}
    )
    repository = indexed(code)
    cited = _cited(repository)
    indexing.queue(repository)
    registry.remove(repository)
    assert not search.search("retry refund", readable=access.readable_ids(reader)).hits
    assert not File.objects.exists()
    assert not Vocabulary.objects.filter(repository=repository).exists()
    assert not IndexRun.objects.filter(status__in=["waiting", "running"]).exists()
    assert list(access.readable(reader)) == []
    assert access.readable_ids(reader) == {repository.pk}
    assert access.readable_ids(stranger) == frozenset()
    make_due()
    indexing.fetch_due()
    assert indexing.due() == []
    assert evidence.check(cited)
    assert evidence.open(cited, context=0).lines
    heads = git.run(mirror.folder(repository), "for-each-ref", "refs/heads")
    assert heads == b""
    again = indexed(code)
    assert (again.name, again.pk != repository.pk) == (repository.name, True)


def test_C7_a_removed_repository_that_nothing_cites_leaves_no_code_on_the_disk(code: Code) -> None:
    code.commit({"refund.py": REFUND})
    repository = indexed(code)
    registry.remove(repository)
    indexing.fetch_due()
    assert not mirror.folder(repository).exists()


def test_C7_a_removed_repository_whose_mirror_is_broken_keeps_no_other_on_the_disk(
    code: Code,
) -> None:
    code.commit({"refund.py": REFUND})
    broken, other = (indexed(code, name) for name in ("broken", "other"))
    for repository in (broken, other):
        registry.remove(repository)
    (mirror.folder(broken) / "HEAD").unlink()
    indexing.fetch_due()
    assert not mirror.folder(other).exists()
    assert not Blob.objects.exists()


def test_a_run_whose_repository_or_branch_is_removed_meanwhile_writes_nothing(code: Code) -> None:
    code.commit({"refund.py": REFUND})
    repository = indexed(code)
    registry.change(repository, Change(branches=["main", "gone"]))
    code.git("branch", "gone")
    code.commit({"later.py": OTHER})

    def remove_a_branch(run: IndexRun) -> None:
        if run.phase == "list":
            Branch.objects.filter(name="gone").delete()

    assert indexing.run(indexing.queue(repository).pk, remove_a_branch) is not None
    assert set(Branch.objects.values_list("name", flat=True)) == {"main"}
    code.commit({"more.py": OTHER})

    def remove_all(run: IndexRun) -> None:
        if run.phase == "list" and not Repository.objects.get().removed_at:
            registry.remove(repository)

    indexing.run(indexing.queue(repository).pk, remove_all)
    assert not File.objects.exists()
    assert IndexRun.objects.order_by("-pk")[0].status == "cancelled"


def test_C2_five_hundred_schedules_do_not_come_due_together(settings: Settings) -> None:
    settings.ENVIRONMENT.fetch_minutes = 10
    rows = Repository.objects.bulk_create(
        [Repository(name=f"r{n}", source="/srv", kind="git_local") for n in range(500)]
    )
    for row in rows:
        schedule.spread(row)
    with transaction.atomic():
        now = Repository.objects.earliest("next_fetch_at").next_fetch_at
    later = [row.next_fetch_at - now for row in Repository.objects.all()]
    minutes = [int(each.total_seconds() // 60) for each in later]
    assert max(minutes.count(minute) for minute in range(11)) < 120
    assert schedule.due().count() <= 5


def test_C2_each_repository_has_its_own_schedule(code: Code) -> None:
    code.commit({"refund.py": REFUND})
    never, often = (indexed(code, name) for name in ("never", "often"))
    registry.change(never, Change(schedule_minutes=0))
    registry.change(often, Change(schedule_minutes=5))
    make_due()
    assert list(schedule.due()) == [often]
    assert (schedule.minutes(never), schedule.minutes(often)) == (0, 5)
    indexing.fetch_due()
    assert list(schedule.due()) == []


def test_a_name_may_be_used_again_but_not_twice_at_once(code: Code) -> None:
    registry.remove(registry.add("shop", str(code.folder)))
    registry.add("shop", str(code.folder))
    with pytest.raises(IntegrityError), transaction.atomic():
        Repository.objects.create(name="shop", source="x", kind="git_local")


def test_the_commands_change_and_remove(code: Code, capsys: pytest.CaptureFixture[str]) -> None:
    code.commit({"refund.py": REFUND})
    code.git("tag", "v1")
    call_command(
        *("add_repository", "shop", str(code.folder), "--branch", "main", "--branch", "v1"),
        *("--description-zh", "网店", "--description", "en=Online shop", "--schedule", "0"),
    )
    call_command(
        *("set_repository", "shop", "--name", "store", "--default-branch", "v1"),
        *("--answers", "company", "--schedule", "15", "--group", "readers"),
    )
    assert "store: " in capsys.readouterr().out
    row = Repository.objects.get()
    assert (row.name, row.description_zh, row.description_en) == ("store", "网店", "Online shop")
    assert (row.default_branch, row.answers, row.schedule_minutes) == ("v1", "company", 15)
    assert set(row.branches.values_list("name", flat=True)) == {"main", "v1"}
    call_command("remove_repository", "store")
    row.refresh_from_db()
    assert row.removed_at is not None


def _cited(repository: Repository) -> evidence.Evidence:
    branch = repository.branches.get(name=repository.default_branch)
    place = evidence.Place(
        repository_id=repository.pk,
        commit=branch.indexed_commit,
        branch=branch.name,
        path="refund.py",
        start_line=4,
        end_line=9,
    )
    return evidence.mint(1, 1, [place])[0]
