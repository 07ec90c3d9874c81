"""C5: business words in Chinese are tied to the code's words by the repositories' own texts."""

from __future__ import annotations

import pytest

from kb_agent.repositories import catalogues, search, vocabulary
from kb_agent.repositories.models import Vocabulary
from kb_agent.repositories.vocabulary import alignment, dictionary
from tests.repositories.code import Code, index, indexed

FORMS: dict[str, tuple[str, str, str, str]] = {
    "json": (
        "web/locales/zh-CN.json",
        '{"order": {"void": "作废订单"}}',
        "web/locales/en.json",
        '{"order": {"void": "Void order"}}',
    ),
    "properties": (
        "i18n/messages_zh_CN.properties",
        "order.void=\\u4f5c\\u5e9f\\u8ba2\\u5355\n",
        "i18n/messages.properties",
        "order.void=Void order\n",
    ),
    "yml": (
        "config/locales/zh.yml",
        "zh:\n  order:\n    void: 作废订单\n",
        "config/locales/en.yml",
        "en:\n  order:\n    void: Void order\n",
    ),
    "ts": (
        "src/i18n/zh.ts",
        "export default {\n  order: {\n    void: '作废订单',\n  },\n}\n",
        "src/i18n/en.ts",
        "export default {\n  order: {\n    void: 'Void order',\n  },\n}\n",
    ),
    "po": (
        "locale/zh_Hans/LC_MESSAGES/django.po",
        'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n\nmsgid "Void order"\nmsgstr "作废订单"\n',
        "README.txt",
        "x\n",
    ),
    "table": (
        "docs/glossary.md",
        "| word | 中文 |\n|---|---|\n| void order | 作废订单 |\n",
        "README.txt",
        "x\n",
    ),
}


@pytest.mark.django_db
@pytest.mark.parametrize("form", FORMS)
def test_C5_key_aligned_texts_of_every_common_form_become_pairs(form: str, code: Code) -> None:
    zh_path, zh, en_path, en = FORMS[form]
    code.commit({zh_path: zh, en_path: en})
    pairs = vocabulary.pairs(indexed(code))["catalogue"]
    assert [(chinese, english.lower()) for chinese, english in pairs] == [
        ("作废订单", "void order")
    ]


@pytest.mark.django_db
def test_C5_a_chinese_question_finds_english_code_by_the_repositorys_own_words(code: Code) -> None:
    code.commit(
        {
            "zwiebel.py": "def make_zwiebel(amount):\n    return amount\n",
            "other.py": "def make_other(amount):\n    return amount\n",
            "locales/zh.json": '{"a": "调拨单", "b": "新建调拨单", "c": "新建"}',
            "locales/en.json": '{"a": "Zwiebel", "b": "Make zwiebel", "c": "Make"}',
        }
    )
    repository = indexed(code)
    found = search.search("调拨单怎么新建", readable=[repository.pk])
    assert found.hits[0].path == "zwiebel.py"
    assert ("vocabulary", "调拨", "zwiebel") in {
        (why.kind, why.query, why.code) for why in found.hits[0].why
    }
    code.commit({"locales/zh.json": None})
    index(repository)
    assert not Vocabulary.objects.filter(repository=repository).exists()


@pytest.mark.django_db
def test_C5_chinese_comments_are_found_by_their_words(code: Code) -> None:
    code.commit(
        {
            "a.py": "def f(x):\n    # 结余转入下一年度\n    return x\n",
            "b.py": "def g(x):\n    return x\n",
        }
    )
    assert search.search("结余怎么转入下一年", readable=[indexed(code).pk]).hits[0].path == "a.py"


def test_C5_alignment_learns_a_word_that_never_stands_alone() -> None:
    pairs = [
        (["发票", "编号"], ["invoic", "number"]),
        (["取消", "发票"], ["cancel", "invoic"]),
        (["订单", "编号"], ["order", "number"]),
        (["取消", "订单"], ["cancel", "order"]),
    ]
    best: dict[str, tuple[float, str]] = {}
    for (word, stem), count in alignment.align(pairs).joint.items():
        best[word] = max(best.get(word, (0.0, "")), (count, stem))
    assert {word: best[word][1] for word in ("发票", "订单", "编号", "取消")} == {
        "发票": "invoic",
        "订单": "order",
        "编号": "number",
        "取消": "cancel",
    }


def test_C5_no_pairs_give_no_words() -> None:
    assert alignment.align([]).joint == {}
    assert alignment.align([([], ["the"])]).joint == {}


@pytest.mark.parametrize("form", ["json", "po", "yaml", "properties", "script"])
@pytest.mark.parametrize(
    "broken", ["", "{", "\x00", "[[[[", 'msgid "a\n', "a: b: c:\n - x", "/etc/passwd"]
)
def test_a_broken_catalogue_gives_what_could_be_read(form: str, broken: str) -> None:
    assert all(len(text) < 100 for _, text in catalogues.read(broken, form))


def test_C1_a_catalogue_that_names_a_file_of_the_machine_is_not_opened() -> None:
    assert catalogues.read("/etc/passwd", "po") == []


def test_the_built_in_words_are_chinese_to_english() -> None:
    words = dictionary.built_in()
    assert len(words) > 400
    assert words["退款"] == ("refund",)
    assert all(catalogues.HAN.search(word) and codes for word, codes in words.items())
