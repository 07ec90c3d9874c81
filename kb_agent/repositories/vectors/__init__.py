"""Finds the chunks that mean what a question means: one more signal, which search does without when it must (C5, C7)."""

from __future__ import annotations

import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import psycopg
from django.db import connection, transaction
from pgvector import HalfVector

from kb_agent.llm import embeddings, endpoints
from kb_agent.llm.protocol import ProviderDown, ProviderError
from kb_agent.repositories import secrets
from kb_agent.repositories.vectors import spaces

if TYPE_CHECKING:
    import numpy as np

    from kb_agent.llm.account import Account
    from kb_agent.repositories.models.vectors import Space

log = logging.getLogger(__name__)
# A question does not wait longer for its embedding, and an endpoint that failed is left alone for so long.
DEADLINE_SECONDS, REST_SECONDS = 1.5, 30.0
REMEMBERED, REMEMBERED_SECONDS = 256, 300.0
# Told among the words that were tried, to readers of either language.
UNAVAILABLE = "vectors unavailable · 向量不可用"
VISIBLE = """
  FROM repositories_file f JOIN repositories_branch b ON b.id = f.branch_id
 WHERE b.repository_id = ANY(%(repositories)s) AND b.id = ANY(%(branches)s)
"""
# Looks at every vector that may be seen, and at no other: `OFFSET 0` keeps the order of the two steps.
EXACT = f"""
WITH visible AS MATERIALIZED (SELECT f.id, f.blob_id {VISIBLE})
SELECT visible.id, near.ordinal, near.distance FROM visible CROSS JOIN LATERAL (
  SELECT v.ordinal, v.embedding <=> %(asked)s::halfvec AS distance FROM repositories_vector v
   WHERE v.space_id = {{space}} AND v.blob_id = visible.blob_id AND v.embedding IS NOT NULL OFFSET 0
) AS near ORDER BY near.distance LIMIT %(limit)s
"""  # noqa: S608 -- of constants
# Walks the index of neighbours, and on until enough of them may be seen. `IS TRUE` keeps the filter where the walk is.
ORDERED = f"""
WITH near AS MATERIALIZED (
  SELECT v.blob_id, v.ordinal, v.embedding::halfvec({{numbers}}) <=> %(asked)s::halfvec({{numbers}}) AS distance
    FROM repositories_vector v
   WHERE v.space_id = {{space}} AND (v.blob_id IN (SELECT f.blob_id {VISIBLE})) IS TRUE
   ORDER BY v.embedding::halfvec({{numbers}}) <=> %(asked)s::halfvec({{numbers}}) LIMIT %(limit)s
)
SELECT f.id, near.ordinal, near.distance FROM near JOIN repositories_file f ON f.blob_id = near.blob_id
  JOIN repositories_branch b ON b.id = f.branch_id
 WHERE b.repository_id = ANY(%(repositories)s) AND b.id = ANY(%(branches)s)
 ORDER BY near.distance LIMIT %(limit)s
"""  # noqa: S608 -- of constants
WALK = """
SET LOCAL hnsw.iterative_scan = relaxed_order; SET LOCAL hnsw.ef_search = 100;
SET LOCAL hnsw.max_scan_tuples = 100000; SET LOCAL enable_sort = off
"""
Rows = list[tuple[int, int, float]]


@dataclass(frozen=True)
class Scope:
    """What may be seen: branches of repositories that the asker reads, and about how many chunks they hold."""

    repositories: frozenset[int]
    branches: frozenset[int]
    chunks: int


@dataclass(frozen=True)
class Nearest:
    """Likeness (cosine) by file and chunk; `unavailable` says that the endpoint could not be asked."""

    scores: dict[tuple[int, int], float]
    unavailable: bool = False


