"""Learns which words of one language stand for which of another, from texts that say the same in both.

IBM model 1 (Brown et al., 1993) in both directions, a few rounds of expectation and maximisation; a pair's count is the
geometric mean of what the two directions expect. Counts of several repositories may be added up: that equals learning
from all of them together closely enough, and lets each keep its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

ROUNDS = 6
LEAST = 0.05
LONGEST = 30
Words = list[str]


@dataclass
class Table:
    """How often words went together, and how often each side's word was seen."""

    joint: dict[tuple[str, str], float] = field(default_factory=dict)
    left: Counter[str] = field(default_factory=Counter)
    right: Counter[str] = field(default_factory=Counter)


def align(pairs: Iterable[tuple[Words, Words]]) -> Table:
    """The counts of sentence pairs given as words; pairs that are empty or long on a side say nothing."""
    kept = [(a, b) for a, b in pairs if a and b and len(a) <= LONGEST and len(b) <= LONGEST]
    return Table(
        _learn(kept),
        Counter(word for a, _ in kept for word in a),
        Counter(word for _, b in kept for word in b),
    )


def _learn(pairs: list[tuple[Words, Words]]) -> dict[tuple[str, str], float]:
    left: dict[str, int] = {}
    right: dict[str, int] = {}
    rows = [
        (left.setdefault(a, len(left)), right.setdefault(b, len(right)), number)
        for number, (x, y) in enumerate(pairs)
        for a in x
        for b in y
    ]
    if not rows:
        return {}
    a, b, sentence = np.array(rows, "<i8").T
    keys, cell = np.unique(a * len(right) + b, return_inverse=True)
    forward = _share(cell, keys // len(right), _slots(sentence, b, len(right)))
    backward = _share(cell, keys % len(right), _slots(sentence, a, len(left)))
    joint = np.bincount(cell, np.sqrt(forward * backward), len(keys))
    names, others = list(left), list(right)
    return {
        (names[key // len(right)], others[key % len(right)]): round(float(joint[i]), 3)
        for i, key in enumerate(keys.tolist())
        if joint[i] > LEAST
    }


def _slots(sentence: np.ndarray, word: np.ndarray, words: int) -> np.ndarray:
    """A number for each word of each sentence."""
    return np.unique(sentence * words + word, return_inverse=True)[1]


def _share(cell: np.ndarray, given: np.ndarray, choice: np.ndarray) -> np.ndarray:
    """How much of each `choice` falls to each possible pair, after the last round."""
    table = np.ones(len(given))
    share = np.ones(len(cell))
    for _ in range(ROUNDS):
        share = table[cell]
        share = share / np.bincount(choice, share)[choice]
        counts = np.bincount(cell, share, len(given))
        table = counts / np.bincount(given, counts)[given]
    return share
