"""Turns a question in any language into groups of terms: each group is one thing that was asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from kb_agent.repositories import terms, vocabulary

LONGEST = 4000
LONGEST_WORD = 5
MOST_GROUPS = 80
# Bigrams find Chinese comments and texts, but say less than the words they stand for.
BIGRAM_WEIGHT = 0.4
WHOLE_WEIGHT = 1.5
STOP_WORTH = 0.5
LENGTH_WORTH = 1.5
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
    runs = terms.HAN_RUN.findall(terms.fold(question))
    candidates = {
        run[start : start + size]
        for run in runs
        for size in range(1, LONGEST_WORD + 1)
        for start in range(len(run) - size + 1)
    }
    meanings = vocabulary.meanings(candidates, repositories)
    strengths = {word: max(meaning.codes.values()) for word, meaning in meanings.items()}
    pieces = [piece for run in runs for piece in segment(run, strengths)]
    if all(
        piece.stop for piece in pieces
    ):  # a question of question words alone is taken at its word
        pieces = [replace(piece, stop=False) for piece in pieces]
    for stretch in _stretches(pieces):
        for bigram in terms.bigrams(stretch):
            yield Group("word", bigram, {bigram: 1.0}, BIGRAM_WEIGHT)
    for piece in pieces:
        if piece.word in meanings and not piece.stop:
            yield Group("vocabulary", piece.word, meanings[piece.word].codes, VOCABULARY_WEIGHT)


@dataclass(frozen=True)
class Piece:
    """A part of a Chinese run: a known word, a question word, or a character of neither."""

    word: str
    stop: bool


def segment(run: str, strengths: dict[str, float]) -> list[Piece]:
    """The run cut into the pieces that are worth most together: long words, of which the meaning is sure.

    Knowing the words first keeps \u8fc7\u671f from losing its \u8fc7 as a question word.
    """
    stops = terms.chinese_stop_words()
    best: list[tuple[float, list[Piece]]] = [(0.0, [])]
    for end in range(1, len(run) + 1):
        options = []
        for size in range(1, min(LONGEST_WORD, end) + 1):
            word = run[end - size : end]
            before, pieces = best[end - size]
            known, stop = strengths.get(word, 0.0), word in stops
            if size == 1 or known or stop:
                worth = max(known, STOP_WORTH if stop else 0.0) * size**LENGTH_WORTH
                options.append((before + worth, [*pieces, Piece(word, stop=stop)]))
        best.append(max(options, key=lambda option: option[0]))
    return best[-1][1]


def _stretches(pieces: Iterable[Piece]) -> Iterator[str]:
    """Runs of pieces between question words."""
    stretch = ""
    for piece in pieces:
        if piece.stop and stretch:
            yield stretch
        stretch = "" if piece.stop else stretch + piece.word
    if stretch:
        yield stretch
