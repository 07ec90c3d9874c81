"""Tells which words of a question only name the system it is about: "our wallet service", "记账系统里".

They say which repository is meant, and stand all over its code, so they say little about where in it to look.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from kb_agent.repositories import terms
from kb_agent.repositories.vocabulary import questions

if TYPE_CHECKING:
    from kb_agent.repositories.vocabulary.questions import Concept

# So many words before "system" may name it.
LONGEST = 3
ENGLISH = frozenset(
    [
        *("app", "application", "erp", "library", "module", "platform", "portal", "program"),
        *("service", "shop", "site", "software", "store", "suite", "system", "tool", "website"),
    ]
)
# A name of a kind of system that needs no article.
ALONE = frozenset(["erp"])
ARTICLES = frozenset(["a", "an", "its", "my", "our", "the", "this", "your"])
CHINESE = ("系统", "平台", "软件", "服务", "应用", "程序", "网站", "网店", "商城")
_WORD = re.compile(r"[A-Za-z][A-Za-z-]*|[^\sA-Za-z]")


def words(question: str, concepts: Sequence[Concept]) -> frozenset[str]:
    """Those concepts of the question, by what they stand for in it, that name a system."""
    asked = terms.fold(question[: questions.LONGEST])
    stems = {terms.stem(part) for part in _english(asked)}
    chinese = set(_chinese(asked, concepts))
    return frozenset(each.query for each in concepts if _named(each, stems, chinese))


def _named(concept: Concept, stems: set[str], chinese: set[str]) -> bool:
    if concept.chinese:
        return concept.query in chinese
    return {terms.stem(part) for part in re.findall(r"[a-z0-9]+", concept.query.lower())} <= stems


def _english(question: str) -> Iterator[str]:
    """The words between an article and what says that a system is meant, with the latter."""
    found = [word.lower() for word in _WORD.findall(question)]
    for end, word in enumerate(found):
        if word in ALONE:
            yield word
        elif word in ENGLISH:
            start = max(end - LONGEST - 1, 0)
            article = next((n for n in range(end - 1, start - 1, -1) if found[n] in ARTICLES), None)
            if article is not None and all(each[0].isalpha() for each in found[article:end]):
                for each in found[article + 1 : end + 1]:
                    yield from each.split("-")


def _chinese(question: str, concepts: Sequence[Concept]) -> Iterator[str]:
    """The words that stand right before one that says that a system is meant, with the latter."""
    known = sorted({each.query for each in concepts if each.chinese and len(each.query) > 1})
    for kind in CHINESE:
        for match in re.finditer(kind, question):
            yield kind
            end = match.start()
            for _ in range(LONGEST):
                before = [word for word in known if question.endswith(word, 0, end)]
                if not before:
                    break
                word = max(before, key=len)
                yield word
                end -= len(word)
