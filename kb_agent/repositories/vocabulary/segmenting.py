"""Cuts Chinese into words: the likeliest way by how often each word stands in the company's own texts."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping

from kb_agent.repositories import terms
from kb_agent.repositories.vocabulary import dictionary

LONGEST = 6
LONGEST_MESSAGE = 4
OFTEN = 3
# Counts of what no text of the company holds: a word of the dictionary, an unknown character.
OF_DICTIONARY, UNKNOWN = 0.5, 0.02
OF_STOP_WORD, OF_STOP_CHARACTER = 3.0, 5.0
# A short message that begins so is no word: \u4e2a\u5ea7\u4f4d.
NO_BEGINNING = frozenset("\u4e2a\u7684\u4e86\u548c\u4e0e\u6216\u662f\u5728\u4e0d\u65b0")


class Segmenter:
    """Cuts runs of Chinese by word counts."""

    def __init__(self, counts: Mapping[str, float], total: float) -> None:
        """`total` is the sum of all counts, of which `counts` may hold only those that will be asked for."""
        self._counts = counts
        self._total = math.log(total + OF_DICTIONARY * dictionary.size() + 1)

    def words(self, run: str) -> list[str]:
        """The likeliest words of a run (Viterbi)."""
        cost = [0.0] + [math.inf] * len(run)
        back = [0] * (len(run) + 1)
        for start in range(len(run)):
            for end in range(start + 1, min(len(run), start + LONGEST) + 1):
                count = self._count(run[start:end])
                if count and cost[start] + self._total - math.log(count) < cost[end]:
                    cost[end] = cost[start] + self._total - math.log(count)
                    back[end] = start
        found: list[str] = []
        end = len(run)
        while end:
            found.append(run[back[end] : end])
            end = back[end]
        return found[::-1]

    def _count(self, word: str) -> float:
        count = self._counts.get(word, 0.0) + (OF_DICTIONARY if dictionary.has(word) else 0.0)
        if word in terms.chinese_stop_words():
            count = max(count, OF_STOP_WORD if len(word) > 1 else OF_STOP_CHARACTER)
        return count or (UNKNOWN if len(word) == 1 else 0.0)


def counts(texts: Iterable[str]) -> Counter[str]:
    """How often words of the dictionary, and short whole messages, stand in these texts."""
    grams: Counter[str] = Counter()
    messages: set[str] = set()
    for text in texts:
        for run in terms.HAN_RUN.findall(text):
            short = 2 <= len(run) <= LONGEST_MESSAGE and run[0] not in NO_BEGINNING
            if short and run == text.strip():
                messages.add(run)
            grams.update(candidates(run))
    return Counter(
        {
            word: count
            for word, count in grams.items()
            if dictionary.has(word) or (word in messages and count >= OFTEN)
        }
    )


def candidates(run: str) -> list[str]:
    """Every stretch of a run that may be a word."""
    return [
        run[start : start + size]
        for size in range(1, LONGEST + 1)
        for start in range(len(run) - size + 1)
    ]
