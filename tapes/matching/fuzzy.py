"""Fuzzy matching of words: every word of the query must be near some word of the text.

Words keep precision that whole-text similarity loses ("refund policy" is not near every text with
"re"), and a typo far down a long text counts as much as one at its start. Chinese has no words to
split at: a run of n characters is compared with every run of n characters. Traditional characters
count as simplified ones. A word with a digit, and one below four letters, is near itself only: one
number is no misspelling of another.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil

from rapidfuzz import fuzz, process

from tapes.matching import folding, terms

MIN_RATIO = 74.0
"""Similarity a word needs, 0 to 100; one letter of four differs at 75."""
_SHORTEST = 4
_SAME = 100.0
_BATCH_CHARS = 100_000


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
    """Return the texts that match, in their order."""
    words = query_words(query)
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


def query_words(query: str) -> list[str]:
    """Return the words of a query as they are compared, each once."""
    return list(dict.fromkeys(terms.WORDS.findall(folding.fold(query))))


def least(word: str) -> float:
    """Return the similarity that is near enough to a word, 0 to 100."""
    rough = terms.is_chinese(word) or (word.isalpha() and len(word) >= _SHORTEST)
    return MIN_RATIO if rough else _SAME


def least_pairs(run: str) -> int:
    """Return how many of its pairs of characters a Chinese run needs in a text that is near it.

    Each character that may differ spoils two pairs.
    """
    differing = len(run) - ceil(len(run) * MIN_RATIO / 100)
    return max(len(set(terms.pairs(run))) - 2 * differing, 1)


def near_names(word: str, names: Sequence[str]) -> list[int]:
    """Return the places of the names near a word."""
    found = process.extract(
        word, names, scorer=fuzz.ratio, score_cutoff=least(word), limit=None, processor=None
    )
    return [index for _, _, index in found]


def _batches(texts: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    """The texts folded, about `_BATCH_CHARS` at a time, with the index of the first.

    In Chinese nearly every character begins a candidate, which costs a hundred times its bytes.
    """
    first, chars, batch = 0, 0, list[str]()
    for index, text in enumerate(texts):
        if batch and chars + len(text) > _BATCH_CHARS:
            yield first, batch
            first, chars, batch = index, 0, []
        batch.append(folding.fold(text))
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
    ranked = process.extract_iter(word, list(places), scorer=fuzz.ratio, score_cutoff=least(word))
    for candidate, score, _ in ranked:
        for index, at in places[candidate].items():
            if score > best.get(index, (0.0, 0))[0]:
                best[index] = (score, at)
    return best


def _candidates(word: str, text: str) -> Iterator[tuple[str, int]]:
    chinese = terms.is_chinese(word)
    for found in terms.WORDS.finditer(text):
        run = found.group()
        if not chinese:
            yield run, found.start()
        elif terms.is_chinese(run):
            for offset in range(max(len(run) - len(word) + 1, 1)):
                yield run[offset : offset + len(word)], found.start() + offset
