"""Filling a space: resumed, cancelled, limited, and patient with an endpoint that fails (C3, P11)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.db.models.functions import Now

from kb_agent.repositories.models.vectors import Space, Vector
from kb_agent.repositories.vectors import filling, spaces
from tests.repositories.embedding import filled

if TYPE_CHECKING:
    from pytest_django import Settings

    from kb_agent.repositories.models import Repository
    from tests.llm.embedding_server import EmbeddingServer

pytestmark = pytest.mark.django_db


def test_a_worker_that_was_lost_leaves_what_it_had_and_another_goes_on(
    shop: Repository, embedder: EmbeddingServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(filling, "BATCH", 1)
    (due,) = spaces.due()
    lost = spaces.claim(due)
    assert lost is not None
    assert spaces.due() == []
    assert filling.fill(due) is None
    Space.objects.update(lease_until=Now())
    assert filling.fill(due, seconds=0) is not None
    assert Vector.objects.count() == 1
    with pytest.raises(spaces.Lost):
        spaces.note(lost)
    assert filled().done == 3
    assert len(embedder.texts) == 3


def test_filling_can_be_cancelled_and_taken_up_again(
    shop: Repository, embedder: EmbeddingServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(filling, "BATCH", 1)
    (due,) = spaces.due()
    filling.fill(due, on_progress=lambda _: spaces.cancel() and None)
    assert len(embedder.texts) == 2
    assert Vector.objects.count() == 1
    assert spaces.due() == []
    spaces.resume()
    assert filled().state == "active"
    assert Vector.objects.count() == 3


def test_P11_the_days_tokens_are_a_limit(
    shop: Repository, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.EMBEDDING_TOKENS_A_DAY = 1
    (due,) = spaces.due()
    monkeypatch.setattr(filling, "BATCH", 1)
    filling.fill(due)
    space = Space.objects.get()
    assert (space.state, space.done, space.spent > 0) == ("filling", 1, True)
    assert "today's 1 tokens" in space.error
    assert spaces.due() == []


@pytest.mark.parametrize(
    ("failure", "said"),
    [((503, "loading", {}), "503"), ((429, "busy", {"Retry-After": "400"}), "429")],
)
def test_a_failing_endpoint_is_left_alone_for_a_while_and_then_asked_for_less_at_once(
    shop: Repository,
    embedder: EmbeddingServer,
    failure: Any,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(filling, "BATCH", 2)
    embedder.failing = [failure]
    (due,) = spaces.due()
    filling.fill(due)
    space = Space.objects.get()
    assert said in space.error
    assert spaces.due() == []
    assert space.paused_until is not None
    Space.objects.update(paused_until=Now())
    space = filled()
    assert [len(each["input"]) for each in embedder.requests] == [2, 1, 1, 1]
    assert (space.state, space.error, space.failures) == ("active", "", 0)


def test_a_passage_that_is_refused_keeps_no_other_from_its_vector(
    shop: Repository, embedder: EmbeddingServer
) -> None:
    refusal = (400, "no", {})
    # All three, the first two of them no more, then the second alone.
    embedder.failing = [refusal, refusal, (200, "", {})][:2]
    space = filled()
    assert (space.state, Vector.objects.filter(embedding=None).count()) == ("active", 1)
    assert len(Vector.objects.exclude(embedding=None)) == 2


def test_an_endpoint_that_refuses_everything_is_at_fault_itself(
    shop: Repository, embedder: EmbeddingServer
) -> None:
    embedder.failing = [(400, "no such parameter", {})] * 9
    (due,) = spaces.due()
    filling.fill(due)
    assert "no such parameter" in Space.objects.get().error
    assert Vector.objects.count() == 0
