"""What topics mean, as vectors: filled by a task in a space for each model, the new one beside the one that serves (P7)."""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import TYPE_CHECKING

import numpy as np
import psycopg
from django.db import connection, transaction
from django.db.models import Exists, OuterRef, Q
from django.db.models.functions import Now
from pgvector import HalfVector

from kb_agent.llm import account as accounts
from kb_agent.llm import endpoints, passage_vectors, question_vectors
from kb_agent.llm.protocol import ProviderDown, ProviderError
from topics.models.recall import RecallSpace, RecallVector, Recollection

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from kb_agent.llm.account import Account
    from kb_agent.llm.models import Endpoint
    from topics.models import Topic

log = logging.getLogger(__name__)
PURPOSE = "recall"
BATCH, CALL_SECONDS, MOST_BATCHES, PAUSE = 32, 60.0, 20, timedelta(minutes=1)
# Below so many vectors a scan of all that may be seen is faster, and exact.
ORDERED_FROM = 20_000
# Nearest topics looked at in each language: a language's own topics lie nearer whatever they say, so each counts by how
# far it stands above the middle one, in spreads of this model's likeness between any two topics.
NEAREST, FEWEST = 40, 4
SAMPLE = 100
LANGUAGES = ("zh", "en")
# One worker fills at a time: a space it holds is paused for the others.
LEASE = timedelta(minutes=5)
# Language and sight are one filter: apart, the planner, which takes arrays of sources for rare, compares each with each.
SEEN = """
SELECT v.recollection_id, 1 - (v.embedding <=> %(asked)s::halfvec) FROM topics_recallvector v
 WHERE v.space_id = {space} AND v.embedding IS NOT NULL AND v.recollection_id IN ({visible})
 ORDER BY v.embedding <=> %(asked)s::halfvec LIMIT %(limit)s
"""
ORDERED = """
SELECT v.recollection_id, 1 - (v.embedding::halfvec({numbers}) <=> %(asked)s::halfvec({numbers}))
  FROM topics_recallvector v
 WHERE v.space_id = {space} AND v.embedding IS NOT NULL AND (v.recollection_id IN ({visible})) IS TRUE
 ORDER BY v.embedding::halfvec({numbers}) <=> %(asked)s::halfvec({numbers}) LIMIT %(limit)s
"""
WALK = """
SET LOCAL hnsw.iterative_scan = relaxed_order; SET LOCAL hnsw.ef_search = 100;
SET LOCAL hnsw.max_scan_tuples = 100000; SET LOCAL enable_sort = off
"""


def meant(question: str, topics: QuerySet[Topic], *, account: Account) -> dict[int, float]:
    """How near topics are in meaning, 0 to 1; empty without a space that serves, or its endpoint."""
    space = RecallSpace.objects.filter(serves=True).first()
    endpoint = _endpoint(space) if space else None
    if space is None or endpoint is None:
        return {}
    vector = question_vectors.vector(endpoint, question, account=account, dimension=space.dimension)
    if vector is None:
        return {}
    found: dict[int, float] = {}
    spread = _spread(space)
    for language in LANGUAGES if spread else ():
        near = nearest(space, vector, topics, language)
        found |= _standing_out(near, spread)
    return found


