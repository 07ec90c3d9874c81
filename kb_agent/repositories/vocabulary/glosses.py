"""Which English words the public dictionary gives side by side for one Chinese word: to refuse / to reject.

Two words that often translate the same may be said for one another. Nothing is stored: it is counted from the package's
file (see `dictionary`) once a process, in about a second.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations

from kb_agent.repositories import terms
from kb_agent.repositories.vocabulary import dictionary

# A short Chinese word that has few translations; two of them must meet twice at least.
LONGEST, MOST_GLOSSES, MET = 4, 8, 2
# A word of many meanings says little about any.
MOST_MEANINGS = 60
KEPT, LEAST, FULL, DOUBT = 4, 0.1, 0.3, 2
_LINE = re.compile(r"^\S+ (\S+) \[([^\]]*)\] /(.*)/", re.MULTILINE)
_ASIDE = re.compile(r"\([^)]*\)|\[[^\]]*\]")
_APART = re.compile(r"[;,/]")
_WORD = re.compile(r"(?:(?:to|a|an|the|to be) )?([a-z]{3,})")


def near(stem: str) -> list[tuple[str, float]]:
    """Other English stems that translate the same Chinese words, nearest first, with weights up to 1."""
    seen, together = _counted()
    if seen[stem] > MOST_MEANINGS:
        return []
    close = (
        (times / math.sqrt((seen[stem] + DOUBT) * (seen[other] + DOUBT)), other)
        for other, times in together.get(stem, {}).items()
    )
    best = sorted(((value, other) for value, other in close if value >= LEAST), reverse=True)
    return [(other, min(1.0, value / FULL)) for value, other in best[:KEPT]]


@cache
def _counted() -> tuple[Counter[str], dict[str, dict[str, int]]]:
    """How many Chinese words each stem translates, and how many each two of them."""
    seen: Counter[str] = Counter()
    pairs: Counter[tuple[str, str]] = Counter()
    for stems in _translations():
        seen.update(stems)
        pairs.update(combinations(sorted(stems), 2))
    together: dict[str, dict[str, int]] = {}
    for (one, other), times in pairs.items():
        if times >= MET:
            together.setdefault(one, {})[other] = times
            together.setdefault(other, {})[one] = times
    return seen, together


def _translations() -> Iterator[set[str]]:
    """For each Chinese word the stems of those of its translations that are one word."""
    for match in _LINE.finditer(dictionary.text().decode()):
        word, sound, glosses = match.groups()
        if len(word) > LONGEST or (len(word) > 1 and sound[:1].isupper()):
            continue
        said = (_WORD.fullmatch(each.strip()) for each in _APART.split(_ASIDE.sub("", glosses)))
        stems = {terms.stem(each[1]) for each in said if each} - terms.stop_stems()
        if len(stems) <= MOST_GLOSSES:
            yield stems
