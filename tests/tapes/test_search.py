"""T13: search covers the whole tape, newest first, exact before fuzzy; C7: only what is readable."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tapes import entries, search, store
from tapes.search import index as search_index
from tapes.search.nearness import Near

if TYPE_CHECKING:
    from tapes.models import Tape
    from tapes.search import Hit


def found(tape: Tape, query: str, **options: Any) -> list[Hit]:
    return search.search(tape.id, query, **({"readable": ()} | options)).hits


def tiers(tape: Tape, query: str) -> list[tuple[int, str]]:
    return [(hit.seq, hit.tier) for hit in found(tape, query)]


@pytest.fixture(autouse=True, params=["as it stands", "sealed"])
def _entries(tape: Tape, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = '{"query": "退款 重试 in \\"orders\\""}'
    call = {"id": "1", "function": {"name": "search_code", "arguments": arguments}}
    echo = {"id": "2", "function": {"name": "search_tape", "arguments": '{"query": "needle"}'}}
    long = "filler words that go on " * 1500 + "the database migration is done " + "more " * 500
    store.append(
        tape.id,
        [
            entries.message("user", "退款失败后会自动重试吗"),  # 2
            entries.tool_call([call, echo], "Let me look."),  # 3
            entries.tool_result(  # 4
                [
                    {"id": "1", "name": "search_code", "content": "refund/jobs.py:42 retry"},
                    {"id": "2", "name": "search_tape", "content": "needle 2: needle"},
                ]
            ),
            entries.message("assistant", long),  # 5
            entries.message("user", '100% of a_b "quoted" and C:\\temp\nnext line'),  # 6
            entries.message("assistant", "The refund rules and the return policy."),  # 7
            entries.anchor("phase/next", {"summary": "Straße"}),  # 8
            entries.event("noted", {"words": "re"}, meta={"ticket": "OPS-77"}),  # 9
        ],
    )
    if request.param == "sealed":
        monkeypatch.setattr(search_index, "SMALLEST", 1)
        assert search_index.seal(tape.id) == 9


@pytest.mark.parametrize(
    ("query", "seqs"),
    [
        ("款", [3, 2]),
        ("重试", [3, 2]),
        ("退款失败", [2]),
        ('"orders"', [3]),
        ("100%", [6]),
        ("a_b", [6]),
        ("C:\\temp", [6]),
        ("REFUND", [7, 4]),
        ("strasse", [8]),
        ("ops-77", [9]),
        ("phase/next", [8]),
        ("let me LOOK", [3]),
    ],
)
def test_T13_exact_hits_are_real_text_of_payload_and_meta_newest_first(
    query: str, seqs: list[int], tape: Tape
) -> None:
    assert [seq for seq, tier in tiers(tape, query) if tier == "exact"] == seqs


@pytest.mark.parametrize(
    ("query", "seqs"),
    [
        ("%", [6]),
        ("_", [6, 4, 3]),
        ("a%bc", []),
        ("aXb", []),
        ("\\n", []),
        ("\\u9000", []),
        ('\\"', []),
    ],
)
def test_T13_no_sign_is_a_wildcard_and_no_escape_is_text(
    query: str, seqs: list[int], tape: Tape
) -> None:
    assert [seq for seq, _ in tiers(tape, query)] == seqs


@pytest.mark.parametrize(
    ("query", "seq"), [("databse migrtion", 5), ("退款失敗", 2), ("refunt policy", 7)]
)
def test_T13_a_typo_is_found_by_the_fuzzy_tier_in_long_texts_and_in_chinese(
    query: str, seq: int, tape: Tape
) -> None:
    (hit,) = found(tape, query)
    assert (hit.seq, hit.tier) == (seq, "fuzzy")
    assert 0.7 < hit.score < 1


def test_T13_fuzzy_keeps_precision(tape: Tape) -> None:
    assert tiers(tape, "refund policy") == [(7, "fuzzy")]
    assert tiers(tape, "utterly unrelated") == []


def test_T13_results_and_calls_of_the_tape_search_are_not_searched(tape: Tape) -> None:
    assert tiers(tape, "needle") == []


def test_T13_a_hit_names_a_snippet_around_it(tape: Tape) -> None:
    (hit,) = found(tape, "database migration")
    assert "the database migration is done" in hit.snippet
    assert hit.snippet.startswith("…")
    assert len(hit.snippet) < 200
    assert "\n" not in found(tape, "next line")[0].snippet


def test_T13_an_entry_is_found_as_soon_as_it_is_appended_whatever_the_window(tape: Tape) -> None:
    store.handoff(tape.id, "phase/later")
    store.append(tape.id, [entries.message("user", "退款 again")])
    assert [seq for seq, _ in tiers(tape, "退款")] == [12, 3, 2]


def test_T13_the_limit_is_20_by_default(tape: Tape) -> None:
    store.append(tape.id, [entries.message("user", f"repeated {n}") for n in range(30)])
    assert len(found(tape, "repeated")) == 20
    assert [hit.seq for hit in found(tape, "repeated", limit=2)] == [39, 38]


def test_C7_what_came_from_an_unreadable_repository_is_not_found(tape: Tape) -> None:
    store.append(tape.id, [entries.message("assistant", "ledger secret", sources=[1, 2])])
    assert found(tape, "ledger", readable=[1]) == []
    (hit,) = found(tape, "ledger", readable=[1, 2, 3])
    assert (hit.seq, hit.sources) == (10, (1, 2))


def test_an_empty_query_finds_nothing(tape: Tape) -> None:
    assert found(tape, "  ") == []
    assert found(tape, "退款", limit=0) == []


def test_T13_what_vectors_found_comes_last_and_once(tape: Tape) -> None:
    near = [Near(tape.id, seq, score, 0) for seq, score in [(8, 0.9), (7, 0.8), (2, 0.7)]]
    rough = search.search(tape.id, "refund policy", readable=())
    hits = search.add_meaning(rough, tape.id, near, readable=()).hits
    assert [(hit.seq, hit.tier) for hit in hits] == [(7, "fuzzy"), (8, "meaning"), (2, "meaning")]
    assert hits[1].score == 0.9
    assert len(search.add_meaning(rough, tape.id, near, readable=(), limit=2).hits) == 2


def test_C7_vectors_show_nothing_that_may_not_be_read(tape: Tape) -> None:
    store.append(tape.id, [entries.message("assistant", "ledger secret", sources=[1])])
    nothing = search.Found([])
    near = [Near(tape.id, 10, 0.9, 0)]
    assert search.add_meaning(nothing, tape.id, near, readable=()).hits == []
    assert search.add_meaning(nothing, tape.id, near, readable=[1]).hits


def test_T13_kinds_and_topics_narrow_a_search(tape: Tape) -> None:
    store.append(tape.id, [entries.message("user", "退款 of a topic", topic_id=5)])
    of_topic = search.Only(topic_ids=[5])
    assert [hit.seq for hit in found(tape, "退款", only=of_topic)] == [10]
    calls = search.Only(kinds=["tool_call"])
    assert [hit.seq for hit in found(tape, "退款", only=calls)] == [3]


def test_T13_neighbours_of_a_hit_can_be_read(tape: Tape) -> None:
    store.append(tape.id, [entries.message("assistant", "ledger secret", sources=[1])])
    around = search.neighbours(tape.id, 7, 2, 3, readable=())
    assert [entry.seq for entry in around] == [5, 6, 7, 8, 9]
    assert [entry.seq for entry in search.neighbours(tape.id, 1, readable=(), after=1)] == [1, 2]
    assert [entry.seq for entry in search.neighbours(tape.id, 9, 0, 1, readable=[1])] == [9, 10]
