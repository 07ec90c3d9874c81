"""Cuts text into the terms that the index keeps: split identifiers, stems, Chinese bigrams."""

from __future__ import annotations

import re
import threading
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from importlib import resources
from pathlib import Path

import opencc
import snowballstemmer

LONGEST = 40
HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002ffff"
TOKEN = re.compile(rf"[A-Za-z_][A-Za-z0-9_]*|[0-9]+(?![A-Za-z0-9])|[{HAN}]+")
HAN_RUN = re.compile(rf"[{HAN}]+")
PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
# A stemmer keeps the word it works on, so each thread has its own.
_own = threading.local()


def count(text: str) -> Counter[str]:
    """How often each term stands in `text`."""
    found: Counter[str] = Counter()
    for token, times in Counter(TOKEN.findall(text)).items():
        for term in expand(token):
            found[term] += times
    return found


@lru_cache(maxsize=400_000)
def expand(token: str) -> tuple[str, ...]:
    """The terms of one token: bigrams of a Chinese run; else its stemmed parts and, when compound, the whole."""
    if token[0] > "\u2fff":
        return tuple(bigrams(fold(token)))
    if token[0].isdigit():
        return (token,) if len(token) <= 5 else ()
    if len(token) > LONGEST * 2:
        return ()
    if token.lower() in keywords():
        return ()
    return _parts(token)


def asked(token: str) -> tuple[str, ...]:
    """The terms of a token in a question, where a keyword of a language is a word like others."""
    return _parts(token) if token.lower() in keywords() else expand(token)


def _parts(token: str) -> tuple[str, ...]:
    parts = [part for part in PART.findall(token) if len(part) <= LONGEST]
    terms = [stem(part.lower()) for part in parts if useful(part.lower())]
    if len(parts) > 1:
        terms.append(whole(token))
    return tuple(terms)


def whole(identifier: str) -> str:
    """The term that stands for a compound identifier as one, whatever its style: expireOrders, expire_orders."""
    return "=" + identifier.replace("_", "").lower()[:76]


def useful(word: str) -> bool:
    """Whether a lower-case word says anything about the place it stands in."""
    return len(word) > 1 and word not in stop_words()


@lru_cache(maxsize=200_000)
def stem(word: str) -> str:
    """The stem of a lower-case English word (Snowball)."""
    if not hasattr(_own, "stemmer"):
        _own.stemmer = snowballstemmer.stemmer("english")
    return str(_own.stemmer.stemWord(word)) if len(word) < 24 else word


def bigrams(run: str) -> Iterator[str]:
    """Overlapping pairs of a run of Chinese characters; the character itself when it stands alone."""
    if len(run) == 1:
        yield run
    for index in range(len(run) - 1):
        yield run[index : index + 2]


def fold(text: str) -> str:
    """Traditional characters as simplified ones; the length stays."""
    return text.translate(_simplified())


def words(texts: Iterable[str]) -> set[str]:
    """The stems of English words in `texts`, without stop words."""
    return {
        stem(part.lower())
        for text in texts
        for token in TOKEN.findall(text)
        if token[0] < "\u2fff"
        for part in PART.findall(token)
        if useful(part.lower())
    }


@cache
def stop_words() -> frozenset[str]:
    """English words that name nothing."""
    return frozenset(_data("stop_en.txt"))


@cache
def keywords() -> frozenset[str]:
    """Words of programming languages; as a part of a name (`return_goods`) they count."""
    return frozenset(_data("keywords.txt"))


@cache
def chinese_stop_words() -> frozenset[str]:
    """Chinese question words."""
    return frozenset(_data("stop_zh.txt"))


def _data(name: str) -> list[str]:
    text = (resources.files("kb_agent.repositories") / "data" / name).read_text("utf-8")
    lines = (line for line in text.splitlines() if not line.startswith("#"))
    return [word for line in lines for word in line.split()]


@cache
def _simplified() -> dict[int, str]:
    """Characters only, first reading: the table is OpenCC's, whose converter is too slow for a million lines."""
    table = Path(opencc.__file__).parent / "dictionary" / "TSCharacters.txt"
    pairs = (line.split("\t") for line in table.read_text("utf-8").splitlines() if "\t" in line)
    return {ord(old): new.split()[0] for old, new in pairs if len(old) == 1}