class _Memory:
    """Questions embedded a short while ago, and endpoints that are left alone."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._vectors: OrderedDict[tuple[int, str], tuple[float, np.ndarray]] = OrderedDict()
        self._resting: dict[int, float] = {}

    def get(self, space: int, text: str) -> np.ndarray | None:
        with self._lock:
            until, vector = self._vectors.get((space, text), (0.0, None))
        return vector if until > time.monotonic() else None

    def keep(self, space: int, text: str, vector: np.ndarray) -> None:
        with self._lock:
            self._vectors[space, text] = (time.monotonic() + REMEMBERED_SECONDS, vector)
            self._vectors.move_to_end((space, text))
            while len(self._vectors) > REMEMBERED:
                self._vectors.popitem(last=False)

    def rest(self, space: int) -> None:
        self._resting[space] = time.monotonic() + REST_SECONDS

    def rests(self, space: int) -> bool:
        return self._resting.get(space, 0.0) > time.monotonic()

    def clear(self) -> None:
        with self._lock:
            self._vectors.clear()
            self._resting.clear()


memory = _Memory()


def prepare(questions: Sequence[str], *, account: Account | None) -> None:
    """Embed several wordings in one call, so that `nearest` waits for none of them."""
    space = spaces.active() if account is not None else None
    if space is None or account is None or memory.rests(space.pk):
        return
    masked = dict.fromkeys(secrets.mask(question).text for question in questions)
    missing = [text for text in masked if memory.get(space.pk, text) is None]
    try:
        _embed(space, missing, account)
    except ProviderError as error:
        memory.rest(space.pk)
        log.warning("search goes on without vectors: %s", error)


def nearest(question: str, *, scope: Scope, limit: int, account: Account | None) -> Nearest | None:
    """The chunks in scope that are nearest to a question; None when no space serves or nobody pays for the call."""
    space = spaces.active() if account is not None else None
    if space is None:
        return None
    prepare([question], account=account)
    vector = memory.get(space.pk, secrets.mask(question).text)
    if vector is None:
        return Nearest({}, unavailable=True)
    rows = near(space, vector, scope=scope, limit=limit)
    return Nearest({(file, ordinal): 1.0 - distance for file, ordinal, distance in rows})


def _embed(space: Space, texts: list[str], account: Account) -> None:
    """Remember the vectors of texts. Raises ProviderError."""
    if not texts:
        return
    endpoint = endpoints.embedding_named(space.endpoint)
    if endpoint is None:
        raise ProviderDown(f"the embedding endpoint {space.endpoint} is not set up any more")
    endpoint.model, endpoint.inputs = space.model, space.inputs
    answered = embeddings.embed(
        endpoint,
        texts,
        use="query",
        account=account,
        seconds=DEADLINE_SECONDS,
        dimension=space.dimension,
    )
    for text, vector in zip(texts, answered.vectors, strict=True):
        memory.keep(space.pk, text, vector)


def near(
    space: Space,
    vector: np.ndarray,
    *,
    scope: Scope,
    limit: int,
    ordered_from: int = spaces.ORDERED_FROM,
) -> Rows:
    """(file, ordinal, distance), nearest first: of all that may be seen, or by the index where that is much.

    The index finds fewer than are there when hardly any may be seen: then all are looked at after all.
    """
    parameters = {
        "asked": HalfVector(vector).to_text(),
        "repositories": list(scope.repositories),
        "branches": list(scope.branches),
        "limit": limit,
    }
    names = {"space": int(space.pk), "numbers": int(space.dimension or 0)}
    if space.ordered and scope.chunks > ordered_from:
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute(WALK)
            found = _rows(ORDERED.format(**names), parameters)
        if len(found) == limit:
            return found
    return _rows(EXACT.format(**names), parameters)


def _rows(statement: str, parameters: dict[str, object]) -> Rows:
    """Never prepared: a plan made once for all filters finds too few (docs/decisions/0007)."""
    connection.ensure_connection()
    with connection.wrap_database_errors, psycopg.Cursor(connection.connection) as cursor:
        return list(cursor.execute(statement, parameters, prepare=False))
