"""C5: why a word stands for a code's word is told by the repository's own texts, with path and line."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from kb_agent.repositories.vocabulary import explaining
from tests.repositories.code import Code, indexed
from tests.repositories.test_vocabulary import FORMS

if TYPE_CHECKING:
    from kb_agent.repositories.models import Repository

pytestmark = pytest.mark.django_db


def places(word: str, code: str, *repositories: Repository) -> list[tuple[str, str, int]]:
    """(kind, path, line) of every example."""
    found = explaining.why(word, code, [row.pk for row in repositories])
    return [(each.kind, each.path, each.line) for each in found]


def line_of(text: str, word: str) -> int:
    """The line of a text that holds the word."""
    return next(n for n, line in enumerate(text.splitlines(), 1) if word in line)


@pytest.mark.parametrize("form", sorted(FORMS.keys() - {"properties"}))
def test_C5_a_catalogue_entry_is_shown_with_its_line_and_both_texts(form: str, code: Code) -> None:
    zh_path, zh, en_path, en = FORMS[form]
    commit = code.commit({zh_path: f"{zh}", en_path: en})
    (example,) = explaining.why("订单", "order", [indexed(code).pk])
    assert (example.kind, example.path, example.commit) == ("catalogue", zh_path, commit)
    assert example.line == line_of(zh, "订单")
    assert (example.text, example.translation.lower()) == ("作废订单", "void order")


def test_C5_escaped_characters_and_traditional_ones_are_found_too(code: Code) -> None:
    zh_path, zh, en_path, en = FORMS["properties"]
    code.commit(
        {
            zh_path: f"# top\n{zh}",
            en_path: en,
            "locales/zh-TW.json": '{\n  "a": "作廢訂單"\n}',
            "locales/en.json": '{"a": "Void order"}',
        }
    )
    shop = indexed(code)
    assert sorted(places("訂單", "orders", shop)) == [
        ("catalogue", zh_path, 2),
        ("catalogue", "locales/zh-TW.json", 2),
    ]


def test_C5_the_entry_of_the_right_key_is_shown_where_a_text_stands_twice(code: Code) -> None:
    code.commit(
        {
            "locales/zh.json": '{\n  "a": "单",\n  "b": "单据",\n  "c": "单据"\n}',
            "locales/en.json": '{"a": "Bill", "b": "Form", "c": "Slip"}',
        }
    )
    assert places("单据", "slip", indexed(code)) == [("catalogue", "locales/zh.json", 4)]


def test_C5_a_key_speaks_where_no_english_file_does(code: Code) -> None:
    code.commit({"locales/zh.json": '{\n  "order.voidOrder": "作废订单"\n}'})
    assert places("订单", "order", indexed(code)) == [("catalogue", "locales/zh.json", 2)]


def test_C5_labels_enums_and_comments_of_code_are_shown(code: Code) -> None:
    source = (
        "class Refund:\n"
        "    class Status:\n"
        '        APPROVED = "approved", "已批准"\n'
        "\n"
        '    zwiebel = Field(verbose_name="调拨单")\n'
    )
    code.commit({"models.py": source})
    shop = indexed(code)
    assert ("label", "models.py", 5) in places("调拨", "zwiebel", shop)
    assert [kind for kind, _, line in places("批准", "approved", shop) if line == 3] == ["enum"]


def test_C7_only_the_repositories_asked_about_speak(code: Code, tmp_path: Path) -> None:
    zh_path, zh, en_path, en = FORMS["json"]
    code.commit({zh_path: zh, en_path: en})
    indexed(code)
    other = Code(tmp_path / "other")
    other.commit({"a.py": "x = 1\n"})
    assert places("订单", "order", indexed(other, "other")) == []


def test_C8_a_secret_in_a_text_is_masked(code: Code) -> None:
    key = "ghp_" + "a1B2" * 9
    code.commit(
        {
            "locales/zh.json": f'{{"a": "订单 {key}", "b": "订单"}}',
            "locales/en.json": f'{{"a": "Order {key}", "b": "Order"}}',
        }
    )
    found = explaining.why("订单", "order", [indexed(code).pk])
    assert found
    assert key not in str(found)


def test_C5_at_most_twenty_and_a_few_of_each_file(code: Code) -> None:
    files: dict[str, str | bytes | None] = {}
    for number in range(8):
        lines = ",\n".join(f'"k{n}": "订单{n}"' for n in range(30))
        files[f"m{number}/locales/zh.json"] = f"{{{lines}}}"
        files[f"m{number}/locales/en.json"] = lines.replace("订单", "Order ").join("{}")
    code.commit(files)
    found = places("订单", "order", indexed(code))
    assert len(found) == explaining.MOST
    assert len({path for _, path, _ in found}) == explaining.MOST // explaining.MOST_OF_FILE


@pytest.mark.parametrize(("word", "code"), [("", "order"), ("订单", ""), ("没有", "nothing")])
def test_C5_a_pair_that_nobody_says_has_no_examples(word: str, code: str) -> None:
    assert explaining.why(word, code, [1]) == []
