"""Vectors of entries: found inside the permission filter, indexed when many, gone with the words (T13, C7, T19)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tapes import entries, erasure, forks, store
from tapes.search import meaning, nearness, passages
from tapes.search.nearness import Where

if TYPE_CHECKING:
    from collections.abc import Callable

    from tapes.models import Tape
    from tapes.search.meaning import Space
    from tests.tapes.conftest import Behind

# Vectors that a model would have given, by the first word of a text.
MEANT = {"refund": [1.0, 0.0, 0.0], "money": [0.9, 0.4, 0.0], "stock": [0.0, 0.0, 1.0]}
ASKED = [1.0, 0.1, 0.0]
EVERYTHING = Where(tapes=None, readable=frozenset())


@pytest.fixture
def held() -> Space:
    """A space in this test's hands, of vectors of three numbers."""
    held = meaning.claim(meaning.space("words").pk)
    assert held is not None
    held.dimension = 3
    meaning.note(held, "dimension")
    return held


def embed(held: Space, tape: Tape, after: int = 0) -> int:
    """Give every passage after a seq the vector of its first word."""
    batch = passages.after(tape.id, after, size=1_000)
    vectors = [MEANT.get(passage.text.split()[0]) for passage in batch.passages]
    return meaning.write(held, batch, vectors)


def said(tape: Tape, *texts: str, **context: Any) -> list[int]:
    """Append messages; their seqs."""
    new = [entries.message("user", text, **context) for text in texts]
    return [entry.seq for entry in store.append(tape.id, new)]


def near(held: Space, where: Where = EVERYTHING, **more: Any) -> list[int]:
    """The seqs nearest to what is asked."""
    return [one.seq for one in nearness.near(held, np.array(ASKED), where, **more)]


def test_T13_the_nearest_entry_comes_first_and_what_is_far_not_at_all(
    held: Space, tape: Tape
) -> None:
    said(tape, "stock is counted", "money goes back", "refund is paid")
    assert embed(held, tape) == 3
    found = nearness.near(held, np.array(ASKED), EVERYTHING)
    assert [one.seq for one in found] == [4, 3]
    assert found[0].score > found[1].score > nearness.LIKE_ENOUGH
    assert meaning.due(held, without="system/") == []


def test_C7_what_may_not_be_read_is_left_out_inside_the_query(held: Space, tape: Tape) -> None:
    said(tape, "refund of theirs", sources=[1, 2])
    (own,) = said(tape, "money of ours", sources=[1])
    embed(held, tape)
    assert near(held, Where(tapes=None, readable=frozenset({1}))) == [own]
    assert near(held) == []


def test_P9_of_other_peoples_tapes_only_the_topics_one_may_see_are_found(
    held: Space, tape: Tape
) -> None:
    (seen,) = said(tape, "refund seen", topic_id=7)
    said(tape, "refund hidden", topic_id=8)
    embed(held, tape)
    assert near(held, Where(tapes=[], topics=[7], readable=frozenset())) == [seen]
    assert near(held, Where(tapes=[], readable=frozenset())) == []


def test_T11_what_stands_on_a_fork_is_found_once_it_is_merged(held: Space, tape: Tape) -> None:
    merged, left = forks.open(tape.id), forks.open(tape.id)
    new = [entries.message("user", "refund on a side line")]
    (on_merged,) = store.append(tape.id, new, fork=merged)
    store.append(tape.id, new, fork=left)
    embed(held, tape)
    assert near(held) == []
    own = Where(tapes=[tape.id], readable=frozenset(), fork_id=merged.id)
    assert near(held, own) == [on_merged.seq]
    forks.merge(merged)
    forks.discard(left)
    assert near(held) == [on_merged.seq]


def test_T19_vectors_go_with_the_words_and_do_not_come_back(
    held: Space, tape: Tape, behind: Behind
) -> None:
    said(tape, "refund of a secret")
    late = passages.after(tape.id, 0, size=10)
    embed(held, tape)
    erasure.erase(tape.id, 2, 2, actor="system", why="law")
    assert behind("SELECT count(*) FROM tapes_entryvector") == [(0,)]
    # A worker that read the words before writes their vector after.
    assert meaning.write(held, late, [MEANT["refund"]]) == 0
    assert near(held) == []
    assert passages.after(tape.id, 0, size=10).passages == []


