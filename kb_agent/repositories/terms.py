"""Cuts text into the terms that the index keeps: split identifiers, stems, Chinese bigrams, pairs of neighbours."""

from __future__ import annotations

import re
import threading
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from importlib import resources
from itertools import pairwise
from pathlib import Path

import opencc
import snowballstemmer

LONGEST = 40
LONGEST_OF_PAIR = 30
HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002ffff"
TOKEN = re.compile(rf"[A-Za-z_][A-Za-z0-9_]*|[0-9]+(?![A-Za-z0-9])|[{HAN}]+")
HAN_RUN = re.compile(rf"[{HAN}]+")
PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
WORD = re.compile(r"[A-Za-z]+")
EMAIL = re.compile(r"\b[Ee]-mail")
# Endings of a looser stem than Snowball's, on stems: payment ~ pay, registration ~ register, expiry ~ expire.
ENDING = re.compile(r"(?:ations?|ments?|ions?|ers?|ors?|ees?|als?|ants?|at|eri|ri|i|e|r|t)$")
# A stemmer keeps the word it works on, so each thread has its own.
_own = threading.local()


def count(text: str) -> Counter[str]:
    """How often each term stands in `text`."""
    return of_tokens(TOKEN.findall(text))


def of_tokens(tokens: Iterable[str]) -> Counter[str]:
    """How often each term stands in these tokens."""
    found: Counter[str] = Counter()
    for token, times in Counter(tokens).items():
        for term in expand(token):
            found[term] += times
    return found


@lru_cache(maxsize=400_000)
def expand(token: str) -> tuple[str, ...]:
    """The terms of one token: bigrams of a Chinese run; else its stemmed parts and, when compound, the whole."""
    if token[0] > "\u2fff":
        return tuple(bigrams(fold(token)))
    if token[0].isdigit():
        return (token,) if 1 < len(token) <= 5 else ()
    if len(token) > LONGEST * 2:
        return ()
    stems = parts(token)
    return (*stems, whole(token)) if len(PART.findall(token)) > 1 else stems


@lru_cache(maxsize=400_000)
def parts(identifier: str) -> tuple[str, ...]:
    """Stems of an identifier's parts that say something: canCancelOrder, can_cancel_order -> cancel, order."""
    stems = (stem(part.lower()) for part in PART.findall(identifier) if 1 < len(part) <= LONGEST)
    return tuple(each for each in stems if len(each) > 1 and each not in stop_stems())


def whole(identifier: str) -> str:
    """The term that stands for a compound identifier as one, whatever its style: expireOrders, expire_orders."""
    return "=" + identifier.replace("_", "").lower()[:76]


@lru_cache(maxsize=200_000)
def stem(word: str) -> str:
    """The stem of a lower-case English word (Snowball), irregular verbs brought to their base: sold, sells -> sell."""
    if not hasattr(_own, "stemmer"):
        _own.stemmer = snowballstemmer.stemmer("english")
    word = irregular().get(word, word)
    return str(_own.stemmer.stemWord(word)) if len(word) < 24 and not word.isdigit() else word


@lru_cache(maxsize=200_000)
def root(stemmed: str) -> str:
    """A looser stem, by which words of one family are found: payment and pay, registration and register."""
    if stemmed.endswith("script"):
        stemmed = stemmed[:-2] + "b"
    if len(stemmed) < 5 or not stemmed.isascii():
        return stemmed
    ending = ENDING.search(stemmed)
    if ending and ending.start() >= (3 if len(ending[0]) >= 4 else 4):
        return stemmed[: ending.start()]
    return stemmed


def family(term: str) -> str | None:
    """The root of a term that is one English word; None for pairs, whole identifiers, numbers and Chinese."""
    return root(term) if len(term) >= 3 and term.isascii() and term.isalpha() else None


def neighbours(stems: Iterable[str]) -> list[str]:
    """Pair terms of English words that stand side by side: "gift card"."""
    kept = [each for each in stems if each.isascii() and len(each) <= LONGEST_OF_PAIR]
    return [f"{first} {second}" for first, second in pairwise(kept)]


@lru_cache(maxsize=400_000)
def pairs_of_name(identifier: str) -> tuple[str, ...]:
    """Pair terms of an identifier's parts."""
    return tuple(neighbours(parts(identifier)))


def pairs_of_text(text: str) -> list[str]:
    """Pair terms of a text's English words."""
    return neighbours(each for word in WORD.findall(text) for each in parts(word))


def bigrams(run: str) -> Iterator[str]:
    """Overlapping pairs of a run of Chinese characters; the character itself when it stands alone."""
    if len(run) == 1:
        yield run
    for index in range(len(run) - 1):
        yield run[index : index + 2]


def fold(text: str) -> str:
    """Traditional characters as simplified ones; the length stays."""
    return text.translate(_simplified())


def email_joined(text: str) -> str:
    """E-mail and email are one word."""
    return EMAIL.sub("email", text)


def english(text: str) -> list[str]:
    """The stems of a text's English words in their order, without stop words."""
    found = (
        each for word in WORD.findall(email_joined(text)) if len(word) > 1 for each in parts(word)
    )
    return list(found)


@cache
def stop_stems() -> frozenset[str]:
    """Stems of English words that name nothing."""
    return frozenset(stem(word) for word in _data("stop_en.txt"))


@cache
def irregular() -> dict[str, str]:
    """Forms of irregular verbs, and their base."""
    lines = (line.split() for line in _lines("irregular.txt"))
    return {form: base for base, *forms in lines for form in forms}


@cache
def keywords() -> frozenset[str]:
    """Words of programming languages; as a part of a name (`return_goods`) they count."""
    return frozenset(_data("keywords.txt"))


@cache
def chinese_stop_words() -> frozenset[str]:
    """Chinese question words."""
    return frozenset(_data("stop_zh.txt"))


def _data(name: str) -> list[str]:
    return [word for line in _lines(name) for word in line.split()]


def _lines(name: str) -> list[str]:
    text = (resources.files("kb_agent.repositories") / "data" / name).read_text("utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


@cache
def _simplified() -> dict[int, str]:
    """Characters only, first reading: the table is OpenCC's, whose converter is too slow for a million lines."""
    table = Path(opencc.__file__).parent / "dictionary" / "TSCharacters.txt"
    pairs = (line.split("\t") for line in table.read_text("utf-8").splitlines() if "\t" in line)
    return {ord(old): new.split()[0] for old, new in pairs if len(old) == 1}
