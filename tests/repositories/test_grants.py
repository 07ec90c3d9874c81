"""C7: a person without a grant finds nothing of a repository, by any function."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.management import CommandError, call_command

from kb_agent.accounts import roles
from kb_agent.repositories import access, search, vocabulary
from kb_agent.repositories.mirror import registry
from kb_agent.repositories.models import Repository
from kb_agent.repositories.search import symbols
from kb_agent.repositories.vocabulary import translating
from kb_agent.usecases import refusals, repositories
from kb_agent.usecases import search as searching
from tests.repositories.code import REFUND, Code, indexed

if TYPE_CHECKING:
    from kb_agent.accounts.models import User

pytestmark = pytest.mark.django_db
CATALOGUES: dict[str, str | bytes | None] = {
    "locale/zh.json": '{"a": "调拨单", "b": "新建调拨单"}',
    "locale/en.json": '{"a": "Blorptransfer", "b": "New blorptransfer"}',
}


@pytest.fixture
def hidden(code: Code) -> Repository:
    """A repository that only `readers` read, with a word of its own."""
    code.commit({"blorptransfer.py": "def blorptransfer(stock):\n    return stock\n", **CATALOGUES})
    return indexed(code, "hidden")


@pytest.fixture
def seen(hidden: Repository, stranger: User) -> Repository:
    """A repository that the stranger reads."""
    other = Code(Path(hidden.source).parent / "seen")
    other.commit({"blorp.py": REFUND, "stock.py": "def stock(item):\n    return item\n"})
    repository = indexed(other, "seen", "strangers")
    stranger.groups.add(repository.grants.get().group)
    return repository


def test_C7_only_members_of_a_granted_group_read_a_repository(
    hidden: Repository, reader: User, stranger: User
) -> None:
    assert access.readable_ids(reader) == {hidden.pk}
    assert access.readable_ids(stranger) == frozenset()
    assert access.readable_ids(AnonymousUser()) == frozenset()
    reader.is_active = False
    assert access.readable_ids(reader) == frozenset()


def test_C10_an_administrator_reads_no_code_by_role_and_an_auditor_all(
    hidden: Repository, stranger: User
) -> None:
    roles.grant(stranger, "administrator", by=None)
    assert access.readable_ids(stranger) == frozenset()
    roles.grant(stranger, "auditor", by=None)
    assert access.readable_ids(stranger) == {hidden.pk}


def test_C7_a_grant_taken_is_gone_at_the_next_question(hidden: Repository, reader: User) -> None:
    assert searching.find(reader, "blorptransfer").hits
    reader.groups.clear()
    assert not searching.find(reader, "blorptransfer").hits


ROUTES: dict[str, Callable[[User, Repository], Any]] = {
    "search": lambda who, _: searching.find(who, "blorptransfer stock").hits,
    "search by id": lambda who, row: (
        search.search(
            "blorptransfer", readable=access.readable_ids(who), repositories=[row.pk]
        ).hits
    ),
    "symbols": lambda who, _: symbols.find("blorptransfer", access.readable_ids(who)).definitions,
    "uses": lambda who, _: symbols.find("stock", access.readable_ids(who)).uses,
    "vocabulary": lambda who, _: translating.translator(["调拨"], access.readable_ids(who)).joint,
    "words": lambda who, _: vocabulary.counted(["调拨"], access.readable_ids(who))[1],
    "page": lambda who, row: [each for each in repositories.page(who).results if each.id == row.pk],
}


@pytest.mark.parametrize("route", ROUTES)
def test_C7_what_one_may_not_read_is_found_by_no_function(
    route: str, hidden: Repository, reader: User, stranger: User
) -> None:
    assert ROUTES[route](reader, hidden)
    assert not ROUTES[route](stranger, hidden)


def test_C7_a_hidden_repository_looks_like_none_at_all(hidden: Repository, stranger: User) -> None:
    for attempt in (
        lambda: repositories.show(stranger, hidden.pk),
        lambda: repositories.show(stranger, 10**9),
        lambda: searching.find(stranger, "stock", repositories=["hidden"]),
        lambda: searching.find(stranger, "stock", repositories=["nothing"]),
    ):
        with pytest.raises(refusals.NotFound, match="repository"):
            attempt()


def test_C7_words_and_figures_of_unreadable_code_move_nothing(
    hidden: Repository, seen: Repository, stranger: User
) -> None:
    question = "新建调拨单 stock refund"
    before = searching.find(stranger, question)
    assert not any("blorptransfer" in tried for tried in before.tried)
    assert {hit.repository for hit in before.hits} == {"seen"}
    Repository.objects.filter(pk=hidden.pk).delete()
    assert searching.find(stranger, question) == before


def test_C7_the_command_line_asks_as_the_person_named(
    hidden: Repository, reader: User, stranger: User, capsys: Any
) -> None:
    call_command("search_code", "blorptransfer", "--as", "reader")
    assert "hidden blorptransfer.py:1-2" in capsys.readouterr().out
    call_command("search_code", "blorptransfer", "--as", "stranger")
    assert "Nothing was found." in capsys.readouterr().out
    with pytest.raises(CommandError):
        call_command("search_code", "x", "--as", "nobody")


def test_a_name_is_given_once_and_a_group_twice_is_once(hidden: Repository) -> None:
    with pytest.raises(registry.NameTaken):
        registry.add("hidden", hidden.source)
    registry.grant(hidden, "readers")
    assert hidden.grants.count() == 1


def test_the_page_of_repositories_costs_the_same_for_many(
    code: Code, reader: User, django_assert_max_num_queries: Any
) -> None:
    code.commit({"a.py": REFUND})
    for number in range(5):
        indexed(code, f"shop{number}")
    with django_assert_max_num_queries(14):
        shown = repositories.page(reader).results
    assert [(each.files, each.chunks, each.status) for each in shown] == [(1, 2, "fresh")] * 5
    assert all(each.run and each.branches for each in shown)
