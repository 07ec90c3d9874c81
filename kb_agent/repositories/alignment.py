"""Learns which code words a Chinese word stands for, from texts that say the same in both languages.

IBM model 1 (Brown et al., 1993) in both directions, a few rounds of expectation and maximisation, on Chinese
bigrams and English stems; what both directions believe is kept.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from kb_agent.repositories import terms

ROUNDS = 5
LEAST = 0.1
LONGEST = 24
# Characters that are never part of a business word.
PARTICLES = frozenset("的了吗呢吧啊么和与或及是被把就也都而且这那您你我他她它们")
Pair = tuple[str, str]


@dataclass(frozen=True)
class Aligned:
    """A Chinese word, a stem, and how often the one stood for the other."""

    word: str
    code: str
    weight: float


def align(pairs: Iterable[Pair]) -> list[Aligned]:
    """Alignments of (Chinese, English) pairs."""
    words: dict[str, int] = {}
    codes: dict[str, int] = {}
    rows: list[np.ndarray] = []
    for number, (chinese, english) in enumerate(pairs):
        left, right = sorted(units(chinese)), sorted(terms.words([english]))
        if not left or not right or len(left) > LONGEST or len(right) > LONGEST:
            continue
        a = np.array([words.setdefault(word, len(words)) for word in left], "<i8")
        b = np.array([codes.setdefault(code, len(codes)) for code in right], "<i8")
        grid = np.empty((len(a) * len(b), 3), "<i8")
        grid[:, 0], grid[:, 1], grid[:, 2] = number, np.repeat(a, len(b)), np.tile(b, len(a))
        rows.append(grid)
    if not rows:
        return []
    return _learn(np.concatenate(rows), list(words), list(codes))


def units(chinese: str) -> set[str]:
    """What may be a word: every bigram of the Chinese runs. Single characters mean too many things."""
    runs = terms.HAN_RUN.findall(terms.fold(chinese))
    return {bigram for run in runs for bigram in terms.bigrams(run) if _may_be_word(bigram)}


def _may_be_word(bigram: str) -> bool:
    """Whether a bigram is no single character, no question word and no seam between small words."""
    stops = terms.chinese_stop_words()
    if len(bigram) < 2 or bigram in stops or PARTICLES & set(bigram):
        return False
    return not (bigram[0] in stops and bigram[1] in stops)


def _learn(rows: np.ndarray, words: list[str], codes: list[str]) -> list[Aligned]:
    sentence, word, code = rows[:, 0], rows[:, 1], rows[:, 2]
    pair, index = np.unique(word * len(codes) + code, return_inverse=True)
    forward = _expected(sentence, word, code, index, len(pair))
    backward = _expected(sentence, code, word, index, len(pair))
    both = np.sqrt(forward * backward)
    kept = np.flatnonzero(both >= LEAST)
    return [
        Aligned(words[pair[i] // len(codes)], codes[pair[i] % len(codes)], round(float(both[i]), 3))
        for i in kept
    ]


def _expected(
    sentence: np.ndarray, given: np.ndarray, told: np.ndarray, index: np.ndarray, pairs: int
) -> np.ndarray:
    """Expected counts of each pair, when each `told` word of a sentence is explained by its `given` words."""
    _, slot = np.unique(sentence * (int(told.max()) + 1) + told, return_inverse=True)
    chance: np.ndarray = np.ones(len(sentence))
    counts: np.ndarray = np.zeros(pairs)
    for _ in range(ROUNDS):
        share = chance / np.bincount(slot, chance)[slot]
        counts = np.bincount(index, share, pairs)
        totals = np.bincount(given, share)
        chance = counts[index] / totals[given]
    return counts
