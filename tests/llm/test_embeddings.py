"""Embedding calls: the wire, the failures by name, and the tape that every call stands on (A2, P11, T18)."""

from __future__ import annotations

import time
from collections.abc import Iterator
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from django.core.management import call_command

from kb_agent.llm import account, embeddings, endpoints, keys, protocol
from kb_agent.llm.models import Endpoint
from tapes import store, views
from tests.llm import embedding_server

if TYPE_CHECKING:
    from pytest_django import Settings

    from tests.llm.embedding_server import EmbeddingServer

pytestmark = pytest.mark.django_db


@pytest.fixture
def server() -> Iterator[EmbeddingServer]:
    with embedding_server.serving() as running:
        yield running


def endpoint(server: EmbeddingServer, **values: Any) -> Endpoint:
    known = {"name": "vectors", "model": "words", "key_encrypted": keys.seal("sk-very-secret-1")}
    return Endpoint(base_url=server.url, kind="embedding", **(known | values))


def embed(at: Endpoint, *texts: str, **values: Any) -> embeddings.Embedded:
    payer = account.of_system("settings test", tape="settings")
    given: dict[str, Any] = {"use": "passage", "account": payer, "seconds": 5} | values
    return embeddings.embed(at, texts, **given)


def events(name: str = "system/settings") -> list[dict[str, Any]]:
    """The events of model calls on a system tape, their names among their data."""
    tape = store.find(name)
    assert tape is not None
    told = views.read(tape.pk, views.View.last_anchor().only("event"))
    return [{"event": each.payload["name"], **each.payload["data"]} for each in told]


def test_A2_vectors_come_back_in_the_order_of_the_texts_and_of_length_one(
    server: EmbeddingServer,
) -> None:
    texts = ["refund order", "发票 作废", "refund order again"]
    vectors = embed(endpoint(server), *texts).vectors
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)
    assert vectors[0] @ vectors[2] > vectors[0] @ vectors[1]
    (request,) = server.requests
    assert (request["path"], request["model"], request["input"]) == (
        "/v1/embeddings",
        "words",
        texts,
    )
    assert (request["encoding_format"], request["key"]) == ("float", "Bearer sk-very-secret-1")


@pytest.mark.parametrize(
    ("inputs", "sent", "parameter"),
    [
        ("plain", "who pays", None),
        ("prefixed", "query: who pays", None),
        ("input_type", "who pays", "query"),
    ],
)
def test_A2_a_model_is_told_a_question_from_a_passage_as_it_wants_it(
    server: EmbeddingServer, inputs: str, sent: str, parameter: str | None
) -> None:
    embed(endpoint(server, inputs=inputs), "who pays", use="query")
    (request,) = server.requests
    assert (request["input"], request.get("input_type")) == ([sent], parameter)


def test_T18_every_call_leaves_an_event_before_and_one_after_without_the_texts(
    server: EmbeddingServer,
) -> None:
    embed(endpoint(server, input_price=Decimal(2), currency="EUR"), "wer zahlt", "der Käufer")
    started, ended = events()
    assert started["event"] == "model_call_started"
    assert (started["purpose"], started["payer"], started["texts"]) == (
        "settings test",
        "company",
        2,
    )
    assert (started["kind"], started["endpoint"], started["model"]) == (
        "embedding",
        "vectors",
        "words",
    )
    assert ended["event"] == "model_call_ended"
    assert (ended["call"], ended["status"]) == (started["call"], "ok")
    assert ended["usage"] == {"input": 6, "cached": 0, "output": 0, "reasoning": 0}
    assert (Decimal(ended["price"]), ended["currency"]) == (Decimal("0.000012"), "EUR")
    assert "Käufer" not in str([started, ended])


def test_P11_an_unknown_price_is_unknown_and_not_zero(server: EmbeddingServer) -> None:
    embed(endpoint(server), "x")
    assert events()[1]["price"] is None


@pytest.mark.parametrize(("purpose", "payer"), [("", "company"), ("search", 0), ("search", "")])
def test_P11_a_call_without_purpose_or_payer_is_refused(purpose: str, payer: int | str) -> None:
    with pytest.raises(protocol.MissingAccount):
        account.of_system(purpose, tape="search", payer=payer)


