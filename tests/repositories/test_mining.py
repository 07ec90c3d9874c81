"""C5: what code calls its own names in Chinese is mined, with where it was said; the sources lie in `trades/`."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb_agent.repositories import catalogues, search, text, vocabulary
from kb_agent.repositories.catalogues import exchange, mining
from kb_agent.repositories.models import Repository, Vocabulary
from kb_agent.repositories.structure import languages
from tests.repositories.code import Code, index, indexed

FOLDER = Path(__file__).parent / "trades"
FORMS: dict[str, tuple[str, str, str, str]] = {
    "rails": (
        "config/locales/zh-TW.yaml",
        "zh-TW:\n  order:\n    void: 作廢訂單\n",
        "config/locales/en.yaml",
        "en:\n  order:\n    void: Void order\n",
    ),
    "android": (
        "app/res/values-zh-rCN/strings.xml",
        '<resources>\n  <string name="order_void">作废订单</string>\n</resources>\n',
        "app/res/values/strings.xml",
        '<resources>\n  <string name="order_void">Void order</string>\n</resources>\n',
    ),
    "apple": (
        "App/zh-Hans.lproj/Localizable.strings",
        '/* orders */\n"order.void" = "作废订单";\n',
        "App/en.lproj/Localizable.strings",
        '"order.void" = "Void order";\n',
    ),
    "resx": (
        "Resources/Texts.zh-CN.resx",
        '<root><data name="OrderVoid" xml:space="preserve">\n<value>作废订单</value>\n</data></root>\n',
        "Resources/Texts.resx",
        '<root><data name="OrderVoid" xml:space="preserve">\n<value>Void order</value>\n</data></root>\n',
    ),
    "php": (
        "resources/lang/zh_CN/order.php",
        "<?php\n\nreturn [\n    'order' => [\n        'void' => '作废订单',\n    ],\n];\n",
        "resources/lang/en/order.php",
        "<?php\n\nreturn [\n    'order' => [\n        'void' => 'Void order',\n    ],\n];\n",
    ),
    "flutter": (
        "lib/l10n/app_zh.arb",
        '{"orderVoid": "作废订单"}',
        "lib/l10n/app_en.arb",
        '{"orderVoid": "Void order"}',
    ),
    "xliff": (
        "src/locale/messages.zh.xlf",
        "<xliff><file><body><trans-unit id='a'>\n<source>Void order</source>\n<target>作废订单</target>\n</trans-unit></body></file></xliff>\n",
        "README.txt",
        "x\n",
    ),
    "csv": ("i18n/zh_Hans_CN.csv", '"Void order","作废订单"\n', "README.txt", "x\n"),
}


def expected() -> dict[str, list[str]]:
    """What each source says, a pair a line: kind, name, text, line."""
    blocks = (FOLDER / "expected.txt").read_text("utf-8").split("== ")[1:]
    return {name: said for name, *said in (block.splitlines() for block in blocks)}


def sources(repository: Repository) -> dict[str, int]:
    """How many pairs came from where."""
    return {source: repository.mined[source] for source in mining.SOURCES}


@pytest.mark.parametrize("name", expected())
def test_C5_names_are_tied_to_what_labels_enums_and_comments_call_them(name: str) -> None:
    lines = text.lines((FOLDER / name).read_text("utf-8"))
    found = mining.read(lines, languages.language(name))
    assert [f"{each.kind} {each.code} {each.text} {each.line}" for each in found] == expected()[
        name
    ]


@pytest.mark.parametrize(
    "line",
    [
        'raise ValueError("已支付的订单不能取消")',
        'msg = "保存成功"',
        "this.$message({ type: 'success', message: '保存成功' })",
        'log.info("作废订单 {}", orderNo);',
        "weekdays : '星期日_星期一_星期二'.split('_'),",
        "'send': '送信する',",
        "if (status == 1) { // 已支付",
    ],
)
def test_C5_messages_and_remarks_about_no_name_are_left_aside(line: str) -> None:
    assert mining.read([line], "javascript") == []


@pytest.mark.django_db
@pytest.mark.parametrize("form", FORMS)
def test_C5_catalogues_of_other_tools_become_pairs_in_simplified_characters(
    form: str, code: Code
) -> None:
    zh_path, zh, en_path, en = FORMS[form]
    code.commit({zh_path: zh, en_path: en})
    pairs = vocabulary.pairs(indexed(code))["catalogue"]
    assert [(chinese, english.lower()) for chinese, english in pairs] == [
        ("作废订单", "void order")
    ]


@pytest.mark.django_db
def test_C5_pairs_are_kept_by_source_and_counted(code: Code) -> None:
    code.commit(
        {
            "order.py": 'STATES = {\n    "void": "作废",\n}\n\n\ndef settle(order):\n    """结算订单。"""\n',
            "Order.java": '@ApiModelProperty("收货地址")\nprivate String shippingAddress;\n',
            "locales/zh.json": '{"a": "订单"}',
            "locales/en.json": '{"a": "Order"}',
        }
    )
    repository = indexed(code)
    assert sources(repository) == {"catalogue": 1, "label": 1, "enum": 1, "comment": 1}
    rows = Vocabulary.objects.filter(repository=repository, kind__in=mining.SOURCES)
    kinds = dict(rows.values_list("code", "kind"))
    assert (kinds["void"], kinds["settl"], kinds["order"]) == ("enum", "comment", "catalogue")
    assert ("settle", "settl") in set(
        Vocabulary.objects.filter(kind="spelt").values_list("word", "code")
    )
    code.commit({"order.py": None})
    index(repository)
    assert sources(repository) == {"catalogue": 1, "label": 1, "enum": 0, "comment": 0}


@pytest.mark.django_db
@pytest.mark.parametrize("question", ["盘盈数量怎么算", "盤盈數量怎麼算"])
def test_C5_a_name_is_found_by_what_another_file_calls_it_in_either_script(
    question: str, code: Code
) -> None:
    code.commit(
        {
            "schema.sql": "CREATE TABLE t (\n  `surplus_qty` int COMMENT '盘盈数量',\n  `other` int\n);\n",
            "stock.py": "def surplus_qty(rows):\n    return sum(row.counted - row.booked for row in rows)\n",
            "other.py": "def nothing(rows):\n    return rows\n",
        }
    )
    hits = search.search(question, readable=[indexed(code).pk]).hits
    assert "stock.py" in [hit.path for hit in hits]


@pytest.mark.django_db
def test_C5_a_catalogue_in_chinese_alone_teaches_the_words_of_its_keys(code: Code) -> None:
    code.commit({"i18n/messages.properties": "order.writeOff=核销\n"})
    assert vocabulary.pairs(indexed(code))["catalogue"] == [("核销", "writeOff")]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("i18n/messages.properties", r"order.writeOff=\ud83d\ude00\u6838\u9500 \ud83d \u0000"),
        ("locales/zh.json", r'{"order.writeOff": "\ud83d\ude00核销 \ud83d \u0000"}'),
    ],
)
def test_C4_an_escape_of_half_a_character_or_of_none_keeps_nothing_from_the_index(
    code: Code, path: str, said: str
) -> None:
    code.commit({path: said})
    assert vocabulary.pairs(indexed(code))["catalogue"][0][0].startswith("\U0001f600核销 \ufffd")


@pytest.mark.parametrize("broken", ["", "<", "'a' => 'b", '"a" = "', "<trans-unit>", '"', "\x00"])
def test_a_broken_file_of_any_tool_gives_what_could_be_read(broken: str) -> None:
    for form in ("php", "csv", "xliff", "resx", "strings", "xml"):
        assert catalogues.read(broken, form) == []
    assert list(exchange.php("'a' => [\n'b' => 'c',\n")) == [("a.b", "c")]


def test_C5_a_question_is_no_name_and_a_language_calls_nothing() -> None:
    lines = [
        'QUESTION = "退款失败后会自动重试吗？"',
        'zh = "已支付"',
        'RETRIES = "重试次数"',
        'asked = "还能退吗"',
    ]
    assert [(each.code, each.text) for each in mining.read(lines, "python")] == [
        ("RETRIES", "重试次数")
    ]


@pytest.mark.django_db
def test_C5_tests_teach_no_words(code: Code) -> None:
    code.commit(
        {
            "orders.py": 'PAID = "已支付"\n',
            "tests/test_orders.py": 'CONVERSATION = "退款单"\n',
        }
    )
    pairs = vocabulary.pairs(indexed(code))
    assert {pair for some in pairs.values() for pair in some} == {("已支付", "PAID")}