def _standing_out(near: list[tuple[int, float]], spread: float) -> dict[int, float]:
    """Each topic by how far it stands above the middle one of the nearest; too few tell nothing."""
    if len(near) < FEWEST:
        return {}
    likeness = sorted(value for _, value in near)
    middle = likeness[len(likeness) // 2]
    return {topic: (value - middle) / spread for topic, value in near if value > middle}


def _spread(space: RecallSpace) -> float:
    """How much the likeness of two topics in one language differs by this model; 0 while too few are known."""
    rows = RecallVector.objects.filter(space=space, embedding__isnull=False).order_by("pk")
    likeness: list[np.ndarray] = []
    for language in LANGUAGES:
        some = rows.filter(recollection__language=language)[:SAMPLE]
        vectors = np.array([row.embedding for row in some], "<f4")
        if len(vectors) >= FEWEST:
            alike = vectors @ vectors.T
            likeness.append(alike[np.triu_indices(len(vectors), 1)])
    return float(np.concatenate(likeness).std()) if likeness else 0.0


def nearest(
    space: RecallSpace, vector: np.ndarray, topics: QuerySet[Topic], language: str
) -> list[tuple[int, float]]:
    """(topic, likeness) of the nearest that may be seen: of all, or by the index where they are many."""
    told = topics.filter(recollection__language=language).order_by()
    visible, parameters = told.values("pk").query.sql_with_params()
    many = space.ordered and topics.count() > ORDERED_FROM
    template = ORDERED if many else SEEN
    names = {f"p{place}": value for place, value in enumerate(parameters)}
    filled = visible % tuple(f"%(p{place})s" for place in range(len(parameters)))
    statement = template.format(
        space=int(space.pk), numbers=int(space.dimension or 0), visible=filled
    )
    asked = {"asked": HalfVector(vector).to_text(), "limit": NEAREST}
    with transaction.atomic():
        if many:
            with connection.cursor() as cursor:
                cursor.execute(WALK)
        # Never prepared: a plan made once for all filters finds too few.
        with connection.wrap_database_errors, psycopg.Cursor(connection.connection) as cursor:
            rows = cursor.execute(statement, {**names, **asked}, prepare=False)
            return [(int(topic), float(likeness)) for topic, likeness in rows]


def due() -> list[int]:
    """The space that has topics without a vector, or none; spaces of other models go once it is full."""
    space = wanted()
    if space is None or not _free().filter(pk=space.pk).exists():
        return []
    return [space.pk] if not space.serves or _missing(space).exists() else []


def wanted() -> RecallSpace | None:
    """The space of the embedding endpoint that is set up, made where it is new."""
    endpoint = endpoints.embedding()
    if endpoint is None:
        return None
    space, _ = RecallSpace.objects.get_or_create(
        endpoint=endpoint.name, model=endpoint.model, inputs=endpoint.inputs
    )
    return space


def fill(space_id: int) -> int:
    """Embed the topics that have no vector in a space; a full one serves. Returns how many were embedded."""
    if not _free().filter(pk=space_id).update(paused_until=Now() + LEASE):
        return 0
    space = RecallSpace.objects.get(pk=space_id)
    pause, error, done = None, "", 0
    try:
        done = _fill(space)
    except ProviderError as trouble:
        log.warning("topics get no vectors for now: %s", trouble)
        pause, error = Now() + PAUSE, str(trouble)[:500]
    RecallSpace.objects.filter(pk=space_id).update(paused_until=pause, error=error)
    return done


def _fill(space: RecallSpace) -> int:
    endpoint = _endpoint(space)
    if endpoint is None:
        raise ProviderDown(f"the embedding endpoint {space.endpoint} is not set up any more")
    done = 0
    for _ in range(MOST_BATCHES):
        rows = list(_missing(space).order_by("pk")[:BATCH])
        if not rows:
            _serve(space)
            break
        _embed(space, endpoint, rows)
        done += len(rows)
    return done


def _embed(space: RecallSpace, endpoint: Endpoint, rows: list[Recollection]) -> None:
    account = accounts.of_system(
        PURPOSE, tape=PURPOSE, sources={source for row in rows for source in row.sources}
    )
    asked = passage_vectors.Passages(endpoint, account, CALL_SECONDS, space.dimension)
    vectors = asked.vectors([row.text for row in rows])
    space.dimension = asked.dimension
    with transaction.atomic():
        # Those that were erased or made anew meanwhile get none of what they said before.
        held = Recollection.objects.select_for_update().filter(pk__in=[row.pk for row in rows])
        now = {row.pk: row.text for row in held}
        RecallVector.objects.bulk_create(
            [
                RecallVector(space=space, recollection_id=row.pk, embedding=_half(vector))
                for row, vector in zip(rows, vectors, strict=True)
                if now.get(row.pk) == row.text
            ],
            ignore_conflicts=True,
        )
        RecallSpace.objects.filter(pk=space.pk).update(
            dimension=space.dimension, paused_until=Now() + LEASE
        )


def _half(vector: np.ndarray | None) -> HalfVector | None:
    return None if vector is None else HalfVector(vector)


def _serve(space: RecallSpace) -> None:
    """Compare in this space from now on; the vectors of others go."""
    if not space.ordered and space.vectors.count() >= ORDERED_FROM:
        with connection.cursor() as cursor:
            cursor.execute("SELECT topics_order_recall(%s)", [space.pk])
        RecallSpace.objects.filter(pk=space.pk).update(ordered=True)
    others = RecallSpace.objects.exclude(pk=space.pk)
    with transaction.atomic():
        left = list(others.values_list("pk", flat=True))
        others.update(serves=False)
        RecallSpace.objects.filter(pk=space.pk).update(serves=True)
    for space_id in left:
        with connection.cursor() as cursor:
            cursor.execute("SELECT topics_forget_recall_order(%s)", [space_id])
    others.delete()


def _free() -> QuerySet[RecallSpace]:
    return RecallSpace.objects.filter(Q(paused_until=None) | Q(paused_until__lt=Now()))


def _missing(space: RecallSpace) -> QuerySet[Recollection]:
    # NOT EXISTS: a NOT IN of more rows than memory holds looks at all of them for each.
    held = RecallVector.objects.filter(space=space, recollection=OuterRef("pk"))
    return Recollection.objects.filter(~Exists(held), ~Q(text=""))


def _endpoint(space: RecallSpace) -> Endpoint | None:
    endpoint = endpoints.embedding_named(space.endpoint)
    if endpoint is not None:
        endpoint.model, endpoint.inputs = space.model, space.inputs
    return endpoint
