"""Rewords a question by rule: what is only said to ask is left out, what is asked about stays."""

from __future__ import annotations

import re

_CJK = re.compile(r"[\u3400-\u9fff]")
# Only whole asking words and particles: a single 会, 用 or 后 may belong to 会员, 用户, 后台.
_CHINESE_ASKING = re.compile(
    r"请问|是不是|会不会|能不能|可不可以|有没有|要不要|什么时候|什么情况下|为什么|怎么样|怎么|怎样|如何"
    r"|什么|哪里|哪些|哪个|哪儿|多少次|多少|多久|多长|几次|几个|是否|可以|能够|应该|如果|的话|的时候|时候|之后"
    r"|我们|系统里|系统|请|吗|呢|吧|啊|的|了"
)
_ENGLISH_ASKING = frozenset(
    [
        "a",
        "an",
        "the",
        "is",
        "are",
        "was",
        "were",
        "be",
        "been",
        "do",
        "does",
        "did",
        "can",
        "could",
        "may",
        "might",
        "must",
        "shall",
        "should",
        "will",
        "would",
        "what",
        "when",
        "where",
        "which",
        "who",
        "whom",
        "whose",
        "why",
        "how",
        "it",
        "its",
        "this",
        "that",
        "these",
        "those",
        "there",
        "here",
        "of",
        "in",
        "on",
        "at",
        "by",
        "for",
        "from",
        "to",
        "into",
        "with",
        "without",
        "about",
        "as",
        "and",
        "or",
        "but",
        "if",
        "then",
        "than",
        "so",
        "not",
        "no",
        "our",
        "we",
        "us",
        "you",
        "your",
        "they",
        "them",
        "their",
        "i",
        "me",
        "my",
        "he",
        "she",
        "his",
        "her",
        "has",
        "have",
        "had",
        "still",
        "ever",
        "any",
        "some",
        "all",
        "each",
        "every",
        "please",
        "tell",
        "explain",
        "show",
        "happens",
        "happen",
        "system",
        "code",
        "get",
        "gets",
        "got",
        "many",
        "much",
        "long",
        "often",
        "after",
        "before",
        "during",
        "while",
        "also",
        "only",
        "just",
    ]
)
_HOW_MUCH = re.compile(
    r"多少|多久|多长|几[次个天张件]|最多|最少|什么时候|\bhow (many|much|long|often)\b|\buntil when\b|\bwhen\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_.-]*|\d+|[\u3400-\u9fff]+")


def asks_how_much(question: str) -> bool:
    """True for a question about a number, an amount or a time."""
    return bool(_HOW_MUCH.search(question))


def language(text: str) -> str:
    """`zh` when Chinese is written in it, else `en`."""
    return "zh" if _CJK.search(text) else "en"


def keywords(question: str) -> list[str]:
    """The words of a question that say what it is about, in order, each once."""
    found: dict[str, None] = {}
    for word in _WORD.findall(question):
        if _CJK.match(word):
            parts = _CHINESE_ASKING.split(word)
            found.update(dict.fromkeys(part for part in parts if len(part) > 1))
        elif word.lower() not in _ENGLISH_ASKING:
            found[word] = None
    return list(found)


def reworded(question: str, earlier: str = "") -> str:
    """A second way to search: a follow-up with the question before it, else the keywords.

    Empty when there is nothing new to try.
    """
    words = keywords(question)
    if earlier:
        words = keywords(earlier) + [word for word in words if word not in keywords(earlier)]
    query = " ".join(words)[:300]
    return "" if query == question.strip() else query
