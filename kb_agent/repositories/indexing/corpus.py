"""Reads the part of the index that a question needs, of one moment, grants inside the statement (C7).

Small columns of every document are kept in the process, known by their scope's edition, which every writing changes; so
several workers and a writing beside them never meet a stale or mixed state.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import psycopg
from django.db import connection

from kb_agent.repositories.indexing import analysis, fields
from kb_agent.repositories.indexing.postings import DOCUMENT, POSTING
from kb_agent.repositories.structure import roles

MOST_REMEMBERED = 4
# One statement, so that documents and postings are of one moment even while a scope is written. Documents that the
# process holds in the same edition are not sent again.
READ = """
WITH chosen AS (
  SELECT s.id, s.edition, b.id AS branch, b.repository_id, s.documents, h.edition AS held
    FROM repositories_scope s JOIN repositories_branch b ON b.id = s.branch_id
    LEFT JOIN unnest(%(scopes)s::bigint[], %(editions)s::bigint[]) AS h(scope, edition) ON h.scope = s.id
   WHERE b.repository_id = ANY(%(repositories)s) AND b.id = ANY(%(branches)s)
)
SELECT id, edition, branch, repository_id, NULL AS term, NULL AS root,
       CASE WHEN edition = held THEN NULL ELSE documents END
  FROM chosen
UNION ALL
SELECT c.id, c.edition, c.branch, c.repository_id, t.term, t.root, t.postings
  FROM repositories_term t JOIN chosen c ON c.id = t.scope_id WHERE t.term = ANY(%(terms)s)
UNION ALL
SELECT c.id, c.edition, c.branch, c.repository_id, t.term, t.root, t.postings
  FROM repositories_term t JOIN chosen c ON c.id = t.scope_id
 WHERE t.root = ANY(%(roots)s) AND t.term <> ALL(%(terms)s)
"""
Row = tuple[int, int, int, int, str | None, str | None, bytes | None]
Postings = tuple[np.ndarray, np.ndarray]
NOTHING: Postings = (np.empty(0, "<i8"), np.empty(0, "<f4"))
# Fewer chunks than this make no relative of a word: names of one place.
FEWEST_OF_RELATIVE = 3


@dataclass(frozen=True)
class Documents:
    """Columns of all chunks, one after another; chunks of a file stand together."""

    file: np.ndarray
    ordinal: np.ndarray
    start: np.ndarray
    end: np.ndarray
    length: np.ndarray
    decisions: np.ndarray
    role: np.ndarray
    kind: np.ndarray
    live: np.ndarray
    branch: np.ndarray
    repository: np.ndarray
    first_of_scope: Mapping[int, int]
    first_of_repository: np.ndarray
    first_of_file: np.ndarray
    file_of: np.ndarray
    count: int


@dataclass
class Corpus:
    """What a question meets: documents, and postings of the terms asked for."""

    documents: Documents
    postings: Mapping[str, Postings] = field(default_factory=dict)
    relatives: Mapping[str, list[str]] = field(default_factory=dict)

    def of(self, term: str) -> Postings:
        """(documents, weighted frequencies) of a term, in the order of documents."""
        return self.postings.get(term, NOTHING)


def joined(one: Corpus, other: Corpus) -> Corpus:
    """Postings of two readings; those of the first alone when a scope was written in between."""
    if one.documents is not other.documents:
        return one
    return Corpus(one.documents, {**other.postings, **one.postings}, one.relatives)


class _Memory:
    """Documents that were read, the last used kept."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._scopes: OrderedDict[tuple[int, int], np.ndarray] = OrderedDict()
        self._joined: OrderedDict[tuple[tuple[int, int], ...], Documents] = OrderedDict()

    def held(self) -> dict[int, int]:
        """Editions by scope."""
        with self._lock:
            return dict(self._scopes.keys())

    def take(self, rows: Sequence[Row]) -> list[tuple[Row, np.ndarray]]:
        """The documents of each row, those just read remembered."""
        found: list[tuple[Row, np.ndarray]] = []
        with self._lock:
            for row in rows:
                key = (row[0], row[1])
                if row[6] is not None:
                    for old in [each for each in self._scopes if each[0] == row[0]]:
                        del self._scopes[old]
                    self._scopes[key] = np.frombuffer(row[6], DOCUMENT)
                found.append((row, self._scopes[key]))
        return found

    def joined(self, rows: Sequence[Row]) -> Documents:
        """The documents of all rows as one; raises KeyError for one that is held no longer."""
        parts = self.take(rows)
        key = tuple((row[0], row[1]) for row in rows)
        with self._lock:
            if key in self._joined:
                self._joined.move_to_end(key)
                return self._joined[key]
        made = _join(parts)
        with self._lock:
            self._joined[key] = made
            while len(self._joined) > MOST_REMEMBERED:
                self._joined.popitem(last=False)
        return made


