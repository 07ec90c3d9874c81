"""Chooses the places to show: the best chunks of the best files, neighbours joined."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from kb_agent.repositories.measuring import EVERYTHING, Signals

if TYPE_CHECKING:
    from kb_agent.repositories.indexing.corpus import Corpus
    from kb_agent.repositories.search.ranking import Part, Scores

# Files listed; of the first ones several places each; what a place falls behind its file's best by.
FILES, DEEP, PLACES, SPREAD = 40, 15, 10, 0.7
# Rare within the file counts, and so does what decides.
LOCAL = 0.25
DECIDES, MOST_DECISIONS = 0.2, 8.0
# Places of a file so near to one another are one, unless it would be longer than this.
GAP, LONGEST, LOOKED_AT = 20, 100, 14


@dataclass(frozen=True)
class Place:
    """Lines of a file: `number` is the document of its best chunk."""

    number: int
    file_id: int
    ordinal: int
    branch_id: int
    repository_id: int
    start_line: int
    end_line: int
    score: float


def best(
    corpus: Corpus, scores: Scores, *, limit: int, signals: Signals = EVERYTHING
) -> list[Place]:
    """The best places, best first."""
    order = np.lexsort((np.arange(len(scores.files)), -scores.files))[:FILES]
    listed: list[tuple[float, int]] = []
    for rank, file in enumerate(order.tolist()):
        if scores.files[file] <= 0:
            break
        ids = _chunks_of(corpus, file)
        value = scores.chunks[ids].astype(float)
        if rank < DEEP:
            value = _within(corpus, ids, value, scores.parts)
        top = np.lexsort((ids, -value))[: PLACES if rank < DEEP else 1]
        listed += [
            (float(scores.files[file] * (value[i] / value[top[0]]) ** SPREAD), int(ids[i]))
            for i in top.tolist()
            if value[i] > 0
        ]
    listed.sort(key=lambda each: (-each[0], each[1]))
    places = [_place(corpus, number, score) for score, number in listed]
    return (_joined(places) if "joining" in signals else places)[:limit]


def _chunks_of(corpus: Corpus, file: int) -> np.ndarray:
    starts = corpus.documents.first_of_file
    end = starts[file + 1] if file + 1 < len(starts) else len(corpus.documents.file)
    return np.arange(starts[file], end)


def _within(
    corpus: Corpus, ids: np.ndarray, value: np.ndarray, parts: Sequence[Part]
) -> np.ndarray:
    """Words that stand everywhere in the file say little about where in it; what decides says more."""
    if len(ids) > 2:
        local = np.zeros(len(ids))
        for part in parts:
            given = part.score[ids]
            most = float(given.max())
            if most > 0:
                seen = float(np.minimum(given / most * 2, 1).sum())
                rarity = math.log(1 + (len(ids) - seen + 0.5) / (seen + 0.5))
                local += given * rarity / math.log(1 + len(ids))
        value = value + LOCAL * local * value.max() / max(float(local.max()), 1e-9)
    decisions = np.minimum(corpus.documents.decisions[ids], MOST_DECISIONS) / MOST_DECISIONS
    decided: np.ndarray = value * (1 + DECIDES * decisions)
    return decided


def _place(corpus: Corpus, number: int, score: float) -> Place:
    documents = corpus.documents
    return Place(
        number,
        int(documents.file[number]),
        int(documents.ordinal[number]),
        int(documents.branch[number]),
        int(documents.repository[number]),
        int(documents.start[number]),
        int(documents.end[number]),
        score,
    )


def _joined(places: Sequence[Place]) -> list[Place]:
    """Places of a file that lie close together as one, at the rank of the best."""
    kept: list[Place] = []
    for place in places:
        near = next((i for i, other in enumerate(kept[:LOOKED_AT]) if _close(place, other)), None)
        if near is None:
            kept.append(place)
        else:
            other = kept[near]
            kept[near] = replace(
                other,
                start_line=min(place.start_line, other.start_line),
                end_line=max(place.end_line, other.end_line),
            )
    return kept


def _close(one: Place, other: Place) -> bool:
    if one.file_id != other.file_id:
        return False
    first, last = min(one.start_line, other.start_line), max(one.end_line, other.end_line)
    apart = max(one.start_line, other.start_line) - min(one.end_line, other.end_line) - 1
    return apart <= GAP and last - first < LONGEST
