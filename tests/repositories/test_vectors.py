"""Vectors: filled beside search, by the blob, masked, for readers alone; search goes on without them (C3, C5, C7, C8)."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from django.db import connection

from kb_agent.llm import account
from kb_agent.repositories import vectors
from kb_agent.repositories.indexing import reading
from kb_agent.repositories.models import Blob, Branch, File, Repository
from kb_agent.repositories.models.vectors import Space, Vector
from kb_agent.repositories.vectors import spaces
from tests.llm import embedding_server
from tests.llm.test_embeddings import events
from tests.repositories.code import Code, index, indexed
from tests.repositories.embedding import RETRY, STOCK, filled, use

if TYPE_CHECKING:
    from tests.llm.embedding_server import EmbeddingServer

pytestmark = pytest.mark.django_db


def scope_of(*repositories: Repository) -> vectors.Scope:
    ids = frozenset(each.pk for each in repositories)
    rows = Branch.objects.filter(repository__in=ids)
    return vectors.Scope(ids, frozenset(rows.values_list("pk", flat=True)), chunks=100)


def ask(question: str, scope: vectors.Scope) -> vectors.Nearest:
    payer = account.of_system("search", tape="search", payer=7)
    found = vectors.nearest(question, scope=scope, limit=10, account=payer)
    assert found is not None
    return found


def best(question: str, scope: vectors.Scope) -> str:
    scores = ask(question, scope).scores
    file, _ = max(scores, key=lambda place: scores[place])
    return File.objects.get(pk=file).path


def test_C5_the_nearest_chunk_is_found_by_meaning(
    shop: Repository, embedder: EmbeddingServer
) -> None:
    embedder.synonyms = {"reimburse": "refund"}
    space = filled()
    assert (space.state, space.dimension, space.done, space.total) == ("active", 256, 3, 3)
    assert best("reimburse gateway attempt", scope_of(shop)) == "refund.py"
    assert best("count stock", scope_of(shop)) in {"stock.py", "tests/test_stock.py"}


def test_C5_no_space_or_no_payer_is_no_signal(shop: Repository) -> None:
    payer = account.of_system("search", tape="search", payer=7)
    assert vectors.nearest("x", scope=scope_of(shop), limit=5, account=payer) is None
    filled()
    assert vectors.nearest("x", scope=scope_of(shop), limit=5, account=None) is None


def test_C3_an_unchanged_blob_is_never_embedded_twice(
    shop: Repository, code: Code, embedder: EmbeddingServer
) -> None:
    filled()
    before = len(embedder.texts)
    code.git("checkout", "-q", "-b", "other")
    code.commit({"copy/of/stock.py": STOCK, "new.py": "def fresh_thing():\n    return 1\n"})
    code.git("checkout", "-q", "main")
    code.git("merge", "-q", "other")
    index(shop)
    filled()
    assert list(embedder.texts[before:]) == ["fresh_thing\ndef fresh_thing():\n    return 1"]


def test_C3_blobs_read_anew_by_another_analyser_keep_their_vectors(
    shop: Repository, embedder: EmbeddingServer
) -> None:
    filled()
    before = len(embedder.texts)
    Blob.objects.update(analyser=0)
    Branch.objects.update(analyser=0)
    index(shop)
    reading.tidy()
    assert Vector.objects.filter(blob=None).count() == 3
    filled()
    assert len(embedder.texts) == before
    assert Vector.objects.filter(blob=None).count() == 0
    assert best("refund gateway attempt", scope_of(shop)) == "refund.py"


def test_C3_vectors_go_with_their_blob(shop: Repository, code: Code) -> None:
    filled()
    code.commit({"refund.py": None})
    index(shop)
    reading.tidy()
    filled()
    assert Vector.objects.count() == 2


def test_C8_only_masked_text_is_sent(code: Code, embedder: EmbeddingServer) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
    code.commit({"deploy.py": f'def deploy():\n    token = "{secret}"\n    return token\n'})
    use(embedder)
    repository = indexed(code)
    filled()
    ask(f"why is {secret} refused", scope_of(repository))
    assert len(embedder.texts) == 2
    assert secret not in str(embedder.texts)


def test_code_is_embedded_before_tests_and_what_only_styles_not_at_all(
    code: Code, embedder: EmbeddingServer
) -> None:
    code.commit({"tests/test_a.py": STOCK, "b.py": RETRY, "c.css": "a { color: red }\n"})
    use(embedder)
    indexed(code)
    filled()
    assert [text.partition("\n")[0] for text in embedder.texts] == ["retry_refund", "count_stock"]


def test_T18_passages_are_embedded_on_the_tape_of_indexing_with_their_repository(
    shop: Repository, embedder: EmbeddingServer
) -> None:
    filled()
    ask("refund", scope_of(shop))
    told = events("system/indexing")
    assert [each["event"] for each in told] == ["model_call_started", "model_call_ended"]
    assert (told[0]["purpose"], told[0]["payer"], told[0]["texts"]) == ("index", "company", 3)
    (started, ended) = events("system/search")
    assert (started["purpose"], started["payer"], ended["usage"]["input"]) == ("search", 7, 2)


def test_a_question_asked_again_is_embedded_once(
    shop: Repository, embedder: EmbeddingServer
) -> None:
    filled()
    before = len(embedder.texts)
    first = ask("refund", scope_of(shop))
    assert ask("refund", scope_of(shop)) == first
    assert len(embedder.texts) == before + 1


def test_C7_the_filter_stands_inside_the_query(
    shop: Repository, code: Code, embedder: EmbeddingServer, tmp_path: Path
) -> None:
    other = Code(tmp_path / "hidden")
    other.commit({"refund.py": RETRY.replace("range(3)", "range(4)"), "same.py": STOCK})
    hidden = indexed(other, "hidden", "others")
    filled()
    rows = File.objects.filter(branch__repository=hidden)
    unseen = set(rows.values_list("pk", flat=True))
    seen = ask("refund gateway attempt stock", scope_of(shop)).scores
    assert len(seen) == 3
    assert not unseen & {file for file, _ in seen}
    both = vectors.Scope(scope_of(shop).repositories, scope_of(shop, hidden).branches, 100)
    assert ask("refund gateway attempt stock", both).scores == seen


def test_a_new_model_fills_beside_the_one_that_serves_and_then_takes_over(
    shop: Repository, embedder: EmbeddingServer
) -> None:
    first = filled()
    with embedding_server.serving(32) as second:
        use(second, "other", "m2")
        assert spaces.due()
        shadow = spaces.wanted()
        assert shadow is not None
        assert (shadow.state, spaces.active()) == ("filling", first)
        assert best("refund gateway attempt", scope_of(shop)) == "refund.py"
        assert not second.texts
        space = filled()
        assert (space.pk, space.state, space.dimension) == (shadow.pk, "active", 32)
        first.refresh_from_db()
        assert first.state == "retired"
        assert not first.vectors.exists()
        assert best("refund gateway attempt", scope_of(shop)) == "refund.py"
        assert len(second.texts) == 4


def test_A7_search_goes_on_without_an_endpoint_that_is_down_or_slow(
    shop: Repository, embedder: EmbeddingServer
) -> None:
    filled()
    embedder.seconds = 5.0
    began = time.monotonic()
    assert ask("refund", scope_of(shop)).unavailable
    assert time.monotonic() - began < 4.5
    asked = len(embedder.requests)
    assert ask("stock", scope_of(shop)).unavailable
    assert len(embedder.requests) == asked, "an endpoint that was slow is left alone for a while"


def test_C7_with_one_in_a_hundred_visible_the_index_finds_as_many_as_an_exact_search(
    db: None,
) -> None:
    numbers, blobs, each, shown = 16, 4000, 2, 40
    space = Space.objects.create(endpoint="x", model="m", inputs="plain", dimension=numbers)
    visible = [_branch("seen"), _branch("hidden")]
    rows = Blob.objects.bulk_create(
        [Blob(sha=f"{number:040x}", analyser=0) for number in range(blobs)]
    )
    File.objects.bulk_create(
        [
            File(branch=visible[number >= shown], path=str(number), blob=blob, role="code")
            for number, blob in enumerate(rows)
        ]
    )
    made = np.random.default_rng(1).normal(size=(blobs * each, numbers)).astype("<f4")
    Vector.objects.bulk_create(
        [
            Vector(
                space=space,
                blob=blob,
                ordinal=ordinal,
                key=b"",
                embedding=made[at * each + ordinal],
            )
            for at, blob in enumerate(rows)
            for ordinal in range(each)
        ]
    )
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("SELECT repositories_order_space(%s)", [space.pk])
        cursor.execute("ANALYZE repositories_vector, repositories_file, repositories_branch")
    seen = visible[0]
    scope = vectors.Scope(frozenset({seen.repository_id}), frozenset({seen.pk}), 10**6)
    asked = np.random.default_rng(2).normal(size=(20, numbers)).astype("<f4")
    walked = exact = 0
    space.ordered = True
    for vector in asked:
        found = vectors.near(space, vector, scope=scope, limit=10)
        least = vectors.near(space, vector, scope=replace(scope, chunks=0), limit=10)
        assert len(found) == len(least) == 10
        exact += 10
        walked += len({row[:2] for row in found} & {row[:2] for row in least})
    assert walked >= 0.95 * exact


def _branch(name: str) -> Branch:
    repository = Repository.objects.create(name=name, source=name, kind="directory")
    return Branch.objects.create(repository=repository, name="main")
