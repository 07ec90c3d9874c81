"""What is embedded: the masked text of each chunk, code that decides before the rest, tests last (C8)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.db import connection

from kb_agent.repositories import mirror
from kb_agent.repositories.evidence import excerpts
from kb_agent.repositories.models import Repository

# In this order; roles that are not named here (styles, data, migrations) are not embedded at all.
ROLES = (
    *("code", "page", "edge", "package", "config", "template", "markup"),
    *("script", "declaration", "docs", "test"),
)
# About what small embedding models read: some 400 tokens.
LONGEST = 1500
HELD = """
WITH held AS (
  SELECT f.blob_id, min(array_position(%(roles)s::text[], f.role::text)) AS place,
         min(b.repository_id) AS repository_id
    FROM repositories_file f JOIN repositories_branch b ON b.id = f.branch_id
   WHERE f.role = ANY(%(roles)s) GROUP BY f.blob_id
)
"""
MISSING = f"""{HELD}
SELECT held.repository_id, c.blob_id, l.sha, c.ordinal, c.symbol, c.start_line, c.end_line
  FROM held JOIN repositories_blob l ON l.id = held.blob_id
  JOIN repositories_chunk c ON c.blob_id = held.blob_id
 WHERE NOT EXISTS (
   SELECT FROM repositories_vector v
    WHERE v.space_id = %(space)s AND v.blob_id = c.blob_id AND v.ordinal = c.ordinal)
 ORDER BY held.place, held.repository_id, c.blob_id, c.ordinal LIMIT %(limit)s
"""  # noqa: S608 -- of constants
COUNT = f"""{HELD}
SELECT count(*), count(v.id) FROM held JOIN repositories_chunk c ON c.blob_id = held.blob_id
  LEFT JOIN repositories_vector v
    ON v.space_id = %(space)s AND v.blob_id = c.blob_id AND v.ordinal = c.ordinal
"""  # noqa: S608 -- of constants
# Changes with every writing of any branch's index.
STATE = """
SELECT md5(coalesce(string_agg(s.branch_id || ':' || s.edition, ',' ORDER BY s.branch_id), ''))
  FROM repositories_scope s
"""


@dataclass(frozen=True)
class Passage:
    """A chunk to be embedded, and where its text is read."""

    repository_id: int
    blob_id: int
    sha: str
    ordinal: int
    symbol: str
    start_line: int
    end_line: int


@dataclass(frozen=True)
class Worded:
    """A passage with its text, known by a digest of it."""

    passage: Passage
    text: str

    @property
    def key(self) -> bytes:
        """The same for the same text, in whatever blob."""
        return hashlib.sha256(self.text.encode("utf-8", "replace")).digest()[:16]


def missing(space_id: int, *, limit: int) -> list[Passage]:
    """Chunks of indexed branches that have no vector in the space, those that matter most first."""
    return [Passage(*row) for row in _rows(MISSING, space=space_id, limit=limit)]


def count(space_id: int) -> tuple[int, int]:
    """(chunks that are to be embedded, those of them that are)."""
    ((total, done),) = _rows(COUNT, space=space_id)
    return total, done


def state() -> str:
    """Names what is indexed now: another name, and there may be new chunks."""
    ((name,),) = _rows(STATE)
    return str(name)


def batches(passages: Sequence[Passage], size: int) -> Iterator[list[Worded]]:
    """Passages with their texts, so many at a time, each batch of one repository."""
    rows = Repository.objects.in_bulk({each.repository_id for each in passages})
    for repository_id, some in groupby(passages, key=lambda each: each.repository_id):
        of_one = list(some)
        for start in range(0, len(of_one), size):
            if repository_id in rows:
                yield _worded(rows[repository_id], of_one[start : start + size])


def _worded(repository: Repository, passages: Sequence[Passage]) -> list[Worded]:
    shas = sorted({each.sha for each in passages})
    lines = {sha: excerpts.masked_lines(data) for sha, data in mirror.blobs(repository, shas)}
    return [
        Worded(each, _text(each.symbol, lines[each.sha][each.start_line - 1 : each.end_line]))
        for each in passages
    ]


def _text(symbol: str, lines: Sequence[str]) -> str:
    """The chunk's name and its lines; a chunk without a word is still some text."""
    return "\n".join((symbol, *lines)).strip()[:LONGEST] or "-"


def _rows(statement: str, **parameters: Any) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, {"roles": list(ROLES), **parameters})
        return list(cursor.fetchall())
