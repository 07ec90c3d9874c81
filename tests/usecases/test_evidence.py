"""Evidence as people see it: valid at its commit, changed since, gone, and never beyond a grant."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest
from django.contrib.auth.models import Group

from kb_agent.repositories import evidence as places
from kb_agent.repositories import indexing, mirror
from kb_agent.repositories.mirror import fetching
from kb_agent.usecases import evidence, refusals
from tests.agent import shops
from tests.api import company

if TYPE_CHECKING:
    from pathlib import Path

    from kb_agent.accounts.models import User
    from kb_agent.repositories.models import Evidence, Repository

pytestmark = pytest.mark.usefixtures("committed_database")

FILE = "refunds/retry.py"
TEXT = 'MAX_ATTEMPTS = 3\npassword = "hunter2hunter2"\n\n\ndef retry():\n    return MAX_ATTEMPTS\n'


@pytest.fixture
def shop(committed_database: None, tmp_path: Path) -> Repository:
    """A repository with one file, read by `product`."""
    group = Group.objects.create(name="product")
    return shops.indexed("shop", {FILE: TEXT}, group=group, place=tmp_path / "shop")


@pytest.fixture
def mei(shop: Repository) -> User:
    """Who may read it and has asked about it."""
    return company.person("mei", Group.objects.get(name="product"))


@pytest.fixture
def cited(shop: Repository, mei: User) -> Evidence:
    """Its function, as an answer cites it."""
    turn = company.asked(company.opened(mei), "Is it retried?")
    branch = shop.branches.get()
    place = places.Place(
        repository_id=shop.pk,
        commit=branch.indexed_commit,
        branch=branch.name,
        path=FILE,
        start_line=5,
        end_line=6,
    )
    return places.mint(turn.topic_id, turn.pk, [place])[0]


def moved(shop: Repository, folder: Path, text: str) -> None:
    """Commit another text, fetch and index it."""
    (folder / FILE).write_text(text)
    subprocess.run(
        ["git", *shops.IDENTITY, "commit", "-q", "-a", "-m", "Another."], cwd=folder, check=True
    )
    fetching.fetch(shop)
    indexing.run(indexing.queue(shop).pk)


def test_A5_evidence_is_valid_at_its_commit_and_says_when_it_was_made(
    mei: User, cited: Evidence, shop: Repository
) -> None:
    (state,) = evidence.states(mei, [cited.pk])
    assert (state.valid, state.changed_since, state.missing) == (True, False, False)
    assert state.committed_at is not None
    assert state.indexed_at == shop.runs.get().ended_at


def test_A5_a_branch_that_moved_leaves_the_cited_lines_as_they_were_and_says_so(
    mei: User, cited: Evidence, shop: Repository, tmp_path: Path
) -> None:
    before = evidence.states(mei, [cited.pk])[0]
    moved(shop, tmp_path / "shop", TEXT.replace("return MAX_ATTEMPTS", "return 5"))
    opened = evidence.open(mei, cited.pk, context=0)
    assert (opened.valid, opened.changed_since) == (True, True)
    assert [line.text for line in opened.lines] == ["def retry():", "    return MAX_ATTEMPTS"]
    assert (opened.committed_at, opened.indexed_at) == (before.committed_at, before.indexed_at)


def test_A5_lines_that_only_moved_have_not_changed(
    mei: User, cited: Evidence, shop: Repository, tmp_path: Path
) -> None:
    moved(shop, tmp_path / "shop", "# A new first line.\n" + TEXT)
    assert not evidence.states(mei, [cited.pk])[0].changed_since


def test_evidence_whose_mirror_is_gone_is_missing_and_opens_without_lines(
    mei: User, cited: Evidence, shop: Repository
) -> None:
    shutil.rmtree(mirror.folder(shop))
    opened = evidence.open(mei, cited.pk)
    assert (opened.valid, opened.changed_since, opened.missing) == (False, False, True)
    assert (opened.lines, opened.committed_at) == ([], None)


def test_C8_secrets_near_cited_lines_are_masked_and_lines_keep_their_numbers(
    mei: User, cited: Evidence
) -> None:
    opened = evidence.open(mei, cited.pk, context=4)
    assert [line.number for line in opened.lines] == [1, 2, 3, 4, 5, 6]
    assert "hunter2" not in opened.lines[1].text
    assert opened.lines[1].text.startswith("password")


def test_C7_evidence_is_seen_by_who_sees_the_topic_and_reads_the_code(
    mei: User, cited: Evidence
) -> None:
    colleague = company.person("li", *mei.groups.all())
    assert evidence.states(colleague, [cited.pk]) == []
    mei.groups.clear()
    with pytest.raises(refusals.NotFound):
        evidence.open(mei, cited.pk)
