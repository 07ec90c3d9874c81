"""Embedding what was said on tapes: found by meaning, resumed, limited, paid for, never required (T13, P11)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
from django.db.models.functions import Now

from kb_agent.accounts.models import User
from kb_agent.agent.desk import Desk
from kb_agent.agent.tools.search_tape import search_tape
from kb_agent.llm import account, endpoints, question_vectors, tape_meaning, tape_vectors
from kb_agent.usecases import tape_reading, tape_search
from tapes import entries, search, store, views
from tapes.search import meaning
from tapes.views import View
from tests.llm import embedding_server

if TYPE_CHECKING:
    from pytest_django import Settings

    from tapes.models import Tape
    from tests.llm.embedding_server import EmbeddingServer

pytestmark = pytest.mark.django_db

SAID = "The customer gets the money back three times at most."
ASKED = "reimbursement shopper attempts"


@pytest.fixture
def embedder(settings: Settings) -> Iterator[EmbeddingServer]:
    """An endpoint that takes some words for the same, and no other in the environment."""
    settings.EMBEDDING_BASE_URL = ""
    question_vectors.memory.clear()
    with embedding_server.serving(256) as server:
        server.synonyms = {"reimbursement": "money", "shopper": "customer", "attempts": "times"}
        use(server)
        yield server


def use(server: EmbeddingServer, model: str = "m1") -> None:
    """Set the server up as the embedding endpoint."""
    terms = endpoints.Terms(kind="embedding")
    endpoints.add("words", base_url=server.url, model=model, terms=terms)


@pytest.fixture
def tape() -> Tape:
    """A tape of person 7 on which something was said."""
    tape = store.create("person/7/1")
    new = [entries.message("user", text) for text in (SAID, "Stock is counted at night.")]
    store.append(tape.pk, new)
    return tape


def found(tape: Tape, query: str = ASKED, **more: Any) -> list[tuple[int, str]]:
    """What a search of all three tiers finds."""
    payer = account.of_system("search", tape="search", payer=7)
    hits = tape_meaning.find(tape.pk, query, readable=(), account=payer, **more).hits
    return [(hit.seq, hit.tier) for hit in hits]


def calls() -> list[dict[str, Any]]:
    """What stands on the tape that pays for embedding tapes."""
    ledger = views.read(store.by_name("system/tape_search").pk, View.seqs())
    return [entry.payload["data"] for entry in ledger if entry.kind == "event"]


def test_T13_a_paraphrase_that_shares_no_word_is_found(
    tape: Tape, embedder: EmbeddingServer
) -> None:
    assert found(tape) == []
    assert tape_vectors.fill() == 2
    assert found(tape) == [(2, "meaning")]
    assert found(tape, "money back") == [(2, "exact")]
    (hit,) = tape_meaning.near(
        ASKED,
        tape_meaning.nearness.Where(tapes=[tape.pk], readable=frozenset()),
        account=account.of_system("search", tape="search"),
    )
    assert (hit.tape_id, hit.seq, hit.score > 0.3) == (tape.pk, 2, True)


def test_T13_people_and_the_agent_find_it_too(tape: Tape, embedder: EmbeddingServer) -> None:
    mei = User.objects.create_user("mei", pk=7)
    tape_vectors.fill()
    (hit,) = tape_reading.find(mei, tape.pk, ASKED).results
    assert (hit.seq, hit.tier) == (2, "meaning")
    assert hit.snippet.startswith("The customer gets the money")
    (hit,) = tape_search.find(mei, ASKED).results
    assert (hit.tape, hit.seq, hit.tier) == (tape.pk, 2, "meaning")
    other = User.objects.create_user("other")
    assert tape_search.find(other, ASKED).results == []
    desk = Desk(
        tape_id=tape.pk,
        topic_id=1,
        turn_id=1,
        readable=frozenset(),
        scope=frozenset(),
        account=account.of_system("search", tape="search", payer=7),
    )
    assert search_tape(desk, ASKED).content.startswith("entry 2 (meaning): The customer")


def test_T13_meaning_is_never_required(tape: Tape, embedder: EmbeddingServer) -> None:
    tape_vectors.fill()
    embedder.failing = [(503, "loading", {})]
    assert found(tape) == []
    # The endpoint is left alone for a while, and words go on finding.
    assert found(tape) == []
    assert len(embedder.requests) == 2
    assert found(tape, "customer") == [(2, "exact")]
    endpoints.embedding()
    question_vectors.memory.clear()
    endpoints.Endpoint.objects.update(enabled=False)
    assert found(tape) == []
    assert tape_vectors.fill() == 0


def test_a_search_that_words_have_filled_asks_for_no_vector(
    tape: Tape, embedder: EmbeddingServer
) -> None:
    tape_vectors.fill()
    asked = len(embedder.requests)
    assert found(tape, "customer", limit=1) == [(2, "exact")]
    assert len(embedder.requests) == asked


def test_P11_every_call_stands_on_a_tape_of_the_systems_and_says_which_entries(
    tape: Tape, embedder: EmbeddingServer
) -> None:
    tape_vectors.fill()
    started, ended = calls()
    assert (started["purpose"], started["payer"], started["texts"]) == ("index", "company", 2)
    assert (started["tape"], started["first"], started["last"]) == (tape.pk, 2, 3)
    # A digest could be held against a guess once the words are erased.
    assert "texts_digest" not in started
    assert ended["usage"]["input"] > 0
    # The tape that pays is not embedded itself: that would never end.
    assert tape_vectors.fill() == 0
    assert len(calls()) == 2


def test_a_slice_of_time_leaves_the_rest_to_the_next(
    tape: Tape, embedder: EmbeddingServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tape_vectors, "BATCH", 1)
    assert tape_vectors.fill(seconds=0) == 1
    assert tape_vectors.fill(seconds=0) == 1
    assert found(tape) == [(2, "meaning")]
    assert len(embedder.texts) == 3


def test_P11_the_days_tokens_are_a_limit(
    tape: Tape, embedder: EmbeddingServer, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.EMBEDDING_TOKENS_A_DAY = 1
    monkeypatch.setattr(tape_vectors, "BATCH", 1)
    assert tape_vectors.fill() == 1
    (state,) = meaning.states()
    assert "today's 1 tokens" in state["error"]
    assert tape_vectors.fill() == 0


def test_a_failing_endpoint_is_left_alone_for_a_while(
    tape: Tape, embedder: EmbeddingServer
) -> None:
    embedder.failing = [(429, "busy", {"Retry-After": "400"})]
    assert tape_vectors.fill() == 0
    (state,) = meaning.states()
    assert "429" in state["error"]
    assert tape_vectors.fill() == 0
    meaning.Space.objects.update(paused_until=Now())
    assert tape_vectors.fill() == 2
    (state,) = meaning.states()
    assert (state["error"], state["vectors"]) == ("", 2)


def test_a_passage_that_is_refused_keeps_no_other_from_its_vector(
    tape: Tape, embedder: EmbeddingServer
) -> None:
    embedder.failing = [(400, "no", {}), (400, "no", {})]
    assert tape_vectors.fill() == 1
    assert [state["vectors"] for state in meaning.states()] == [1]


def test_an_endpoint_that_refuses_everything_is_at_fault_itself(
    tape: Tape, embedder: EmbeddingServer
) -> None:
    embedder.failing = [(400, "no such parameter", {})] * 9
    assert tape_vectors.fill() == 0
    assert [state["vectors"] for state in meaning.states()] == [0]
    assert "no such parameter" in next(iter(meaning.states()))["error"]


def test_another_model_has_its_own_vectors_and_the_old_ones_go(
    tape: Tape, embedder: EmbeddingServer
) -> None:
    tape_vectors.fill()
    use(embedder, model="m2")
    assert found(tape) == []
    assert tape_vectors.fill() == 2
    assert found(tape) == [(2, "meaning")]
    assert [state["name"] for state in meaning.states()] == ["words m2 plain"]
    assert search.MEANING == "meaning"