@pytest.mark.parametrize(
    ("status", "message", "error"),
    [
        (401, "Incorrect API key: sk-very-secret-1", protocol.BadKey),
        (404, "no such model", protocol.ModelUnknown),
        (429, "slow down", protocol.ProviderBusy),
        (503, "loading", protocol.ProviderDown),
        (400, "input is too long: maximum context length is 512", protocol.ContextExceeded),
        (422, "no", protocol.RequestRefused),
    ],
)
def test_A7_a_failure_is_named_once_recorded_and_shows_no_key(
    server: EmbeddingServer, status: int, message: str, error: type[protocol.ProviderError]
) -> None:
    server.failing = [(status, message, {"Retry-After": "7"})]
    with pytest.raises(error) as failed:
        embed(endpoint(server), "x")
    assert len(server.requests) == 1
    ended = events()[1]
    assert (ended["status"], ended["error"]["code"]) == ("failed", failed.value.code)
    assert "very-secret" not in str(ended) + str(failed.value)
    if status == 429:
        assert failed.value.retry_after == 7


@pytest.mark.parametrize(
    "instead",
    [
        {},
        {"data": []},
        {"data": None},
        {"data": [{"index": 0}]},
        {"data": [{"index": 0, "embedding": "AAAA"}]},
        {"data": [{"index": 0, "embedding": [0.0, 0.0]}]},
        {"data": [{"index": 0, "embedding": [1.0, None]}]},
        {"data": [{"index": 0, "embedding": [1.0, float("nan")]}]},
        {"data": [{"index": 0, "embedding": [1.0]}, {"index": 1, "embedding": [1.0]}]},
    ],
)
def test_A7_an_answer_that_is_no_vector_a_text_is_named(
    server: EmbeddingServer, instead: dict[str, Any]
) -> None:
    server.instead = instead
    with pytest.raises(protocol.ProviderError) as failed:
        embed(endpoint(server), "x")
    assert events()[1]["error"]["code"] == failed.value.code == "bad_vectors"


def test_A7_vectors_of_another_length_are_another_models(server: EmbeddingServer) -> None:
    with pytest.raises(embeddings.BadVectors, match="64 numbers came back instead of 384"):
        embed(endpoint(server), "x", dimension=384)


def test_A7_a_slow_endpoint_is_left_at_the_agreed_second(server: EmbeddingServer) -> None:
    server.seconds = 3.0
    began = time.monotonic()
    with pytest.raises(protocol.ProviderDown, match=r"within 0\.4 s"):
        embed(endpoint(server), "x", seconds=0.4)
    assert time.monotonic() - began < 2.5


@pytest.mark.parametrize("address", ["", "nonsense", "http://["])
def test_A7_an_address_that_is_none_is_named_as_down(address: str) -> None:
    at = Endpoint(name="x", kind="embedding", base_url=address, model="m")
    with pytest.raises(protocol.ProviderDown):
        embed(at, "x")


def test_A2_an_embedding_endpoint_answers_no_question_and_a_chat_endpoint_makes_no_vector(
    settings: Settings,
) -> None:
    settings.LLM_BASE_URL = settings.EMBEDDING_BASE_URL = ""
    endpoints.add("talks", base_url="http://a/v1", model="m")
    assert endpoints.embedding() is None
    call_command("add_endpoint", "vectors", "http://b/v1", "e", embedding=True, no_key=True)
    assert [each.name for each in endpoints.chosen()] == ["talks"]
    found = endpoints.embedding()
    assert found is not None
    assert found.name == "vectors"
    assert endpoints.embedding_named("talks") is None


def test_A2_the_newest_embedding_endpoint_is_wanted_and_the_environments_is_the_last(
    settings: Settings,
) -> None:
    settings.EMBEDDING_BASE_URL, settings.EMBEDDING_MODEL = "http://localhost:1/v1/", "e5"
    settings.EMBEDDING_INPUTS = "prefixed"
    found = endpoints.embedding()
    assert found is not None
    assert (found.name, found.base_url, found.inputs) == (
        "environment",
        "http://localhost:1/v1",
        "prefixed",
    )
    for name in ("first", "second"):
        terms = endpoints.Terms(kind="embedding")
        endpoints.add(name, base_url=f"http://{name}/v1", model="m", terms=terms)
    found = endpoints.embedding()
    assert found is not None
    assert found.name == "second"


def test_A2_unknown_ways_of_telling_inputs_are_refused() -> None:
    terms = endpoints.Terms(kind="embedding", inputs="shouted")
    with pytest.raises(endpoints.BadEndpoint):
        endpoints.add("x", base_url="http://a/v1", model="m", terms=terms)
