"""The command line: add a repository, index it, search it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from django.core.management import CommandError, call_command

from kb_agent.repositories.models import Repository
from tests.repositories.code import REFUND, Code

if TYPE_CHECKING:
    from kb_agent.accounts.models import User

pytestmark = pytest.mark.django_db


def test_a_repository_is_added_indexed_and_searched(
    code: Code, reader: User, capsys: pytest.CaptureFixture[str]
) -> None:
    code.commit({"refund.py": REFUND})
    call_command(
        "add_repository", "shop", str(code.folder), "--group", "readers", "--description", "zh=网店"
    )
    assert "read by readers" in capsys.readouterr().out
    call_command("index", "shop")
    assert "shop: done, 1 files, 2 chunks, " in capsys.readouterr().out
    call_command("search_code", "退款失败会重试吗", "--as", "reader", "--json", "--limit", "1")
    found = json.loads(capsys.readouterr().out)
    assert [(hit["path"], hit["start_line"], hit["end_line"]) for hit in found["hits"]] == [
        ("refund.py", 1, 9)
    ]
    assert found["routing"]["repository"] == "shop"
    assert Repository.objects.get().description_zh == "网店"


def test_index_without_names_indexes_all_and_names_what_failed(
    code: Code, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code.commit({"refund.py": REFUND})
    (tmp_path / "empty").mkdir()
    call_command("add_repository", "good", str(code.folder))
    call_command("add_repository", "empty", str(tmp_path / "empty"))
    with pytest.raises(CommandError, match="empty: The folder holds no file"):
        call_command("index")
    assert "good: done" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["add_repository", "x", "--", "--upload-pack=id"], "dash"),
        (["add_repository", "x", "ext::id"], "helper"),
        (["add_repository", "x", "https://a:b@example.com/r"], "Credentials"),
        (["add_repository", "a/b", "."], "name"),
        (["add_repository", "x", ".", "--description", "fr=rien"], "zh="),
        (["index", "nothing"], "no repository named nothing"),
        (["search_code", "  "], "empty"),
        (["search_code", "x", "--limit", "0"], "limit"),
        (["search_code", "x", "--repository", "nothing"], "repository"),
    ],
)
def test_bad_input_is_refused_in_a_clear_sentence(arguments: list[str], word: str) -> None:
    with pytest.raises(CommandError, match=word):
        call_command(*arguments)
    assert not Repository.objects.exists()
