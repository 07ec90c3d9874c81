"""Turns a question in any language into groups of terms: each group is one thing that was asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from kb_agent.repositories import terms, vocabulary

LONGEST = 4000
LONGEST_WORD = 5
MOST_GROUPS = 80
# Bigrams find Chinese comments and texts, but say less than the words they stand for.
BIGRAM_WEIGHT = 0.5
WHOLE_WEIGHT = 1.5
VOCABULARY_WEIGHT = 1.0


@dataclass(frozen=True)
class Group:
    """What was asked with one word: terms that may stand for it, with their chances."""

    kind: str
    query: str
    terms: dict[str, float]
    weight: float


def groups(question: str, repositories: Iterable[int]) -> list[Group]:
    """The groups of a question; vocabulary comes from these repositories alone (C7)."""
    question = question[:LONGEST]
    found: dict[tuple[str, ...], Group] = {}
    for group in [*_english(question), *_chinese(question, list(repositories))]:
        found.setdefault((group.kind, *sorted(group.terms)), group)
    return list(found.values())[:MOST_GROUPS]


def _english(question: str) -> Iterator[Group]:
    for token in terms.TOKEN.findall(question):
        if token[0] > "\u2fff":
            continue
        for term in terms.asked(token):
            weight = WHOLE_WEIGHT if term.startswith("=") else 1.0
            yield Group("word", token, {term: 1.0}, weight)


def _chinese(question: str, repositories: list[int]) -> Iterator[Group]:
    pieces = [
        piece for run in terms.HAN_RUN.findall(terms.fold(question)) for piece in _pieces(run)
    ]
    candidates = {
        piece[start : start + size]
        for piece in pieces
        for size in range(1, LONGEST_WORD + 1)
        for start in range(len(piece) - size + 1)
    }
    meanings = vocabulary.meanings(candidates, repositories)
    for piece in pieces:
        for bigram in terms.bigrams(piece):
            yield Group("word", bigram, {bigram: 1.0}, BIGRAM_WEIGHT)
        for word in words(piece, meanings):
            yield Group("vocabulary", word, meanings[word].codes, VOCABULARY_WEIGHT)


def words(piece: str, known: Iterable[str]) -> Iterator[str]:
    """Words of a run that are known, overlapping ones included unless a longer one holds them."""
    known = set(known)
    covered = 0
    for start in range(len(piece)):
        for size in range(min(LONGEST_WORD, len(piece) - start), 0, -1):
            word = piece[start : start + size]
            if word in known and start + size > covered:
                covered = start + size
                yield word
                break


def _pieces(run: str) -> list[str]:
    """A Chinese run with its question words taken out."""
    return terms.chinese_stop_words().sub(" ", run).split()
