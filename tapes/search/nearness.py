"""Which entries are nearest to a vector, among those the reader may see: the filter is in the query."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import psycopg
from django.db import connection, transaction
from pgvector import HalfVector

from tapes.search import meaning

if TYPE_CHECKING:
    from tapes.search.meaning import Space

LIKE_ENOUGH = 0.2
"""Below this likeness (cosine) nothing is called near, whatever else there is."""
CLOSE_BEHIND = 0.15
"""How far behind the nearest entry another may stand."""
MOST = 10
"""Entries found by meaning alone; more would be noise."""
_PASSAGES = 4
"""Passages looked at for every entry wanted: the best of an entry counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Where:
    """Entries that may be seen: of whole tapes (None: of all), and of topics on others."""

    tapes: Sequence[int] | None
    topics: Sequence[int] = ()
    readable: frozenset[int]
    """Repositories whose text may be shown."""
    kinds: Sequence[str] = ()
    """Empty means every kind."""
    fork_id: int | None = None
    """A fork that is shown although it is not merged."""


@dataclass(frozen=True, slots=True)
class Near:
    """An entry that is near, by the passage of it that is nearest."""

    tape_id: int
    seq: int
    score: float
    begins: int
    """Where the passage begins in the entry's text."""


# Forks are asked row by row: `merged` alone would be a list as long as the database is old.
_ALLOWED = """
    v.space_id = {space} AND (v.sources <@ %(readable)s::bigint[]) IS TRUE
    AND (v.fork_id IS NULL OR v.fork_id = %(fork)s::bigint OR (
        SELECT f.state = 'merged' FROM tapes_fork AS f WHERE f.id = v.fork_id)) IS TRUE
    AND (%(kinds)s::text[] IS NULL OR v.kind = ANY (%(kinds)s::text[]))
    AND (%(tapes)s::bigint[] IS NULL OR v.tape_id = ANY (%(tapes)s::bigint[])
         OR v.topic_id = ANY (%(topics)s::bigint[]))
"""
_COUNT = f"""
SELECT count(*) FROM (SELECT FROM tapes_entryvector AS v WHERE {_ALLOWED} LIMIT %(most)s) AS counted
"""  # noqa: S608 -- of constants
# `OFFSET 0` keeps the two steps apart: choose what may be seen, then compare all of it.
_EXACT = f"""
SELECT tape_id, seq, begins, distance FROM (
    SELECT v.tape_id, v.seq, v.begins, v.embedding <=> %(asked)s::halfvec AS distance
    FROM tapes_entryvector AS v WHERE {_ALLOWED} OFFSET 0) AS near
ORDER BY distance LIMIT %(limit)s
"""  # noqa: S608 -- of constants
_ORDERED = f"""
SELECT v.tape_id, v.seq, v.begins,
       v.embedding::halfvec({{numbers}}) <=> %(asked)s::halfvec({{numbers}}) AS distance
FROM tapes_entryvector AS v WHERE {_ALLOWED}
ORDER BY v.embedding::halfvec({{numbers}}) <=> %(asked)s::halfvec({{numbers}}) LIMIT %(limit)s
"""  # noqa: S608 -- of constants
_WALK = """
SET LOCAL hnsw.iterative_scan = relaxed_order; SET LOCAL hnsw.ef_search = 100;
SET LOCAL hnsw.max_scan_tuples = 100000; SET LOCAL enable_sort = off
"""
_Rows = list[tuple[Any, ...]]


def near(
    space: Space, vector: Any, where: Where, *, limit: int = MOST, ordered_from: int | None = None
) -> list[Near]:
    """Return the entries nearest to a vector of a space, the nearest first.

    All that may be seen are compared while they are few; else the index is walked until enough of
    what may be seen is found, and where that ends early all are compared after all.
    """
    most = (meaning.ORDERED_FROM if ordered_from is None else ordered_from) + 1
    parameters: dict[str, object] = {
        "asked": HalfVector(vector).to_text(),
        "readable": sorted(where.readable),
        "fork": where.fork_id,
        "kinds": list(where.kinds) or None,
        "tapes": None if where.tapes is None else list(where.tapes),
        "topics": list(where.topics),
        "limit": limit * _PASSAGES,
        "most": most,
    }
    names = {"space": int(space.pk), "numbers": int(space.dimension or 0)}
    if space.ordered and _rows(_COUNT.format(**names), parameters)[0][0] == most:
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute(_WALK)
            found = _rows(_ORDERED.format(**names), parameters)
        if len(found) == parameters["limit"]:
            return _best(sorted(found, key=lambda row: float(row[3])), limit)
    return _best(_rows(_EXACT.format(**names), parameters), limit)


def _best(rows: _Rows, limit: int) -> list[Near]:
    """The nearest passage of each entry, as long as it is like enough."""
    found: dict[tuple[int, int], Near] = {}
    for tape_id, seq, begins, distance in rows:
        score = round(1.0 - float(distance), 4)
        least = max(LIKE_ENOUGH, next(iter(found.values())).score - CLOSE_BEHIND if found else 0.0)
        if len(found) == limit or score < least:
            break
        found.setdefault((tape_id, seq), Near(tape_id, seq, score, begins))
    return list(found.values())


def _rows(statement: str, parameters: dict[str, object]) -> _Rows:
    """Never prepared: a plan made once would serve ten entries and a million alike."""
    connection.ensure_connection()
    with connection.wrap_database_errors, psycopg.Cursor(connection.connection) as cursor:
        return list(cursor.execute(statement, parameters, prepare=False))
