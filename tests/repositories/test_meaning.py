"""Search with vectors: one more signal that says why, is paid for, and is never needed (C5, C6, C7)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.core.management import CommandError, call_command

from kb_agent import tasks
from kb_agent.doctor import embeddings
from kb_agent.llm import account, endpoints
from kb_agent.repositories import measuring, search, vectors
from kb_agent.repositories.vectors import spaces
from kb_agent.usecases import search as searching
from tests.llm.test_embeddings import events
from tests.repositories.code import Code, indexed
from tests.repositories.embedding import use

if TYPE_CHECKING:
    from kb_agent.accounts.models import User
    from kb_agent.repositories.models import Repository
    from tests.llm.embedding_server import EmbeddingServer

pytestmark = pytest.mark.django_db
FILES: dict[str, str | bytes | None] = {
    "payout.py": "def settle(order):\n    return send_back(order.amount)\n",
    "stock.py": "def count_stock(item):\n    return item.stock\n",
    "money.py": "def price(item):\n    return item.price\n",
}
# No word of it stands in the code.
QUESTION = "reimbursement of customers"


@pytest.fixture
def shop(code: Code, embedder: EmbeddingServer) -> Repository:
    """Indexed and embedded."""
    embedder.synonyms = {"reimbursement": "settle", "customers": "order"}
    code.commit(FILES)
    repository = indexed(code)
    use(embedder)
    call_command("vectors", fill=True)
    return repository


def test_C5_code_that_shares_no_word_with_the_question_is_found_and_says_why(
    shop: Repository, reader: User
) -> None:
    first = searching.find(reader, QUESTION).hits[0]
    assert (first.path, first.why[0].kind, first.why[0].code) == ("payout.py", "meaning", "settle")
    assert not searching.find(reader, QUESTION, without=["vectors"]).hits
    (started, _) = events("system/search")
    assert (started["purpose"], started["payer"]) == ("search", reader.pk)


def test_C5_words_that_are_met_stand_before_what_only_means_alike(
    shop: Repository, reader: User
) -> None:
    hits = searching.find(reader, "count stock reimbursement").hits
    assert [hit.path for hit in hits][:2] == ["stock.py", "payout.py"]
    assert hits[0].why[0].kind != "meaning"


def test_P11_a_search_that_nobody_pays_for_embeds_nothing(
    shop: Repository, embedder: EmbeddingServer
) -> None:
    before = len(embedder.texts)
    search.search(QUESTION, readable=[shop.pk])
    assert len(embedder.texts) == before


def test_several_wordings_are_embedded_in_one_call(
    shop: Repository, embedder: EmbeddingServer, reader: User
) -> None:
    before = len(embedder.requests)
    payer = account.of_system("search", tape="search", payer=reader.pk)
    wordings = [QUESTION, "退款", "settle order"]
    signals = measuring.Signals(account=payer)
    found = search.search_all(wordings, readable=[shop.pk], signals=signals)
    assert found.hits[0].path == "payout.py"
    assert [each["input"] for each in embedder.requests[before:]] == [wordings]


def test_A7_a_search_without_the_endpoint_finds_by_words_and_says_so(
    shop: Repository, reader: User, embedder: EmbeddingServer
) -> None:
    embedder.failing = [(503, "down", {})]
    found = searching.find(reader, "count stock")
    assert found.hits[0].path == "stock.py"
    assert vectors.UNAVAILABLE in found.tried
    assert searching.find(reader, "count stock", without=["vectors"]).tried == found.tried[:-1]


def test_C7_vectors_show_nothing_to_a_stranger(
    shop: Repository, stranger: User, embedder: EmbeddingServer
) -> None:
    before = len(embedder.texts)
    assert not searching.find(stranger, QUESTION).hits
    assert len(embedder.texts) == before


def test_the_command_shows_how_far_the_vectors_are_and_cancels(
    shop: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("vectors")
    assert "words m1 (256 numbers): active, 3 of 3 chunks\n" in capsys.readouterr().out
    call_command("vectors", cancel=True)
    assert "3 of 3 chunks, cancelled" in capsys.readouterr().out


def test_the_command_names_what_stands_in_the_way(
    code: Code, embedder: EmbeddingServer, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("vectors")
    assert "none" in capsys.readouterr().out
    with pytest.raises(CommandError, match="No embedding endpoint"):
        call_command("vectors", fill=True)
    code.commit(FILES)
    indexed(code)
    use(embedder)
    embedder.failing = [(401, "wrong key", {})]
    with pytest.raises(CommandError, match="wrong key"):
        call_command("vectors", fill=True)


def test_the_doctor_asks_the_endpoint_and_looks_at_the_space(
    shop: Repository, embedder: EmbeddingServer
) -> None:
    assert [finding.level for finding in embeddings.look()] == ["ok", "ok"]
    embedder.failing = [(401, "wrong key", {})]
    endpoint, space = embeddings.look()
    assert (endpoint.level, space.level) == ("failed", "ok")
    assert "wrong key" in endpoint.said
    endpoints.embedding_named("words").delete()  # type: ignore[union-attr]
    (alone,) = embeddings.look()
    assert alone.level == "warning"


def test_a_worker_fills_what_the_sweep_finds_due(code: Code, embedder: EmbeddingServer) -> None:
    code.commit(FILES)
    indexed(code)
    use(embedder)
    (due,) = spaces.due()
    tasks.fill_space(due)
    assert spaces.due() == []
    assert spaces.active() is not None
