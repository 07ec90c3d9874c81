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
_BATCH_CHARS = 100_000
_IS_CHINESE = re.compile(rf"[{_CHINESE}]")


@dataclass(frozen=True, slots=True)
class Match:
    """A text that has words near all words of the query."""

    index: int
    score: float
    """Mean similarity, 0 to 1."""
    at: int
    """Where the nearest word to the query's first one stands."""


_Near = dict[int, tuple[float, int]]
"""By a text's index: the similarity of its word nearest to one of the query's, and its place."""


def matches(query: str, texts: Sequence[str]) -> list[Match]:
    """Return the texts that match, in their order; the query is case-folded by the caller."""
    words = _WORDS.findall(query)
    if not words:
        return []
    near: list[_Near] = [{} for _ in words]
    for first, batch in _batches(texts):
        for found, word in zip(near, words, strict=True):
            found.update(_near(word, batch, first))
    common = set(near[0]).intersection(*near[1:])
    return [
        Match(
            index=index,
            score=sum(found[index][0] for found in near) / len(near) / 100,
            at=near[0][index][1],
        )
        for index in sorted(common)
    ]


def _batches(texts: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    """The texts case-folded, about `_BATCH_CHARS` at a time, with the index of the first.

    In Chinese nearly every character begins a candidate, which costs a hundred times its bytes.
    """
    first, chars, batch = 0, 0, list[str]()
    for index, text in enumerate(texts):
        if batch and chars + len(text) > _BATCH_CHARS:
            yield first, batch
            first, chars, batch = index, 0, []
        batch.append(text.casefold())
        chars += len(text)
    if batch:
        yield first, batch


def _near(word: str, texts: Sequence[str], first: int) -> _Near:
    """The best word near `word` in each text that has one."""
    places: dict[str, dict[int, int]] = {}
    for index, text in enumerate(texts, first):
        for candidate, at in _candidates(word, text):
            places.setdefault(candidate, {}).setdefault(index, at)
    best: _Near = {}
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
