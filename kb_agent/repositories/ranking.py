"""Scores chunks against a question's groups: BM25F over packed postings, file roles, several good chunks of a file.

Okapi BM25 (Robertson and Zaragoza, 2009) with field weights inside the term frequency (BM25F). Statistics are taken
over the scopes the asker may read and no others, so that what is hidden moves nothing (C7).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import psycopg
from django.db import connection

from kb_agent.repositories import roles
from kb_agent.repositories.postings import DOCUMENT, POSTING

if TYPE_CHECKING:
    from kb_agent.repositories.questions import Group

K1 = 1.2
B = 0.6
SYMBOL, BODY, PATH = 2.5, 1.0, 1.5
NEXT_CHUNKS = (1.0, 0.5, 0.25, 0.12)
MOST_DOCUMENTS = 600
MOST_OF_A_FILE = 3
FURTHER = 0.9
# One statement, so that documents and postings are of one moment even while a scope is written.
READ = """
SELECT s.id, b.repository_id, b.id, '', s.documents
  FROM repositories_scope s JOIN repositories_branch b ON b.id = s.branch_id
 WHERE b.repository_id = ANY(%(repositories)s) AND b.id = ANY(%(branches)s)
UNION ALL
SELECT s.id, b.repository_id, b.id, t.term, t.postings
  FROM repositories_scope s JOIN repositories_branch b ON b.id = s.branch_id
  JOIN repositories_term t ON t.scope_id = s.id AND t.term = ANY(%(terms)s)
 WHERE b.repository_id = ANY(%(repositories)s) AND b.id = ANY(%(branches)s)
