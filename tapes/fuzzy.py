"""Fuzzy matching of words: every word of the query must be near some word of the text.

Words keep precision that whole-text similarity loses ("refund policy" is not near every text with
"re"), and a typo far down a long text counts as much as one at its start. Chinese has no words to
split at: a run of n characters is compared with every run of n characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz, process

MIN_RATIO = 74.0
"""Similarity a word needs, 0 to 100; one letter of four differs at 75."""
_CHINESE = r"\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_WORDS = re.compile(rf"[{_CHINESE}]+|[^\W_{_CHINESE}]+")
_IS_CHINESE = re.compile(rf"[{_CHINESE}]")


@dataclass(frozen=True, slots=True)
class Match:
    """A text that has words near all words of the query."""

    index: int
    score: float
    """Mean similarity, 0 to 1."""
    at: int
    """Where the nearest word to the query's first one stands."""


def matches(query: str, texts: Sequence[str]) -> list[Match]:
    """Return the texts that match, in their order; both sides are case-folded by the caller."""
    words = _WORDS.findall(query)
    if not words:
        return []
    near = [_near(word, texts) for word in words]
    common = set(near[0]).intersection(*near[1:])
    return [
        Match(
            index=index,
            score=sum(found[index][0] for found in near) / len(near) / 100,
            at=near[0][index][1],
        )
        for index in sorted(common)
    ]


def _near(word: str, texts: Sequence[str]) -> dict[int, tuple[float, int]]:
    """The best word near `word` in each text that has one: its similarity and its place."""
    places: dict[str, dict[int, int]] = {}
    for index, text in enumerate(texts):
        for candidate, at in _candidates(word, text):
            places.setdefault(candidate, {}).setdefault(index, at)
    best: dict[int, tuple[float, int]] = {}
    ranked = process.extract_iter(word, list(places), scorer=fuzz.ratio, score_cutoff=MIN_RATIO)
    for candidate, score, _ in ranked:
        for index, at in places[candidate].items():
            if score > best.get(index, (0.0, 0))[0]:
                best[index] = (score, at)
    return best


def _candidates(word: str, text: str) -> Iterator[tuple[str, int]]:
    chinese = _IS_CHINESE.match(word) is not None
    for found in _WORDS.finditer(text):
        run = found.group()
        if not chinese:
            yield run, found.start()
        elif _IS_CHINESE.match(run):
            for offset in range(max(len(run) - len(word) + 1, 1)):
                yield run[offset : offset + len(word)], found.start() + offset
