"""Scores chunks, then files, against a question's concepts.

Okapi BM25 (Robertson and Zaragoza, 2009) over one pooled frequency a concept. Statistics are taken over the scopes the
asker may read and no others, so that what is hidden moves nothing (C7). Weights come from a study over this project's
benchmark company (docs/decisions).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kb_agent.repositories.measuring import EVERYTHING, Signals

if TYPE_CHECKING:
    from kb_agent.repositories.indexing.corpus import Corpus
    from kb_agent.repositories.vocabulary.questions import Concept

K1, B = 2.0, 0.5
MOST_OF_PAIR = 3.0
MOST_COMMON = 0.6
# A chunk that decides says more; a file's next chunks count half as much each; so does each concept's best place in it.
DECIDES, MOST_DECISIONS = 0.1, 6.0
NEXT_CHUNKS, DECAY = 3, 0.5
COVERAGE = 0.5
CANDIDATES = 3000
# Commoner words need no paraphrase.
RARE = 0.014
ROUTING_PRIOR = 100.0


@dataclass(frozen=True)
class Part:
    """What one concept gives: its rarity, what it gives every chunk, and its pooled frequency there."""

    concept: Concept
    rarity: float
    score: np.ndarray
    found: np.ndarray


@dataclass(frozen=True)
class Scores:
    """Of every chunk, of every file (the best is 1 before the repository speaks), and the best file's raw score."""

    parts: list[Part]
    chunks: np.ndarray
    files: np.ndarray
    best: float


def parts(corpus: Corpus, concepts: Sequence[Concept]) -> list[Part]:
    """What each concept gives; those that meet nothing are left out."""
    documents = corpus.documents
    if not documents.count:
        return []
    mean = float(documents.length[documents.live].mean())
    norm = 1 - B + B * documents.length / max(mean, 1.0)
    found = (_part(corpus, concept, norm) for concept in concepts)
    return [part for part in found if part is not None]


def _part(corpus: Corpus, concept: Concept, norm: np.ndarray) -> Part | None:
    count = corpus.documents.count
    found = np.zeros(len(norm), "<f4")
    frequency = heaviest = 0.0
    for term, weight in (*concept.terms, *concept.beside):
        places, weights = postings(corpus, concept, term)
        if len(places):
            pooled = (
                np.minimum(weights, MOST_OF_PAIR)
                if concept.kind == "pair"
                else weights / norm[places]
            )
            found[places] += np.float32(weight) * pooled
            frequency += weight * len(places)
            heaviest = max(heaviest, weight)
    instead = [each for each in concept.instead if len(postings(corpus, concept, each[0])[0])]
    if not heaviest and not instead:
        return None
    seen = min(frequency / heaviest, MOST_COMMON * count) if heaviest else 0.0
    rarity = _rarity(seen, count)
    score = np.float32(concept.weight * rarity * (K1 + 1)) * found / (found + np.float32(K1))
    for term, weight in instead:
        places, weights = postings(corpus, concept, term)
        value = weights / norm[places]
        least = weight * min(rarity, _rarity(len(places), count)) * concept.weight * (K1 + 1)
        score[places] = np.maximum(
            score[places], np.float32(least) * value / (value + np.float32(K1))
        )
    return Part(concept, rarity, score, found)


def postings(corpus: Corpus, concept: Concept, term: str) -> tuple[np.ndarray, np.ndarray]:
    """(documents, weighted frequencies) of a term, where the concept lets it count."""
    places, weights = corpus.of(term)
    bound = concept.bounds.get(term)
    if bound is None or not len(places):
        return places, weights
    here = np.isin(corpus.documents.repository[places], list(bound.repositories))
    kept = here if bound.within else ~here
    return places[kept], weights[kept]


def rare(corpus: Corpus, concept: Concept) -> bool:
    """Whether a word is so rare that other words may be meant by it."""
    return len(corpus.of(concept.terms[0][0])[0]) <= RARE * corpus.documents.count


def _rarity(frequency: float, count: int) -> float:
    return math.log(1 + (count - frequency + 0.5) / (frequency + 0.5))


def fits(corpus: Corpus, found: Sequence[Part]) -> dict[int, float]:
    """How well each repository's use of the question's words fits: log of the likelihood against that of all, smoothed."""
    documents = corpus.documents
    starts = documents.first_of_repository
    ids = documents.repository[starts]
    if not len(ids):
        return {}
    sizes = np.add.reduceat(documents.live.astype(float), starts)
    total = np.zeros(len(ids))
    for part in found:
        if part.concept.kind != "pair":
            here = np.add.reduceat(np.minimum(part.found, 1.0), starts).astype(float)
            everywhere = (here.sum() + 1) / documents.count
            share = (here + ROUTING_PRIOR * everywhere) / (sizes + ROUTING_PRIOR) / everywhere
            total += part.concept.weight * np.log(share)
    return dict(zip(ids.tolist(), total.tolist(), strict=True))


def score(
    corpus: Corpus,
    found: list[Part],
    *,
    bonus: dict[int, float],
    signals: Signals = EVERYTHING,
) -> Scores:
    """Scores of chunks and files. A file counts by its best chunk, its next ones, and every concept's best place in it.

    `bonus` is what speaks for a repository, as a share of the score.
    """
    documents = corpus.documents
    starts = documents.first_of_file
    chunks = np.zeros(len(documents.file), "<f4")
    covered = np.zeros(len(starts), "<f4")
    for part in found:
        chunks += part.score
        covered += np.maximum.reduceat(part.score, starts)
    role = documents.role if "roles" in signals else documents.live.astype("<f4")
    decided = 1 + DECIDES * np.minimum(documents.decisions, MOST_DECISIONS) / MOST_DECISIONS
    chunks *= role * documents.kind * (decided if "decisions" in signals else 1.0)
    files = _best_chunks(chunks, documents.file_of, len(starts), signals)
    if "coverage" in signals:
        files = np.where(files > 0, files + COVERAGE * covered * role[starts], 0.0)
    best = float(files.max(initial=0.0))
    repositories, slot = np.unique(documents.repository[starts], return_inverse=True)
    speaks = np.array([bonus.get(pk, 0.0) for pk in repositories.tolist()])
    return Scores(found, chunks, files / max(best, 1e-9) * (1 + speaks[slot]), best)


def _best_chunks(
    chunks: np.ndarray, file_of: np.ndarray, files: int, signals: Signals
) -> np.ndarray:
    """Each file's best chunk, and its next ones with falling weights; only the best chunks of all are looked at."""
    if len(chunks) > CANDIDATES:
        floor = np.partition(chunks, -CANDIDATES)[-CANDIDATES]
        top = np.flatnonzero((chunks >= floor) & (chunks > 0))
    else:
        top = np.flatnonzero(chunks > 0)
    top = top[np.lexsort((-chunks[top], file_of[top]))]
    owner = file_of[top]
    first = np.flatnonzero(np.r_[True, owner[1:] != owner[:-1]][: len(owner)])
    rank = np.arange(len(top)) - np.repeat(first, np.diff(np.r_[first, len(top)]))
    weight = np.where(rank == 0, 1.0, np.where(rank <= NEXT_CHUNKS, DECAY ** (rank - 1.0), 0.0))
    if "further chunks" not in signals:
        weight = np.where(rank == 0, 1.0, 0.0)
    return np.bincount(owner, chunks[top] * weight, files)
