"""A repository that nobody described gets a draft from its own words, in the languages in which it speaks."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from kb_agent.llm import endpoints, script
from kb_agent.llm.scripted import MODEL, ScriptedServer
from kb_agent.repositories import search
from kb_agent.repositories.catalogues import introducing
from kb_agent.repositories.mirror import registry
from kb_agent.repositories.models import Repository
from kb_agent.repositories.vocabulary import describing
from kb_agent.repositories.vocabulary.describing import PROMPT, Draft, Heard
from tapes import store, views
from tapes.views import View
from tests.repositories.code import Code, index, indexed

README = """# Till

[![build](https://ci.example.com/b.svg)](https://ci.example.com)

The till counts coins in **every** [branch](https://example.com). It is old.

- fast
"""


@pytest.mark.parametrize(
    ("path", "text", "said"),
    [
        ("pyproject.toml", '[project]\nname = "x"\ndescription = "Counts coins in tills."\n', "Counts coins in tills."),
        ("pyproject.toml", '[tool.poetry]\ndescription = "Counts coins in tills"\n', "Counts coins in tills"),
        ("pyproject.toml", "[project\n", ""),
        ("setup.cfg", "[metadata]\ndescription = Counts coins in tills\n", "Counts coins in tills"),
        ("setup.cfg", "description\n", ""),
        ("setup.py", "setup(name='x', description='Counts coins in tills')\n", "Counts coins in tills"),
        ("package.json", '{"description": "Counts coins in tills"}', "Counts coins in tills"),
        ("package.json", "[]", ""),
        ("package.json", r'{"description": "Counts \ud83d coins\u0000"}', "Counts \ufffd coins\ufffd"),
        ("web/package.json", '{"description": "A Vite project for coins"}', ""),
        ("composer.json", '{"description": 3}', ""),
        ("Cargo.toml", '[package]\ndescription = "Counts coins in tills"\n', "Counts coins in tills"),
        ("pom.xml", "<project><description>\n Counts coins\n in tills </description></project>", "Counts coins in tills"),
        ("build.gradle", "group = 'x'\ndescription = 'Counts coins in tills'\n", "Counts coins in tills"),
        ("__manifest__.py", "# x\n{'name': 'Till', 'summary': '钱箱清点与对账'}", "钱箱清点与对账"),
        ("__manifest__.py", "{'name': open('/etc/passwd')}", ""),
        ("METADATA", "Name: till\nSummary: Counts coins in tills\n\nText", "Counts coins in tills"),
        ("till.gemspec", 's.summary = "Counts coins in tills"', "Counts coins in tills"),
        ("Till.csproj", "<Description>Counts coins in tills</Description>", "Counts coins in tills"),
        ("README.md", README, "The till counts coins in every branch."),
        ("README.rst", "Till\n====\n\n.. image:: x.png\n\nThe till counts coins.\n", "The till counts coins."),
        ("README.zh-CN.md", "# 钱箱\n\n门店钱箱清点与对账系统。支持多币种。\n", "门店钱箱清点与对账系统。"),
        ("README.md", "# Till\n\n## Install\n\n```\npip install till and more words here.\n```\n", ""),
        ("README.md", "# Till\n\nTODO: add a description here.\n", ""),
        ("main.py", "description = 'Counts coins in tills'", ""),
    ],
)  # fmt: skip
def test_a_file_says_what_the_repository_is_or_nothing(path: str, text: str, said: str) -> None:
    assert introducing.of_file(path, text) == said


@pytest.mark.parametrize(
    ("path", "speaks"),
    [
        ("README.md", True),
        ("docs/readme.zh-cn.md", True),
        ("web/package.json", True),
        ("a/b/README.md", False),
        ("main.py", False),
        ("READMEs.py", False),
    ],
)
def test_only_files_near_the_root_speak_for_all(path: str, speaks: bool) -> None:  # noqa: FBT001
    assert introducing.speaks(path) is speaks


@pytest.mark.django_db
def test_a_first_indexing_drafts_what_each_language_says(code: Code) -> None:
    code.commit({"README.md": README, "README.zh-CN.md": "# 钱箱\n\n门店钱箱清点与对账系统。\n"})
    repository = indexed(code)
    assert repository.description_drafted
    assert repository.description_en == "The till counts coins in every branch."
    assert repository.description_zh == "门店钱箱清点与对账系统。"


@pytest.mark.django_db
def test_a_given_description_is_left_alone_and_an_edited_one_is_no_draft(code: Code) -> None:
    code.commit({"README.md": README})
    given = registry.add("till", str(code.folder), about=registry.About(zh="钱箱"))
    index(given)
    assert (given.description_zh, given.description_en, given.description_drafted) == (
        "钱箱",
        "",
        False,
    )
    drafted = indexed(code, "other")
    registry.change(drafted, registry.Change(en="Ours."))
    drafted.refresh_from_db()
    index(drafted)
    assert (drafted.description_en, drafted.description_drafted) == ("Ours.", False)


@pytest.mark.django_db
def test_a_repository_that_says_nothing_gets_no_draft(code: Code) -> None:
    code.commit({"a.py": "def f(x):\n    return x\n"})
    repository = indexed(code)
    assert (repository.description_zh, repository.description_en) == ("", "")
    assert not repository.description_drafted


@pytest.mark.django_db
def test_where_no_text_says_it_the_commonest_business_words_of_its_screens_do(code: Code) -> None:
    zh = (
        '{"a": "订单", "b": "取消订单", "c": "订单发票", "d": "发票退款", "e": "保存", "f": "保存"}'
    )
    en = '{"a": "Order", "b": "Cancel order", "c": "Order invoice", "d": "Refund", "e": "S", "f": "S"}'
    code.commit({"locales/zh.json": zh, "locales/en.json": en})
    repository = indexed(code)
    assert repository.description_zh.startswith("订单、发票")
    assert "保存" not in repository.description_zh
    assert repository.description_en.startswith("order, invoice")


def test_a_packages_own_description_goes_before_a_readmes() -> None:
    heard = Heard([("README.md", "A readme sentence."), ("setup.cfg", "A package line")], [], [])
    assert describing.by_rule(heard) == Draft(en="A package line")


@pytest.mark.parametrize(
    ("answer", "draft"),
    [
        ('{"zh": "门店钱箱清点", "en": "Counting tills"}', Draft("门店钱箱清点", "Counting tills")),
        ('```json\n{"zh": "", "en": "Counting tills"}\n```', Draft("", "Counting tills")),
        ('{"zh": "Counting tills", "en": "门店钱箱清点"}', Draft()),
        ('{"zh": 3, "en": ["x"]}', Draft()),
        ("I would say it counts coins.", Draft()),
        ("[" * 100_000, Draft()),
    ],
)
def test_a_models_answer_is_taken_only_as_asked(answer: str, draft: Draft) -> None:
    assert describing.read(answer) == draft


@pytest.fixture
def model(db: None) -> Iterator[ScriptedServer]:
    """A language model that is set up."""
    server = ScriptedServer([])
    with server.running():
        endpoints.add("scripted", base_url=server.url, model=MODEL)
        yield server


def test_P11_a_model_words_the_draft_and_the_call_stands_on_the_tape_of_indexing(
    model: ScriptedServer, code: Code
) -> None:
    model.add_beside(PROMPT, script.says('{"zh": "门店钱箱清点", "en": "Counting tills"}'))
    key = "ghp_" + "a1B2" * 9
    code.commit({"README.md": f"{README}\ntoken: {key}\n"})
    repository = indexed(code)
    assert (repository.description_zh, repository.description_en) == (
        "门店钱箱清点",
        "Counting tills",
    )
    assert repository.description_drafted
    (request,) = model.asked_beside
    assert "The till counts coins" in str(request)
    assert key not in str(request)
    tape = store.by_name("system/indexing")
    entries = views.read(tape.pk, View.seqs(1, None))
    (started,) = [
        e for e in entries if e.kind == "event" and e.payload["name"] == "model_call_started"
    ]
    (ended,) = [e for e in entries if e.kind == "event" and e.payload["name"] == "model_call_ended"]
    assert (started.payload["data"]["purpose"], started.payload["data"]["payer"]) == (
        "describe",
        "company",
    )
    assert (ended.payload["data"]["status"], ended.payload["data"]["call"]) == (
        "ok",
        started.payload["data"]["call"],
    )
    assert list(started.sources) == [repository.pk]
    kept = store.unspill(started.payload["data"]["messages"])
    assert json.loads(kept) == request["messages"]


def test_a_model_that_fails_leaves_the_draft_to_the_rule(model: ScriptedServer, code: Code) -> None:
    model.add_beside(PROMPT, script.refuses(401, "no"))
    code.commit({"README.md": README})
    assert indexed(code).description_en == "The till counts coins in every branch."
    assert Repository.objects.get().description_drafted


@pytest.mark.django_db
def test_a_draft_moves_no_ranking_until_someone_stands_by_it(code: Code) -> None:
    code.commit({"README.md": README, "a.py": "def count(coins):\n    return coins\n"})
    repository = indexed(code)
    drafted = search.search("Which branch counts coins?", readable=[repository.pk])
    Repository.objects.update(description_en="", description_zh="")
    assert search.search("Which branch counts coins?", readable=[repository.pk]) == drafted
