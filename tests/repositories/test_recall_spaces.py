"""Filling the vectors of topics: what an endpoint refuses keeps no other topic from its own (P7)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from kb_agent.accounts.models import User
from kb_agent.llm import endpoints
from kb_agent.repositories.recall import spaces
from tests.llm import embedding_server
from tests.topics.test_recalling import ended
from topics import recalling
from topics.models.recall import RecallSpace, RecallVector
from topics.recalling import Kept

if TYPE_CHECKING:
    from pytest_django import Settings

    from kb_agent.llm.models import Endpoint
    from tests.llm.embedding_server import EmbeddingServer
    from topics.models.recall import Recollection

pytestmark = pytest.mark.django_db
REFUSED = (400, "no", {})


@pytest.fixture
def embedder(settings: Settings) -> Iterator[EmbeddingServer]:
    """An endpoint for vectors, and no other in the environment."""
    settings.EMBEDDING_BASE_URL = ""
    with embedding_server.serving(64) as server:
        terms = endpoints.Terms(kind="embedding")
        endpoints.add("words", base_url=server.url, model="m1", terms=terms)
        yield server


@pytest.fixture
def topics() -> list[int]:
    """Three topics that can be recalled."""
    found = [topic.pk for topic in ended(User.objects.create_user("mei"), many=3)]
    for topic_id in found:
        recalling.keep(topic_id, Kept(language="en", words=["refund"], text=f"Refund {topic_id}"))
    return found


def test_P7_a_topic_that_is_refused_keeps_no_other_from_its_vector(
    topics: list[int], embedder: EmbeddingServer
) -> None:
    (space_id,) = spaces.due()
    embedder.failing = [REFUSED, REFUSED]  # all three, then the first alone
    assert spaces.fill(space_id) == 3
    rows = RecallVector.objects.order_by("recollection_id")
    assert [row.embedding is None for row in rows] == [True, False, False]
    assert (RecallSpace.objects.get().serves, spaces.due()) == (True, [])


def test_P7_an_endpoint_that_refuses_every_topic_is_at_fault_itself(
    topics: list[int], embedder: EmbeddingServer
) -> None:
    (space_id,) = spaces.due()
    embedder.failing = [REFUSED] * 9
    assert spaces.fill(space_id) == 0
    assert not RecallVector.objects.exists()
    assert "no" in RecallSpace.objects.get().error


def test_P7_a_space_stays_with_its_worker_while_that_goes_on(
    topics: list[int], embedder: EmbeddingServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    (space_id,) = spaces.due()
    embed, due = spaces._embed, []

    def late(space: RecallSpace, endpoint: Endpoint, rows: list[Recollection]) -> None:
        RecallSpace.objects.update(paused_until=None)
        embed(space, endpoint, rows)
        due.append(spaces.due())

    monkeypatch.setattr(spaces, "BATCH", 1)
    monkeypatch.setattr(spaces, "_embed", late)
    assert (spaces.fill(space_id), due) == (3, [[], [], []])
