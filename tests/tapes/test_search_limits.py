"""T13: what a search over entries that no segment covers compares, and the memory it takes."""

from __future__ import annotations

import tracemalloc
from typing import TYPE_CHECKING

from tapes import entries, search, store
from tapes.matching import fuzzy, tiers
from tapes.search import index as search_index
from tapes.search import reading as search_reading

if TYPE_CHECKING:
    import pytest

    from tapes.models import Tape


def test_T13_exact_words_are_found_to_the_first_entry_and_a_cut_fuzzy_tier_is_told(
    tape: Tape, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search_reading, "_PAGE", 7)
    monkeypatch.setattr(tiers, "MAX_FUZZY_CHARS", 1_000)
    store.append(tape.id, [entries.message("user", "退款失败后会自动重试吗")])
    store.append(tape.id, [entries.message("user", f"{n:03} of the many") for n in range(100)])
    whole = search.search(tape.id, "退款失败", readable=())
    assert ([hit.seq for hit in whole.hits], whole.cut) == ([2], 36)
    rough = search.search(tape.id, "退款失敗", readable=())
    assert (rough.hits, rough.cut) == ([], 36)
    assert search.search(tape.id, "many", readable=()).cut is None


def test_T13_candidates_of_the_sealed_part_that_were_not_compared_are_told(
    tape: Tape, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.append(tape.id, [entries.message("user", f"refund {n:02}") for n in range(12)])
    search_index.seal(tape.id, smallest=1)
    for compared, cut in ((12, None), (11, 13), (3, 13)):
        monkeypatch.setattr(search, "MAX_COMPARED", compared)
        found = search.search(tape.id, "refunt", readable=())
        assert (len(found.hits), found.cut) == (compared, cut)


def test_T13_the_memory_of_a_search_does_not_grow_with_the_tape(
    tape: Tape, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search_reading, "_PAGE", 10)
    monkeypatch.setattr(tiers, "MAX_FUZZY_CHARS", 20_000)

    def peak(count: int) -> int:
        text = "filler " * 300
        store.append(tape.id, [entries.message("user", f"{n} {text}") for n in range(count)])
        tracemalloc.start()
        search.search(tape.id, "absent", readable=())
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    peak(20)
    assert peak(600) < 2 * peak(200)
    assert peak(600) < 3_000_000


def test_T13_fuzzy_finds_the_same_however_many_texts_it_takes_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    texts = ["the Refund policy", "退款失败", "refunt of a polcy", "other", "REFUND, then policy"]
    whole = fuzzy.matches("refund policy", texts)
    assert [match.index for match in whole] == [0, 2, 4]
    for chars in (1, 20, 40):
        monkeypatch.setattr(fuzzy, "_BATCH_CHARS", chars)
        assert fuzzy.matches("refund policy", texts) == whole
