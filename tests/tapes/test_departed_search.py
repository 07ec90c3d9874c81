"""T13, T15: a tape whose rows have left is searched by the index that stays, reading the parts it needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tapes import entries, forks, search, store
from tapes.archive import copies
from tapes.archive.objects import Folder
from tapes.search import index as search_index
from tapes.search import nearness
from tests.tapes.test_archiving import gone, partition, place

if TYPE_CHECKING:
    from tapes.models import Tape
    from tests.tapes.conftest import Behind

__all__ = ["partition", "place"]

pytestmark = pytest.mark.parametrize("place", ["folder"], indirect=True)


@pytest.fixture
def left(
    place: dict[str, str], partition: str, behind: Behind, monkeypatch: pytest.MonkeyPatch
) -> Tape:
    """A tape of 300 entries in many parts, gone to the archive."""
    monkeypatch.setattr(copies, "_BYTES_A_PART", 2_000)
    tape = store.create("old")
    said = [f"number {number:03} of the many" for number in range(300)]
    said[40] = "退款失败后会自动重试三次"
    said[200] = "the database migration of spring"
    store.append(tape.id, [entries.message("user", text) for text in said])
    for close in (forks.discard, forks.merge):
        fork = forks.open(tape.id)
        store.append(tape.id, [entries.message("user", f"tried {close.__name__}")], fork=fork)
        close(fork)
    store.close(tape.id)
    gone(behind)
    return store.get(tape.id)


def found(tape: Tape, query: str) -> list[tuple[int, str]]:
    """What a search finds."""
    return [(hit.seq, hit.tier) for hit in search.search(tape.id, query, readable=()).hits]


def test_T13_every_tier_finds_what_it_found_before(left: Tape) -> None:
    assert found(left, "退款") == [(42, "exact")]
    assert found(left, "退款失敗") == [(42, "fuzzy")]
    assert found(left, "databse migrtion") == [(202, "fuzzy")]
    assert len(found(left, "of the many")) == 20
    assert [tier for _, tier in found(left, "tried merge")] == ["exact"]
    assert found(left, "tried discard") == []
    near = [nearness.Near(left.id, 202, 0.8, 0)]
    hits = search.add_meaning(search.Found([]), left.id, near, readable=()).hits
    assert [hit.snippet for hit in hits] == ["the database migration of spring"]
    assert [one.seq for one in search.neighbours(left.id, 42, 1, 1, readable=())] == [41, 42, 43]


def test_T16_a_rare_word_costs_the_part_it_stands_in(
    left: Tape, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert found(left, "退款")
    read: list[str] = []
    plain = Folder.get

    def counted(folder: Folder, key: str) -> bytes:
        read.append(key)
        return plain(folder, key)

    monkeypatch.setattr(Folder, "get", counted)
    assert found(left, "migration of spring") == [(202, "exact")]
    assert len(read) == 1
    assert found(left, "nothing like it") == []
    assert len(read) == 1


def test_a_tape_that_left_without_an_index_gets_one_from_its_copy(left: Tape) -> None:
    search_index.forget(left.id, 1, left.head)
    assert left.id in search_index.due()
    assert search_index.seal(left.id) == left.head
    assert left.id not in search_index.due()
    assert found(left, "退款") == [(42, "exact")]