_memory = _Memory()


def read(
    repositories: Iterable[int],
    branches: Iterable[int],
    terms: Collection[str],
    roots: Collection[str] = (),
) -> Corpus:
    """The documents of the branches and the postings of the terms, and of those whose root is asked for."""
    parameters: dict[str, object] = {
        "repositories": list(repositories),
        "branches": list(branches),
        "terms": list(terms),
        "roots": list(roots),
    }
    try:
        return _read(parameters, _memory.held())
    except KeyError:  # forgotten between the statement and now
        return _read(parameters, {})


def _read(parameters: dict[str, object], held: dict[int, int]) -> Corpus:
    rows = _rows(parameters | {"scopes": list(held), "editions": list(held.values())})
    scopes = sorted((row for row in rows if row[4] is None), key=lambda row: row[0])
    documents = _memory.joined(scopes)
    return Corpus(documents, *_postings(rows, documents))


def _rows(parameters: Mapping[str, object]) -> list[Row]:
    """Rows of `READ`, in the binary form: as text, packed bytes would travel at twice their length."""
    connection.ensure_connection()
    with connection.wrap_database_errors, psycopg.Cursor(connection.connection) as cursor:
        return list(cursor.execute(READ, parameters, binary=True, prepare=False))


def _postings(
    rows: list[Row], documents: Documents
) -> tuple[dict[str, Postings], dict[str, list[str]]]:
    parts: dict[str, list[Postings]] = {}
    roots: dict[str, str] = {}
    # In the order of documents, so that the places of a term are too: whoever asks for one looks it up by halving.
    for scope, _, _, _, term, root, packed in sorted(rows, key=lambda row: row[0]):
        if term is not None and packed is not None:
            part = np.frombuffer(packed, POSTING)
            places = part["document"].astype("<i8") + documents.first_of_scope[scope]
            parts.setdefault(term, []).append(
                (places, part["weight"].astype("<f4") / fields.TENTHS)
            )
            if root is not None:
                roots[term] = root
    found: dict[str, Postings] = {}
    all_live = bool(documents.live.all())
    for term, some in parts.items():
        places, weights = (np.concatenate(each) for each in zip(*some, strict=True))
        if not all_live:
            kept = documents.live[places]
            places, weights = places[kept], weights[kept]
        found[term] = (places, weights)
    relatives: dict[str, list[str]] = {}
    for term, root in sorted(roots.items(), key=lambda item: (-len(found[item[0]][0]), item[0])):
        if len(found[term][0]) >= FEWEST_OF_RELATIVE:
            relatives.setdefault(root, []).append(term)
    return found, relatives


def _join(parts: Sequence[tuple[Row, np.ndarray]]) -> Documents:
    rows = [part for _, part in parts]
    joined = np.concatenate(rows) if rows else np.empty(0, DOCUMENT)
    sizes = [len(part) for part in rows]
    branch = np.repeat(np.array([row[2] for row, _ in parts], "<i8"), sizes)
    repository = np.repeat(np.array([row[3] for row, _ in parts], "<i8"), sizes)
    first = np.flatnonzero(np.r_[True, joined["file"][1:] != joined["file"][:-1]][: len(joined)])
    lengths = np.diff(np.r_[first, len(joined)])
    weights = np.array([roles.WEIGHTS[role] for role in roles.ROLES], "<f4")
    kinds = np.array([KIND_WEIGHTS[kind] for kind in range(len(KIND_WEIGHTS))], "<f4")
    live = joined["dead"] == 0
    return Documents(
        file=joined["file"].copy(),
        ordinal=joined["ordinal"].copy(),
        start=joined["start"].astype("<i8"),
        end=joined["end"].astype("<i8"),
        length=joined["length"].astype("<f4") / fields.TENTHS,
        decisions=joined["decisions"].astype("<f4"),
        role=weights[joined["role"]] * live,
        kind=kinds[joined["kind"]],
        live=live,
        branch=branch,
        repository=repository,
        first_of_scope={row[0]: sum(sizes[:at]) for at, (row, _) in enumerate(parts)},
        first_of_repository=np.flatnonzero(
            np.r_[True, repository[1:] != repository[:-1]][: len(repository)]
        ),
        first_of_file=first,
        file_of=np.repeat(np.arange(len(first)), lengths),
        count=int(live.sum()),
    )


KIND_WEIGHTS = {analysis.DEFINES: 1.0, analysis.BETWEEN: 0.85, analysis.TEXT: 0.8}
