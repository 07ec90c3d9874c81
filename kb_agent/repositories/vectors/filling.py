"""Embeds the chunks that have no vector yet, a batch a call: asynchronous, resumable, within a day's budget."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import numpy as np
from django.conf import settings
from django.db import connection, transaction
from django.db.models.functions import Now
from pgvector import HalfVector

from kb_agent.llm import account, endpoints, passage_vectors
from kb_agent.llm.protocol import ProviderDown, ProviderError
from kb_agent.repositories import mirror
from kb_agent.repositories.mirror import git
from kb_agent.repositories.models import IndexRun
from kb_agent.repositories.models.vectors import Space, Vector
from kb_agent.repositories.vectors import passages, spaces

if TYPE_CHECKING:
    from kb_agent.llm.models import Endpoint
    from kb_agent.repositories.vectors.passages import Worded

BATCH = 32
LOOKED_UP = 2000
# A worker goes on for so long, then lets what waits in its queue have a turn.
SLICE_SECONDS = 20.0
CALL_SECONDS = 120.0
LONGEST_PAUSE = 600.0
Progress = Callable[[Space], None]
Vectors = list[np.ndarray | None]
COPY = """
INSERT INTO repositories_vector (space_id, blob_id, ordinal, key, embedding)
SELECT %(space)s, p.blob, p.ordinal, p.key, known.embedding
  FROM unnest(%(blobs)s::bigint[], %(ordinals)s::int[], %(keys)s::bytea[]) AS p(blob, ordinal, key)
  JOIN LATERAL (
    SELECT v.embedding FROM repositories_vector v
     WHERE v.space_id = %(space)s AND v.key = p.key AND v.embedding IS NOT NULL LIMIT 1
  ) AS known ON true
ON CONFLICT DO NOTHING RETURNING blob_id, ordinal
"""


class BudgetUsed(Exception):
    """The day's tokens for passages are used up."""


def fill(
    space_id: int, *, seconds: float = SLICE_SECONDS, on_progress: Progress | None = None
) -> Space | None:
    """Go on filling a space for some seconds; None when it is not to be had. What stops it is noted on it."""
    space = spaces.claim(space_id)
    if space is None:
        return None
    try:
        _fill(space, time.monotonic() + seconds, on_progress)
    except spaces.Lost:
        return space
    except BudgetUsed as used:
        tomorrow = datetime.now(tz=UTC).replace(hour=0, minute=0, second=0) + timedelta(days=1)
        _pause(space, str(used), (tomorrow - datetime.now(tz=UTC)).total_seconds())
    except (ProviderError, git.GitFailed, mirror.MissingFile) as trouble:
        space.failures = min(space.failures + 1, 100)
        asked = getattr(trouble, "retry_after", None) or 0.0
        _pause(space, str(trouble), max(asked, min(5.0 * 2**space.failures, LONGEST_PAUSE)))
    finally:
        spaces.let_go(space)
    return space


def _pause(space: Space, error: str, seconds: float) -> None:
    space.error = error
    Space.objects.filter(pk=space.pk, token=space.token).update(
        error=error, failures=space.failures, paused_until=Now() + timedelta(seconds=seconds)
    )


def _fill(space: Space, until: float, on_progress: Progress | None) -> None:
    endpoint = endpoints.embedding_named(space.endpoint)
    if endpoint is None:
        raise ProviderDown(f"the embedding endpoint {space.endpoint} is not set up any more")
    endpoint.model, endpoint.inputs = space.model, space.inputs
    state = passages.state()
    space.total, space.done = passages.count(space.pk)
    spaces.note(space, "total", "done")
    missing = passages.missing(space.pk, limit=LOOKED_UP)
    # An endpoint that was too slow for a batch is given less at once.
    for batch in passages.batches(missing, max(BATCH >> space.failures, 1)):
        _write(space, endpoint, batch)
        if on_progress is not None:
            on_progress(space)
        if time.monotonic() >= until or IndexRun.objects.filter(status="waiting").exists():
            return
    if len(missing) < LOOKED_UP:
        spaces.complete(space, state)


def _write(space: Space, endpoint: Endpoint, batch: Sequence[Worded]) -> None:
    """Give a batch its vectors: those of texts known already, and the rest from the endpoint, each text once."""
    copied = _copied(space, batch)
    texts = {
        each.key: each.text
        for each in batch
        if (each.passage.blob_id, each.passage.ordinal) not in copied
    }
    found: dict[bytes, np.ndarray | None] = {}
    if texts:
        _within_budget(space)
        found = dict(zip(texts, _embedded(space, endpoint, batch, [*texts.values()]), strict=True))
    rows = [_row(space, each, found[each.key]) for each in batch if each.key in found]
    with transaction.atomic():
        Vector.objects.bulk_create(rows, ignore_conflicts=True)
        space.done, space.error, space.failures = space.done + len(batch), "", 0
        spaces.note(space, "done", "dimension", "spent", "spent_on", "error", "failures")


def _row(space: Space, each: Worded, vector: np.ndarray | None) -> Vector:
    embedding = None if vector is None else HalfVector(vector)
    passage = each.passage
    return Vector(
        space=space,
        blob_id=passage.blob_id,
        ordinal=passage.ordinal,
        key=each.key,
        embedding=embedding,
    )


def _copied(space: Space, batch: Sequence[Worded]) -> set[tuple[int, int]]:
    with connection.cursor() as cursor:
        cursor.execute(
            COPY,
            {
                "space": space.pk,
                "blobs": [each.passage.blob_id for each in batch],
                "ordinals": [each.passage.ordinal for each in batch],
                "keys": [each.key for each in batch],
            },
        )
        return set(cursor.fetchall())


def _within_budget(space: Space) -> None:
    """Raises `BudgetUsed`; a new day begins at nothing."""
    today = datetime.now(tz=UTC).date()
    if space.spent_on != today:
        space.spent_on, space.spent = today, 0
    budget = settings.EMBEDDING_TOKENS_A_DAY
    if budget and space.spent >= budget:
        raise BudgetUsed(f"today's {budget} tokens for passages are used up")


def _embedded(
    space: Space, endpoint: Endpoint, batch: Sequence[Worded], texts: list[str]
) -> Vectors:
    payer = account.of_system(
        "index", tape="indexing", sources={each.passage.repository_id for each in batch}
    )
    asked = passage_vectors.Passages(endpoint, payer, CALL_SECONDS, space.dimension)
    try:
        return asked.vectors(texts)
    finally:
        space.dimension = asked.dimension
        space.spent += asked.tokens
