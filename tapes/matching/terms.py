"""What a text is found by: names, numbers and grams; and what a query needs of them.

A *name* is a run of letters, a *number* a run with a digit in it, a *gram* one Chinese character,
two beside each other, or a sign. A text is folded before (`folding.fold`), so that one index serves
the exact tier, whose finds are compared with the text as it stands, and the fuzzy one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

CHINESE = r"\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
WORDS = re.compile(rf"[{CHINESE}]+|[^\W_{CHINESE}]+")
"""Runs of Chinese, and runs of other letters and digits."""
_RUNS = re.compile(r"\w+")
"""The same quickly, before what is not plain is cut by `WORDS`."""
_IS_CHINESE = re.compile(rf"[{CHINESE}]")

LONGEST = 64
"""Longer runs, such as keys and images as text, are kept as pieces of this length."""
_STEP = LONGEST // 2

NAMES, NUMBERS, GRAMS = range(3)


@dataclass(frozen=True, slots=True)
class Need:
    """Something a text must have to hold the query."""

    term: str
    classes: tuple[int, ...]
    within: bool = False
    """Whether a longer term that holds it does as well."""


def is_chinese(run: str) -> bool:
    """Whether a run of `WORDS` is one of Chinese characters."""
    return not run.isascii() and _IS_CHINESE.match(run) is not None


def of(folded: str) -> tuple[set[str], set[str], set[str]]:
    """Return names, numbers and grams of a text."""
    runs = set(_RUNS.findall(folded))
    plain = {run for run in runs if len(run) <= LONGEST and run.isascii() and "_" not in run}
    names = set(filter(str.isalpha, plain))
    numbers, grams = plain - names, _signs(folded)
    # What takes more time, once for each different one.
    for run in set[str]().union(*map(WORDS.findall, runs - plain)):
        if is_chinese(run):
            grams.update(run)
            grams.update(pairs(run))
        else:
            (names if run.isalpha() else numbers).update(_pieces(run))
    return names, numbers, grams


def _signs(folded: str) -> set[str]:
    return {sign for sign in set(folded) if not sign.isalnum() and not sign.isspace()}


def pairs(run: str) -> list[str]:
    """Return every two characters beside each other."""
    return [run[at : at + 2] for at in range(len(run) - 1)]


def needs(folded: str) -> list[Need]:
    """Return what every text has that holds this folded query, so that no text is missed.

    A run at an edge of the query may be a part of a longer one in the text.
    """
    found: list[Need] = []
    for match in WORDS.finditer(folded):
        run = match.group()
        if is_chinese(run):
            found += [Need(gram, (GRAMS,)) for gram in dict.fromkeys(pairs(run) or [run])]
        elif match.start() > 0 and match.end() < len(folded) and len(run) <= LONGEST:
            found.append(Need(run, (NAMES if run.isalpha() else NUMBERS,)))
        else:
            found.append(Need(run[:_STEP], (NAMES, NUMBERS), within=True))
    if found:
        return found
    return [Need(sign, (GRAMS,)) for sign in sorted(_signs(folded))]


def _pieces(run: str) -> Iterator[str]:
    """The run, or pieces so that every part of it of half their length lies within one."""
    if len(run) <= LONGEST:
        yield run
        return
    for at in range(0, len(run) - _STEP, _STEP):
        yield run[at : at + LONGEST]
