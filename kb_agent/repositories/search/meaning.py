"""Joins what vectors find to what words find: mildly, more where a question names nothing of the code's own (C5)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from kb_agent.repositories import vectors
from kb_agent.repositories.search.why import Match

if TYPE_CHECKING:
    from kb_agent.repositories.indexing.corpus import Corpus
    from kb_agent.repositories.measuring import Signals
    from kb_agent.repositories.models import Branch
    from kb_agent.repositories.search.ranking import Scores
    from kb_agent.repositories.vectors import Nearest
    from kb_agent.repositories.vocabulary.questions import Concept

SIGNAL = "vectors"
# Chunks that count: the nearest gives its file this share of the best file's score, the last of them nothing.
MOST = 100
WEIGHT, WEIGHT_BESIDE_NAMES = 0.3, 0.1
WORDS_SHOWN = 60


def prepare(questions: Sequence[str], signals: Signals) -> None:
    """Have all wordings of a question embedded at once."""
    if SIGNAL in signals:
        vectors.prepare(questions, account=signals.account)


def asked(
    question: str, corpus: Corpus, chosen: Mapping[int, Branch], signals: Signals
) -> Nearest | None:
    """The chunks nearest to a question; None without a space of vectors, or someone who pays for the call."""
    if SIGNAL not in signals:
        return None
    scope = vectors.Scope(
        frozenset(row.repository_id for row in chosen.values()),
        frozenset(chosen),
        corpus.documents.count,
    )
    return vectors.nearest(question, scope=scope, limit=MOST, account=signals.account)


def joined(
    corpus: Corpus, scores: Scores, concepts: Sequence[Concept], near: Nearest | None
) -> Scores:
    """The scores with those of the nearest chunks added, by the weight of what each file is for."""
    if near is None or not near.scores:
        return scores
    documents = corpus.documents
    named = any(concept.terms[0][0].startswith("=") for concept in concepts)
    meant = _placed(corpus, near.scores) * documents.role * documents.kind
    meant *= WEIGHT_BESIDE_NAMES if named else WEIGHT
    top = float(scores.chunks.max(initial=0.0)) or 1.0
    return replace(
        scores,
        chunks=scores.chunks + np.float32(top) * meant,
        files=scores.files + np.maximum.reduceat(meant, documents.first_of_file),
    )


def _placed(corpus: Corpus, likeness: Mapping[tuple[int, int], float]) -> np.ndarray:
    """Of every chunk, 0 to 1: how far its likeness stands above the last of the nearest."""
    documents = corpus.documents
    keys = documents.file.astype("<i8") << 16 | documents.ordinal.astype("<i8")
    wanted = np.array([file << 16 | ordinal for file, ordinal in likeness], "<i8")
    values = np.array(list(likeness.values()))
    spread = max(float(values.max() - values.min()), 1e-6)
    order = np.argsort(wanted)
    at = np.minimum(np.searchsorted(wanted[order], keys), len(wanted) - 1)
    share = ((values - values.min()) / spread)[order][at]
    return np.where(wanted[order][at] == keys, share, 0.0).astype("<f4")


def match(near: Iterable[Nearest | None], question: str, file_id: int, name: str) -> list[Match]:
    """Why a place is shown that met no word: it is near to the question."""
    if any(each and file_id in {file for file, _ in each.scores} for each in near):
        return [Match("meaning", question[:WORDS_SHOWN], name)]
    return []


def told(near: Iterable[Nearest | None]) -> list[str]:
    """What is said beside the words that were tried when vectors should have taken part and could not."""
    return [vectors.UNAVAILABLE] if any(each and each.unavailable for each in near) else []
