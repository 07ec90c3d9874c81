"""What a search of any store finds, and what it must not, the archive too (T13, C7, T11)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tapes import entries, errors
from tapes.matching import tiers

if TYPE_CHECKING:
    from tapes.stores.protocol import Readable, Store
    from tests.tapes.contract.shelves import Shelf

Found = list[tuple[int, str]]
"""Seq and tier of each hit."""

SAID = (
    "退款失败后会自动重试吗？",
    'The Refund Policy: 50% within 30_days, else "none" (it\'s final)',
    "database migration of the ledger",
    "we regret to report a new record of returns",
)


@pytest.fixture
def store(any_shelf: Shelf) -> Store:
    """What the tape of a test is written to before it is finished and searched."""
    return any_shelf.store


def found(store: Readable, tape: int, query: str, *, limit: int = 20) -> Found:
    return [(hit.seq, hit.tier) for hit in store.search(tape, query, limit=limit).hits]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("refund policy", [(3, "exact")]),
        ("50%", [(3, "exact")]),
        ("30_", [(3, "exact")]),
        ('"none"', [(3, "exact")]),
        ("it's", [(3, "exact")]),
        ("款", [(2, "exact")]),
        ("重试", [(2, "exact")]),
        ("退款失敗", [(2, "fuzzy")]),
        ("databse migrtion", [(4, "fuzzy")]),
        ("zebra", []),
        ("  ", []),
    ],
)
def test_T13_words_are_found_as_they_stand_then_words_near_them(
    any_shelf: Shelf, store: Store, tape: int, query: str, expected: Found
) -> None:
    store.append(tape, [entries.message("user", words) for words in SAID])
    assert found(any_shelf.finished(tape), tape, query) == expected


def test_T13_exact_ones_come_first_each_the_newest_first_and_no_more_than_asked_for(
    any_shelf: Shelf, store: Store, tape: int
) -> None:
    for words in ("refund", "refnud", "a refund", "nothing", "REFUND it", "refudn"):
        store.append(tape, [entries.message("user", words)])
    shelf = any_shelf.finished(tape)
    exact = [(6, "exact"), (4, "exact"), (2, "exact")]
    assert found(shelf, tape, "refund") == [*exact, (7, "fuzzy"), (3, "fuzzy")]
    assert found(shelf, tape, "refund", limit=4) == [*exact, (7, "fuzzy")]
    assert found(shelf, tape, "refund", limit=2) == exact[:2]
    assert found(shelf, tape, "refund", limit=0) == []


def test_T13_real_text_is_searched_payload_and_meta_and_no_result_of_the_search_itself(
    any_shelf: Shelf, store: Store, tape: int
) -> None:
    call = {"id": "c", "type": "function", "function": {"name": "search_tape", "arguments": "{}"}}
    result = {"name": "search_tape", "content": "wombat"}
    store.append(
        tape,
        [
            entries.message("user", "one\ntwo", meta={"from": "Wagga \\n Wagga"}),
            entries.NewEntry(kind="tool_call", payload={"calls": [call]}),
            entries.NewEntry(kind="tool_result", payload={"results": [result]}),
        ],
    )
    shelf = any_shelf.finished(tape)
    assert found(shelf, tape, "wagga wagga") == [(2, "fuzzy")]
    assert found(shelf, tape, "wagga \\n wagga") == [(2, "exact")]
    assert found(shelf, tape, "one\ntwo") == [(2, "exact")]
    assert found(shelf, tape, "one\\ntwo") == [(2, "fuzzy")], "not as escaped JSON"
    for hidden in ("wombat", "role", "user"):
        assert found(shelf, tape, hidden) == [], hidden


def test_T11_words_of_forks_that_were_not_merged_are_not_found(
    any_shelf: Shelf, store: Store, tape: int
) -> None:
    merged, discarded, still = (store.open_fork(tape) for _ in range(3))
    for fork in (merged, discarded, still):
        store.append(tape, [entries.message("assistant", "wombat")], fork=fork)
    store.merge(merged)
    store.discard(discarded)
    shelf = any_shelf.finished(tape)
    assert found(shelf, tape, "wombat") == [(2, "exact")]
    assert found(shelf, tape, "wobmat") == [(2, "fuzzy")]


def test_C7_text_of_a_repository_is_found_by_those_who_may_read_it_only(
    any_shelf: Shelf, store: Store, tape: int
) -> None:
    for sources in ((), (7,), (7, 8)):
        store.append(tape, [entries.message("assistant", "wombat", sources=sources)])
    shelf = any_shelf.finished(tape)
    for readable, seqs in (((), [2]), ((7,), [3, 2]), ((8,), [2]), ((7, 8, 9), [4, 3, 2])):
        for query in ("wombat", "wobmat"):
            hits = shelf.search(tape, query, readable=readable).hits
            assert [hit.seq for hit in hits] == seqs


def test_T13_kinds_are_chosen_and_a_hit_says_where_it_stands(
    any_shelf: Shelf, store: Store, tape: int
) -> None:
    words = "x " * 100 + "a wombat\n\tof ours " + "y " * 100
    said, _ = store.append(
        tape,
        [
            entries.message("user", words, topic_id=5, sources=(7,)),
            entries.event("noted", {"of": "wombat"}),
        ],
    )
    shelf = any_shelf.finished(tape)
    (hit,) = shelf.search(tape, "wombat", readable=(7,), kinds=("message",)).hits
    assert (hit.seq, hit.date, hit.tape_id) == (2, said.date, tape)
    assert (hit.topic_id, hit.sources, hit.score) == (5, (7,), 1.0)
    assert hit.snippet.startswith("…x x")
    assert " a wombat of ours " in hit.snippet
    assert len(shelf.search(tape, "wombat", readable=(7,)).hits) == 2


def test_T13_how_far_words_were_compared_roughly_is_told(
    any_shelf: Shelf, store: Store, tape: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.append(tape, [entries.message("user", "退款失败后会自动重试吗")])
    store.append(tape, [entries.message("user", f"{n:03} of the many") for n in range(100)])
    shelf = any_shelf.finished(tape)
    monkeypatch.setattr(tiers, "MAX_FUZZY_CHARS", 1_000)
    assert shelf.search(tape, "退款失败").hits[0].seq == 2
    rough = shelf.search(tape, "退款失敗")
    assert rough.hits == []
    assert rough.cut is not None
    monkeypatch.undo()
    assert [hit.seq for hit in shelf.search(tape, "退款失敗").hits] == [2]


def test_T13_a_tape_that_is_not_there_is_named(any_shelf: Shelf, tape: int) -> None:
    shelf = any_shelf.finished(tape)
    with pytest.raises(errors.UnknownTape):
        shelf.search(tape + 999, "wombat")
