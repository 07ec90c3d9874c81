"""What language models and embedding models are asked for: one table, with the words people read."""

from __future__ import annotations

from typing import NamedTuple


class Purpose(NamedTuple):
    """A purpose in both languages."""

    zh: str
    en: str


ANSWER = "answer"

PURPOSES = {
    # A step of a turn.
    ANSWER: Purpose("回答", "Answering"),
    # A question's vector, to search code and topics by meaning.
    "search": Purpose("搜索", "Searching"),
    "title": Purpose("标题", "Titles"),
    "summary": Purpose("摘要", "Summaries"),
    "recall": Purpose("召回", "Recall"),
    # The summary of a segment that no longer fits the window.
    "overload": Purpose("脑过载", "Overload"),
    "facts": Purpose("事实", "Facts"),
    # What a repository is about, and the vectors of its code.
    "describe": Purpose("仓库介绍", "Describing"),
    "index": Purpose("索引", "Indexing"),
    "evaluation": Purpose("评测", "Evaluation"),
    "settings_test": Purpose("测试设置", "Testing settings"),
}

_NAMED_BEFORE = {"description": "describe", "indexing": "index"}
"""Names that events of earlier versions hold."""


def known(purpose: str) -> str:
    """A purpose under its name of today; one of a third party keeps its own."""
    return _NAMED_BEFORE.get(purpose, purpose)


def words(purpose: str) -> Purpose:
    """What people read; a third party's purpose is its own word."""
    return PURPOSES.get(purpose, Purpose(purpose, purpose))
