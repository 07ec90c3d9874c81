"""T13: the search index finds what the entries hold, forgets what is erased, and can be made anew."""

from __future__ import annotations

import random
import threading
from typing import TYPE_CHECKING

import pytest
from django.db import connection, transaction

from tapes import entries, erasure, search, store
from tapes.matching import folding, fuzzy, terms
from tapes.models.search import SearchPostings, SearchSegment
from tapes.search import index as search_index
from tapes.search import segments

if TYPE_CHECKING:
    from tapes.models import Tape
    from tests.tapes.conftest import Behind

WORDS = (
    *("refund", "refunds", "order", "orders", "policy", "database", "migration", "table", "e"),
    *("退款", "失败", "自动", "重试", "订单", "取消", "退款失敗", "a_b", "100%", "C:\\temp"),
    *("x1y2", "7731", "retry", "Straße", "naïve", "ключ"),
)


def texts(seed: int, count: int) -> list[str]:
    chosen = random.Random(seed)  # noqa: S311
    return [" ".join(chosen.choices(WORDS, k=chosen.randint(1, 12))) for _ in range(count)]


def fill(tape: Tape, some: list[str]) -> None:
    store.append(tape.id, [entries.message("user", text) for text in some])


def seqs(tape: Tape, query: str, limit: int = 20) -> list[tuple[int, str]]:
    hits = search.search(tape.id, query, readable=(), limit=limit).hits
    return [(hit.seq, hit.tier) for hit in hits]


def covers(tape: Tape) -> list[tuple[int, int]]:
    rows = SearchSegment.objects.filter(tape_id=tape.id).order_by("first_seq")
    return list(rows.values_list("first_seq", "last_seq"))


@pytest.fixture
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_index, "SMALLEST", 4)
    monkeypatch.setattr(search_index, "_FAN", 3)
    monkeypatch.setattr(segments, "MOST", 64)
    monkeypatch.setattr(segments, "_PART_PLACES", 10)


@pytest.mark.usefixtures("_small")
def test_T13_a_sealed_tape_gives_the_hits_of_the_same_tape_read_as_it_stands(tape: Tape) -> None:
    plain = store.create("plain")
    for round_, some in enumerate((90, 3, 5, 40, 4, 4, 2)):
        fill(tape, texts(round_, some))
        fill(plain, texts(round_, some))
        search_index.seal(tape.id)
    assert len(covers(tape)) > 3
    queries = [*WORDS, "efun", "00", "款", "退款失败", "databse migrtion", "tabel", "y2", "单 取"]
    queries += ["退款失拜", "refund order", "order refund", "absent", "7732", "STRASSE", "%", " 10"]
    for query in queries:
        for limit in (3, 200):
            assert seqs(tape, query, limit) == seqs(plain, query, limit), query


@pytest.mark.usefixtures("_small")
def test_T13_segments_are_joined_so_that_a_long_tape_has_few(tape: Tape) -> None:
    for n in range(30):
        fill(tape, texts(n, 4))
        search_index.seal(tape.id)
    found = covers(tape)
    assert len(found) < 10
    assert [last + 1 for _, last in found[:-1]] == [first for first, _ in found[1:]]
    assert all(last - first < 64 for first, last in found)


def test_T13_the_newest_entries_wait_for_enough_of_them(tape: Tape) -> None:
    fill(tape, texts(1, 100))
    assert search_index.due() == []
    assert search_index.seal(tape.id) == 0
    fill(tape, texts(2, 27))
    assert search_index.due() == [tape.id]
    assert search_index.seal(tape.id) == 128
    assert (search_index.due(), covers(tape)) == ([], [(1, 128)])


def test_T13_sealing_begins_nothing_after_its_time(tape: Tape) -> None:
    fill(tape, texts(1, 200))
    assert search_index.seal_due(-1) == 0
    assert search_index.seal_due(60) == 201


def dump(behind: Behind) -> bytes:
    """Everything the index holds, unpacked."""
    rows = behind("SELECT dictionary, starts FROM tapes_searchsegment")
    return "".join(
        "".join(segments.opened(bytes(dictionary), bytes(starts)).classes)
        for dictionary, starts in rows
    ).encode()


def test_T19_what_is_forgotten_leaves_no_trace_in_the_index(tape: Tape, behind: Behind) -> None:
    fill(tape, ["the word xylophone", *texts(1, 200)])
    search_index.seal(tape.id)
    assert b"xylophone" in dump(behind)
    with transaction.atomic():
        search_index.forget(tape.id, 2, 2)
    assert dump(behind) == b""
    assert behind("SELECT count(*) FROM tapes_searchpostings") == [(0,)]
    assert seqs(tape, "xylophone") == [(2, "exact")], "unsealed entries are read as they stand"


