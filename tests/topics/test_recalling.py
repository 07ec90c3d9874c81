"""Which finished topics a question is near to: by words and places, or by meaning, whichever says more (P7)."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

import numpy as np
import pytest
from django.db import connection
from django.db.models.functions import Now
from pgvector import HalfVector

from kb_agent.repositories import recall
from kb_agent.repositories.recall import spaces
from tapes import store
from topics import recalling
from topics.models import Topic
from topics.models.recall import RecallSpace, RecallVector, Recollection
from topics.recalling import Asked, Kept

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kb_agent.accounts.models import User

_names = count(1)
HALF = (1.0, {"refund": 1.0}), (1.0, {"parking": 1.0})


def ended(person: User, *, many: int = 1) -> list[Topic]:
    """Finished topics of a person."""
    tape = store.create(f"recalling/{next(_names)}")
    return Topic.objects.bulk_create(
        Topic(
            tape=tape,
            owner=person,
            title="Refunds",
            status="finalized",
            reason="owner",
            initial_seq=2 * number + 1,
            finalized_seq=2 * number + 2,
            finalized_at=Now(),
        )
        for number in range(many)
    )


@pytest.fixture
def refunds(person: User) -> Topic:
    """A topic that says "refund", half of what `HALF` asks for."""
    (topic,) = ended(person)
    recalling.keep(topic.pk, Kept(language="en", words=["refund"], text="refund"))
    return topic


@pytest.fixture
def space() -> Iterator[RecallSpace]:
    """A space of vectors of eight numbers, whose index goes with the test."""
    space = RecallSpace.objects.create(
        endpoint="e", model="m", inputs="plain", dimension=8, serves=True, ordered=True
    )
    yield space
    with connection.cursor() as cursor:
        cursor.execute("SELECT topics_forget_recall_order(%s)", [space.pk])


def score(topic: Topic, *, meant: float = 0.0, words: Sequence[object] = ()) -> float:
    """How near a question is to the topic, 0 where it is not near at all."""
    asked = Asked(words=words, meant={topic.pk: meant} if meant else {})  # type: ignore[arg-type]
    found = recalling.near(Topic.objects.filter(pk=topic.pk), asked, least=0.0, limit=5)
    return found[0].score if found else 0.0


def test_P7_meaning_alone_recalls_a_topic_that_shares_no_word(refunds: Topic) -> None:
    assert score(refunds, meant=1.9) < recall.LEAST <= score(refunds, meant=2.0)


def test_P7_a_weak_meaning_and_few_words_together_recall_nothing(refunds: Topic) -> None:
    worded = score(refunds, words=HALF)
    assert 0 < worded < 1
    weak = 0.9 * worded / recalling.MEANING
    assert score(refunds, words=HALF, meant=weak) == worded


def test_P7_what_words_recall_is_recalled_with_vectors_too(refunds: Topic) -> None:
    for meant in (0.0, 0.5, 1.0, 3.0):
        assert score(refunds, words=HALF[:1], meant=meant) >= score(refunds, words=HALF[:1])


def test_C7_an_index_of_vectors_finds_the_few_topics_that_may_be_seen_among_many(
    person: User, space: RecallSpace, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = np.random.default_rng(1)
    topics = ended(person, many=1_200)
    centres = chance.normal(size=(6, 8))
    vectors = centres[chance.integers(0, 6, 1_200)] + chance.normal(0, 0.05, (1_200, 8))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    Recollection.objects.bulk_create(Recollection(topic=one, language="en") for one in topics)
    RecallVector.objects.bulk_create(
        RecallVector(space=space, recollection_id=one.pk, embedding=HalfVector(vector))
        for one, vector in zip(topics, vectors, strict=True)
    )
    with connection.cursor() as cursor:
        cursor.execute("SELECT topics_order_recall(%s)", [space.pk])
        cursor.execute("ANALYZE topics_recallvector")
    mine = list(range(0, 1_200, 100))
    seen = Topic.objects.filter(pk__in=[topics[one].pk for one in mine])
    monkeypatch.setattr(spaces, "ORDERED_FROM", 0)
    for asked in vectors[5:25]:
        walked = [topic for topic, _ in spaces.nearest(space, asked, seen, "en")]
        exact = sorted(mine, key=lambda one: -float(vectors[one] @ asked))
        assert {topics[one].pk for one in exact[:3]} <= set(walked)
        assert set(walked) <= {topics[one].pk for one in mine}
