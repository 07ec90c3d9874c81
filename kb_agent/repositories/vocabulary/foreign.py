"""Counts how translators render English words elsewhere: where two are rendered alike, one may stand for the other."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable
from functools import lru_cache

import snowballstemmer

from kb_agent.repositories import catalogues, terms
from kb_agent.repositories.vocabulary import alignment

STEMMERS = {
    "de": "german",
    "es": "spanish",
    "fr": "french",
    "it": "italian",
    "nl": "dutch",
    "pt": "portuguese",
    "ru": "russian",
}
WORD = re.compile(r"[^\W\d_]{3,}")
LONGEST_MESSAGE = 150
MOST_WORDS = 20
LEAST = 0.3
_own = threading.local()


def counts(
    language: str, catalogue_texts: Iterable[catalogues.Texts]
) -> dict[tuple[str, str], float]:
    """(foreign stem, English stem) and how often the one stood for the other."""
    said = {
        (catalogues.source(key), text)
        for texts in catalogue_texts
        for key, text in texts
        if len(key) <= LONGEST_MESSAGE and text != catalogues.source(key)
    }
    pairs = []
    for english, text in sorted(said):
        words = [_stem(language, word) for word in WORD.findall(catalogues.plain(text).lower())]
        if len(words) <= MOST_WORDS:
            pairs.append((words, terms.english(catalogues.plain(english))))
    joint = alignment.align(pairs).joint
    return {pair: count for pair, count in joint.items() if count > LEAST}


@lru_cache(maxsize=200_000)
def _stem(language: str, word: str) -> str:
    if language not in STEMMERS:
        return word
    if not hasattr(_own, "stemmers"):
        _own.stemmers = {}
    stemmer = _own.stemmers.setdefault(language, None) or snowballstemmer.stemmer(
        STEMMERS[language]
    )
    _own.stemmers[language] = stemmer
    return str(stemmer.stemWord(word))