def test_T19_an_erasure_leaves_no_trace_of_the_words_in_the_index(
    tape: Tape, behind: Behind
) -> None:
    fill(tape, ["the word xylophone", *texts(1, 200)])
    search_index.seal(tape.id)
    erasure.erase(tape.id, 2, 2, actor="system", why="a secret")
    assert dump(behind) == b""
    assert seqs(tape, "xylophone") == []
    search_index.seal(tape.id)
    assert covers(tape) == [(1, 203)]
    assert b"xylophone" not in dump(behind)
    assert seqs(tape, "xylophone") == []


@pytest.mark.usefixtures("_small")
def test_T19_only_the_segments_of_the_range_are_forgotten_and_sealed_anew(tape: Tape) -> None:
    for n in range(3):
        fill(tape, texts(n, 64))
        search_index.seal(tape.id)
    before, found = covers(tape), seqs(tape, "retry", 200)
    gone = before[1]
    with transaction.atomic():
        search_index.forget(tape.id, gone[0] + 1, gone[0] + 2)
    assert covers(tape) == [one for one in before if one != gone]
    assert seqs(tape, "retry", 200) == found
    assert search_index.due() == [tape.id]
    search_index.seal(tape.id)
    assert sum(last - first + 1 for first, last in covers(tape)) >= 190
    assert seqs(tape, "retry", 200) == found


def test_T19_sealing_waits_for_an_erasure_and_reads_what_it_left(tape: Tape) -> None:
    fill(tape, texts(1, 200))
    done = threading.Event()

    def sealing() -> None:
        search_index.seal(tape.id)
        connection.close()
        done.set()

    with transaction.atomic():
        search_index.forget(tape.id, 1, 5)
        other = threading.Thread(target=sealing)
        other.start()
        assert not done.wait(0.5)
    other.join(20)
    assert done.is_set()
    assert covers(tape) == [(1, 201)]


def test_T13_segments_can_be_made_anew_from_entries(tape: Tape) -> None:
    fill(tape, texts(1, 300))
    search_index.seal(tape.id)
    found = seqs(tape, "retry", 200)
    SearchPostings.objects.all().delete()
    assert search_index.rebuild(tape.id) == 301
    assert seqs(tape, "retry", 200) == found


def test_T13_a_part_of_a_very_long_run_is_found(tape: Tape) -> None:
    chosen = random.Random(5)  # noqa: S311
    key = "".join(chosen.choices("abcdef0123456789", k=1_000))
    fill(tape, [f"key {key} end", *texts(1, 200)])
    search_index.seal(tape.id)
    for start, length in ((0, 1_000), (17, 20), (500, 90), (990, 10), (31, 64)):
        assert (2, "exact") in seqs(tape, key[start : start + length])
    assert seqs(tape, f"{key} end") == [(2, "exact")]


def test_T13_a_search_while_segments_are_joined_misses_nothing(
    tape: Tape, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(tape, ["the word xylophone", *texts(1, 200)])
    search_index.seal(tape.id)
    listed = search_index.stretches(tape.id, 202)
    search_index.rebuild(tape.id)
    monkeypatch.setattr(search_index, "stretches", lambda *_: listed)
    assert seqs(tape, "xylophone") == [(2, "exact")]


def test_T13_every_part_of_a_text_meets_what_a_query_of_it_needs() -> None:
    for text in texts(9, 60):
        folded = folding.fold(text)
        held = terms.of(folded)
        for start in range(len(folded)):
            for end in range(start + 1, len(folded) + 1):
                query = folded[start:end].strip()
                for need in terms.needs(query):
                    have = set().union(*(held[kind] for kind in need.classes))
                    assert need.term in have or (
                        need.within and any(need.term in term for term in have)
                    ), (query, need)


@pytest.mark.parametrize(
    ("query", "text", "near"),
    [
        ("退款失敗", "退款失败", True),
        ("退款失败", "退款成功了", False),
        ("退款失拜", "自动退款失败", True),
        ("retyr", "the retry came", True),
        ("7731", "order 7732", False),
        ("x1y2", "x1y3", False),
        ("api", "apt", False),
        ("refund policy", "re re re", False),
    ],
)
def test_T13_near_means_a_misspelling_not_another_word(
    query: str, text: str, *, near: bool
) -> None:
    assert bool(fuzzy.matches(query, [text])) is near