def test_what_was_not_looked_at_yet_is_due_newest_tape_first_and_system_tapes_never(
    held: Space, tape: Tape
) -> None:
    other, system = store.create("later"), store.create("system/search")
    said(system, "refund")
    assert [one.tape_id for one in meaning.due(held, without="system/")] == [other.id, tape.id]
    embed(held, tape)
    said(tape, "refund again", "money again")
    (_, due) = meaning.due(held, without="system/")
    assert (due.tape_id, due.upto) == (tape.id, 1)
    assert embed(held, tape, due.upto) == 2


def test_a_worker_that_was_overtaken_writes_nothing(held: Space, tape: Tape) -> None:
    said(tape, "refund")
    meaning.let_go(held)
    other = meaning.claim(held.pk)
    assert other is not None
    assert meaning.claim(held.pk) is None
    with pytest.raises(meaning.Lost):
        embed(held, tape)
    assert embed(other, tape) == 1


def test_T13_an_index_finds_the_few_that_may_be_seen_among_many(
    held: Space, tape: Tape, monkeypatch: pytest.MonkeyPatch
) -> None:
    random = np.random.default_rng(1)
    said(tape, *("refund" for _ in range(400)), sources=[1])
    mine = said(tape, *("refund" for _ in range(4)), sources=[2])
    batch = passages.after(tape.id, 0, size=1_000)
    around = [np.array(ASKED) + random.normal(0, 0.05, 3) for _ in batch.passages]
    meaning.write(held, batch, around)
    monkeypatch.setattr(meaning, "ORDERED_FROM", 100)
    meaning.order(held)
    assert held.ordered
    where = Where(tapes=None, readable=frozenset({2}))
    assert sorted(near(held, where, ordered_from=1)) == mine
    exact = near(held, Where(tapes=None, readable=frozenset({1})), ordered_from=1_000)
    walked = near(held, Where(tapes=None, readable=frozenset({1})), ordered_from=10)
    assert len(set(exact) & set(walked)) >= 9


def test_another_model_leaves_nothing_of_the_last_one(
    held: Space, tape: Tape, behind: Behind
) -> None:
    said(tape, "refund")
    embed(held, tape)
    other = meaning.claim(meaning.space("others").pk)
    assert other is not None
    meaning.keep_only(other)
    assert [state["name"] for state in meaning.states()] == ["others"]
    assert behind("SELECT count(*) FROM tapes_entryvector") == [(0,)]


def text_of(entry: entries.NewEntry, tape: Tape) -> list[str]:
    """The passages of an entry once it is on a tape."""
    (written,) = store.append(tape.id, [entry])
    return [passage.text for passage in passages.of(written)]


LEFT_OUT: dict[str, Callable[[], entries.NewEntry]] = {
    "events": lambda: entries.event("note", {"text": "refund and more"}),
    "calls": lambda: entries.tool_call([{"id": "c", "function": {"name": "search_code"}}]),
    "what has no words": lambda: entries.message("user", "ok"),
}


@pytest.mark.parametrize("entry", LEFT_OUT.values(), ids=LEFT_OUT.keys())
def test_T13_what_says_nothing_has_no_passage(
    entry: Callable[[], entries.NewEntry], tape: Tape
) -> None:
    assert text_of(entry(), tape) == []


def test_T13_messages_prose_of_results_anchors_and_corrections_have_passages(tape: Tape) -> None:
    content = "[e1] shop refund.py 3-4\n3: def refund(order):\n4:     return order\nfor readers"
    result = entries.tool_result([{"id": "c", "name": "read_lines", "content": content}])
    (found,) = text_of(result, tape)
    assert "for readers" in found
    assert "def refund" not in found
    state = {"text": "以渠道配置为准"}
    assert "以渠道配置为准" in text_of(entries.anchor("mark/渠道", state), tape)[0]
    assert text_of(entries.correction(2, "It is three times."), tape)


def test_a_long_text_is_cut_where_it_breathes_and_has_an_end(tape: Tape) -> None:
    (written,) = store.append(tape.id, [entries.message("user", "Money goes back. " * 5_000)])
    found = list(passages.of(written))
    assert len(found) == passages.MOST + 1 or len(found) == passages.MOST
    assert all(passage.text.startswith("Money") for passage in found[:-1])
    assert max(len(passage.text) for passage in found) <= passages.CHARS