"""


@dataclass
class Corpus:
    """Every document of the scopes read, one after another, and the postings of the terms asked for."""

    documents: np.ndarray
    branches: np.ndarray
    repositories: np.ndarray
    postings: dict[str, np.ndarray] = field(default_factory=dict)


@dataclass(frozen=True)
class Scored:
    """A chunk and its score; `shares` says which group gave how much."""

    number: int
    file_id: int
    ordinal: int
    branch_id: int
    repository_id: int
    score: float
    shares: tuple[tuple[int, float], ...]


def read(repositories: Sequence[int], branches: Sequence[int], groups: Iterable[Group]) -> Corpus:
    """The part of the index that a question needs."""
    wanted = sorted({term for group in groups for term in group.terms})
    rows = _rows({"repositories": list(repositories), "branches": list(branches), "terms": wanted})
    scopes = sorted((row for row in rows if row[3] == ""), key=lambda row: row[0])
    first: dict[int, int] = {}
    sizes: list[int] = []
    parts: list[np.ndarray] = []
    for scope, _, _, _, packed in scopes:
        part = np.frombuffer(packed, DOCUMENT)
        first[scope] = sum(sizes)
        sizes.append(len(part))
        parts.append(part)
    documents = np.concatenate(parts) if parts else np.empty(0, DOCUMENT)
    return Corpus(
        documents,
        np.repeat(np.array([row[2] for row in scopes], "<i8"), sizes),
        np.repeat(np.array([row[1] for row in scopes], "<i8"), sizes),
        _postings(rows, first, documents),
    )


def _rows(parameters: dict[str, object]) -> list[tuple[int, int, int, str, bytes]]:
    """Rows of `READ`, in the binary form: as text, packed bytes would travel at twice their length."""
    connection.ensure_connection()
    with connection.wrap_database_errors, psycopg.Cursor(connection.connection) as cursor:
        return list(cursor.execute(READ, parameters, binary=True, prepare=False))


def _postings(
    rows: list[tuple[int, int, int, str, bytes]], first: dict[int, int], documents: np.ndarray
) -> dict[str, np.ndarray]:
    found: dict[str, list[np.ndarray]] = {}
    for scope, _, _, term, packed in rows:
        if term and scope in first:
            part = np.frombuffer(packed, POSTING).copy()
            part["document"] += first[scope]
            found.setdefault(term, []).append(part)
    joined = {term: np.concatenate(parts) for term, parts in found.items()}
    return {term: part[documents["dead"][part["document"]] == 0] for term, part in joined.items()}


def score(
    corpus: Corpus, groups: Sequence[Group]
) -> tuple[np.ndarray, dict[int, tuple[np.ndarray, np.ndarray]]]:
    """Scores of every document, and for each group the documents it stands in with what it gave."""
    documents = corpus.documents
    total = len(documents) - int(documents["dead"].sum())
    scores = np.zeros(len(documents), "f4")
    given: dict[int, tuple[np.ndarray, np.ndarray]] = {}
    if not total:
        return scores, given
    length = documents["length"].astype("f4")
    norm = K1 * (1 - B + B * length / max(float(length.mean()), 1.0))
    weights = np.array([roles.WEIGHTS[role] for role in roles.ROLES], "f4")[documents["role"]]
    for number, group in enumerate(groups):
        places, frequency = _frequency(corpus, group)
        if not len(places):
            continue
        rarity = np.log(1 + (total - len(places) + 0.5) / (len(places) + 0.5))
        share = (
            group.weight
            * rarity
            * frequency
            * (K1 + 1)
            / (frequency + norm[places])
            * weights[places]
        )
        scores[places] += share
        given[number] = (places, share)
    return scores, given


def _frequency(corpus: Corpus, group: Group) -> tuple[np.ndarray, np.ndarray]:
    """Documents of a group and its weighted frequency there: its terms are pooled as one word."""
    parts = [
        (corpus.postings[term], chance)
        for term, chance in group.terms.items()
        if term in corpus.postings
    ]
    if not parts:
        return np.empty(0, "<i8"), np.empty(0, "f4")
    best = max(chance for _, chance in parts)
    places = np.concatenate([rows["document"] for rows, _ in parts])
    weighted = np.concatenate(
        [_weighted(rows) * np.float32(chance / best) for rows, chance in parts]
    )
    unique, slot = np.unique(places, return_inverse=True)
    return unique, np.bincount(slot, weighted).astype("f4")


def _weighted(rows: np.ndarray) -> np.ndarray:
    return SYMBOL * rows["symbol"].astype("f4") + BODY * rows["body"] + PATH * rows["path"]


def best(
    corpus: Corpus, groups: Sequence[Group], *, boosts: dict[int, float], limit: int
) -> list[Scored]:
    """The best places. A file counts by its best chunk and a little by its next ones; its further chunks follow with less.

    `boosts` multiply a repository's scores.
    """
    scores, given = score(corpus, groups)
    for repository, boost in boosts.items():
        scores[corpus.repositories == repository] *= boost
    count = min(MOST_DOCUMENTS, int((scores > 0).sum()))
    top = np.argpartition(-scores, count - 1)[:count] if count else np.empty(0, "<i8")
    top = top[np.argsort(-scores[top], kind="stable")]
    files: dict[int, list[int]] = {}
    for place in top.tolist():
        files.setdefault(int(corpus.documents["file"][place]), []).append(place)
    ranked: list[tuple[float, int]] = []
    for places in files.values():
        together = _together(scores, places)
        for order, place in enumerate(places[:MOST_OF_A_FILE]):
            ranked.append(
                (together * FURTHER**order * float(scores[place] / scores[places[0]]), place)
            )
    ranked.sort(key=lambda item: (-item[0], item[1]))
    return [_scored(corpus, given, place, value) for value, place in ranked[:limit]]


def _together(scores: np.ndarray, places: list[int]) -> float:
    """A file's score: its best chunk, and a little for the next ones."""
    return sum(
        float(scores[place]) * share for place, share in zip(places, NEXT_CHUNKS, strict=False)
    )


def _scored(
    corpus: Corpus, given: dict[int, tuple[np.ndarray, np.ndarray]], place: int, value: float
) -> Scored:
    shares = []
    for number, (places, share) in given.items():
        index = int(np.searchsorted(places, place))
        if index < len(places) and places[index] == place:
            shares.append((number, float(share[index])))
    document = corpus.documents[place]
    return Scored(
        place,
        int(document["file"]),
        int(document["ordinal"]),
        int(corpus.branches[place]),
        int(corpus.repositories[place]),
        value,
        tuple(sorted(shares, key=lambda item: -item[1])),
    )
