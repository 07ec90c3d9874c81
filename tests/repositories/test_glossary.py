"""The glossary holds every word of the vocabulary in both languages, and its words are the code's."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.apps import apps
from django.conf import settings

from kb_agent.repositories.catalogues import HAN
from kb_agent.repositories.structure import roles, skipping
from tapes import entries, forks, store, views

DOCS = Path(settings.BASE_DIR) / "docs"
WORDS = {
    "tape": "纸带",
    "entry": "条目",
    "seq": "序号",
    "kind": "类型",
    "anchor": "锚点",
    "handoff": "交接",
    "fork": "分支",
    "merge": "合并",
    "mark": "标记",
    "view": "视图",
    "topic": "主题",
    "continue": "接续",
    "turn": "一轮",
    "recall": "召回",
    "brain_overload": "脑过载",
    "fact": "事实",
    "evidence": "证据",
    "vocabulary": "业务词汇",
}


def rows() -> dict[str, list[str]]:
    """The glossary's tables: word to the other cells."""
    lines = (DOCS / "glossary.md").read_text("utf-8").splitlines()
    cells = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in lines
        if line.startswith("| ")
    ]
    return {first.strip("`"): rest for first, *rest in cells if first != "word"}


def test_every_word_of_the_vocabulary_stands_in_the_glossary_in_both_languages() -> None:
    assert {word: rest[0] for word, rest in rows().items() if word in WORDS} == WORDS
    for word, (chinese, meaning, explained) in rows().items():
        assert HAN.search(chinese), word
        assert meaning, word
        assert HAN.search(explained), word


@pytest.mark.parametrize("word", ["tape", "entry", "anchor", "fork", "topic", "turn"])
def test_words_that_name_rows_of_tapes_and_topics_are_their_models(word: str) -> None:
    names = {model.__name__.lower() for model in apps.get_models()}
    assert word in names


@pytest.mark.parametrize(
    "word",
    [
        "repository",
        "branch",
        "grant",
        "blob",
        "chunk",
        "symbol",
        "term",
        "scope",
        "evidence",
        "vocabulary",
        "index run",
    ],
)
def test_words_of_code_and_search_are_the_models_of_repositories(word: str) -> None:
    names = {model.__name__.lower() for model in apps.get_app_config("repositories").get_models()}
    assert word.replace(" ", "") in names
    assert word in rows()


def test_words_that_name_acts_are_functions() -> None:
    assert callable(store.handoff)
    assert callable(forks.merge)
    assert views.View.last_anchor()
    assert {"seq", "kind"} <= set(entries.Entry.__dataclass_fields__)


def test_the_document_of_repositories_names_every_reason_and_every_module() -> None:
    text = (DOCS / "repositories.md").read_text("utf-8")
    for reason in skipping.REASONS:
        assert f"`{reason}`" in text, reason
    package = Path(settings.BASE_DIR) / "kb_agent" / "repositories"
    unnamed = {
        "__init__.py",
        "apps.py",
        "models.py",
        "analysis.py",
        "text.py",
        "secrets.py",
        "symbols.py",
        "files.py",
    }
    for module in {path.name for path in package.glob("*.py")} - unnamed:
        assert f"`{module}`" in text, module
    assert set(roles.WEIGHTS) == set(roles.ROLES)
