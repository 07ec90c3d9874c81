"""The topics that `bench_recall_vectors` measures: rows to recall and their vectors, in clusters as subjects lie."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from django.db import connection
from pgvector import HalfVector

from kb_agent.accounts.models import User
from tapes import store
from topics.models.recall import RecallSpace

NUMBERS, CLUSTERS, SPREAD = 384, 300, 0.06
# One topic in so many is the little reader's.
RARE = 100
WRITTEN = """
WITH made AS (
  INSERT INTO topics_topic (tape_id, owner_id, title, summary, status, reason, initial_seq, finalized_seq,
      sources, finalized_at, finalize_requested, finalize_actor)
  SELECT %(tape)s, CASE WHEN number %% %(rare)s = 0 THEN %(little)s ELSE %(much)s END, 'A topic', '', 'finalized',
      'owner', 2 * number + 1, 2 * number + 2, '{}', now(), '', ''
    FROM generate_series(0, %(size)s - 1) AS number ORDER BY number
  RETURNING id)
INSERT INTO topics_recollection (topic_id, language, words, landed, cited, text, sources)
SELECT id, 'en', '{}', '[]', '[]', 'A topic', '{}' FROM made ORDER BY id
RETURNING topic_id
"""
VECTORS = "COPY topics_recallvector (space_id, recollection_id, embedding) FROM STDIN"
_chance = np.random.default_rng(7)


@dataclass(frozen=True)
class Company:
    """Its space of vectors, who has one topic in a hundred, who has all others, and every vector by topic."""

    space: RecallSpace
    little: User
    much: User
    topics: np.ndarray
    owners: np.ndarray
    vectors: np.ndarray
    centres: np.ndarray

    def exact(self, asked: np.ndarray, owner: User, limit: int) -> set[int]:
        """The nearest topics of one owner, by comparing all."""
        own = np.flatnonzero(self.owners == owner.pk)
        near = own[np.argsort(-(self.vectors[own] @ asked))[:limit]]
        return {int(topic) for topic in self.topics[near]}

    def questions(self, count: int) -> np.ndarray:
        """Questions near to subjects of the company, drawn by chance."""
        chosen = self.centres[_chance.integers(0, CLUSTERS, count)]
        return _unit(chosen + _chance.normal(0, SPREAD, chosen.shape))


def company(size: int) -> Company:
    """Found it with so many finished topics, all in one language, and an index of their vectors."""
    little, much = (User.objects.create(username=name) for name in ("little", "much"))
    space = RecallSpace.objects.create(
        endpoint="bench", model="bench", inputs="plain", dimension=NUMBERS, serves=True
    )
    centres = _unit(_chance.normal(size=(CLUSTERS, NUMBERS)))
    noise = _chance.normal(0, SPREAD, (size, NUMBERS))
    vectors = _unit(centres[_chance.integers(0, CLUSTERS, size)] + noise)
    with connection.cursor() as cursor:
        tape = store.create("bench")
        cursor.execute(WRITTEN, {"tape": tape.pk, "rare": RARE, "size": size} | _pk(little, much))
        topics = np.array([topic for (topic,) in cursor.fetchall()])
        with cursor.copy(VECTORS) as copy:
            for topic, vector in zip(topics, vectors, strict=True):
                copy.write_row((space.pk, int(topic), HalfVector(vector).to_text()))
        cursor.execute("SELECT topics_order_recall(%s)", [space.pk])
        cursor.execute("ANALYZE")
    space.ordered = True
    space.save()
    owners = np.where(np.arange(size) % RARE == 0, little.pk, much.pk)
    return Company(
        space=space,
        little=little,
        much=much,
        topics=topics,
        owners=owners,
        vectors=vectors,
        centres=centres,
    )


def _pk(little: User, much: User) -> dict[str, int]:
    return {"little": little.pk, "much": much.pk}


def _unit(vectors: np.ndarray) -> np.ndarray:
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), "<f4")
