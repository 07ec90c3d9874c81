"""What texts of a topic are found by, and what a query looks for: terms as `tapes.matching.terms` cuts them.

A query's words in letters are looked for as beginnings, since one types as one looks; Chinese as
every two characters beside each other. A word that is near a misspelt one, or a run of Chinese with
one character in four exchanged, is found by the second, rough query.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from tapes.matching import folding, fuzzy, terms

MOST_CHARS = 8_000
"""What of one text is indexed: its beginning."""
MOST_WORDS = 8
"""Words of a query that count."""
MOST_NEAR = 30
_ROUGH_CHINESE = 4
"""Shortest run of Chinese in which one character may be another."""
_HUMPS = re.compile(r"[A-Z]?[a-z]{3,}|[A-Z]{3,}(?![a-z])")
_MIXED = re.compile(r"\w*[a-z][A-Z]\w*")

Near = Callable[[str], Sequence[str]]
"""Words that topics hold and that are near a misspelt one."""


def of(text: str) -> set[str]:
    """Every term of a text; of a name like `retryFailed` its parts too."""
    text = text[:MOST_CHARS]
    names, numbers, grams = terms.of(folding.fold(text))
    humps = {part.casefold() for name in set(_MIXED.findall(text)) for part in _HUMPS.findall(name)}
    return names | numbers | grams | humps


def names_of(found: Iterable[str]) -> list[str]:
    """Those of the terms that a misspelt word may be near to."""
    return sorted({term for term in found if len(term) > 3 and term.isascii() and term.isalpha()})


def query(words: str) -> str:
    """A text-search query for what every text holds that holds these words; empty for none."""
    return " & ".join(_exact(run) for run in _runs(words))


def rough_query(words: str, near: Near) -> str:
    """The same with misspelt words; empty where no word of it may be misspelt."""
    runs = _runs(words)
    rough = [_rough(run, near) for run in runs]
    return " & ".join(rough) if rough != [_exact(run) for run in runs] else ""


def _runs(words: str) -> list[str]:
    folded = folding.fold(words)
    found = list(dict.fromkeys(terms.WORDS.findall(folded)))
    return (found or sorted({sign for sign in folded if not sign.isspace()}))[:MOST_WORDS]


def _exact(run: str) -> str:
    if terms.is_chinese(run):
        return _all(terms.pairs(run) or [run])
    if not run.isalnum():
        return _quoted(run)
    return f"{_quoted(run[: terms.LONGEST // 2])}:*"


def _rough(run: str, near: Near) -> str:
    if terms.is_chinese(run):
        if len(run) < _ROUGH_CHINESE:
            return _exact(run)
        # Any one character may be another: the pairs without it stay, and what stands alone.
        return "(" + " | ".join(_all(_without(run, at)) for at in range(len(run))) + ")"
    if not run.isalpha() or fuzzy.least(run) == 100:
        return _exact(run)
    others = [_quoted(name) for name in near(run)[:MOST_NEAR]]
    return "(" + " | ".join([_exact(run), *others]) + ")" if others else _exact(run)


def _without(run: str, at: int) -> list[str]:
    found: list[str] = []
    for part in (run[:at], run[at + 1 :]):
        found += terms.pairs(part) or ([part] if part else [])
    return found


def _all(found: Iterable[str]) -> str:
    return "(" + " & ".join(_quoted(term) for term in dict.fromkeys(found)) + ")"


def _quoted(term: str) -> str:
    return "'" + term.replace("\\", "\\\\").replace("'", "''") + "'"
