"""What every store promises its readers, and the archive too (T8, T9, T11, T15)."""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING

import pytest

from tapes import entries, errors
from tapes.windows import View
from tests.tapes import bub
from tests.tapes.contract.test_writing import loaded
from tests.tapes.test_views import BUB

if TYPE_CHECKING:
    from tapes.stores.protocol import Readable, Store
    from tests.tapes.contract.shelves import Shelf


@pytest.fixture
def store(any_shelf: Shelf) -> Store:
    """What the tape of a test is written to before it is finished and read."""
    return any_shelf.store


def seqs(store: Readable, tape: int, view: View) -> list[int]:
    return [entry.seq for entry in store.read(tape, view)]


def test_T8_every_window_of_bub_holds_the_same_entries(any_shelf: Shelf, store: Store) -> None:
    tape = loaded(store, "bub", "bub-0.5.1.jsonl").id
    shelf = any_shelf.finished(tape)
    for window, view in BUB.items():
        expected = bub.windows()[window]["entry_ids"]
        # Closing the tape added an event to every window without an end.
        found = [seq for seq in seqs(shelf, tape, view) if seq < 20]
        assert found == expected, window


def test_T8_a_missing_anchor_is_a_named_error_and_never_an_empty_list(
    any_shelf: Shelf, tape: int
) -> None:
    shelf = any_shelf.finished(tape)
    for view in (
        View.after("nowhere"),
        View.between("nowhere", "session/start"),
        View.between("session/start", "nowhere"),
        View.between("session/start", "session/start"),
    ):
        with pytest.raises(errors.MissingAnchor):
            shelf.read(tape, view)


def test_T8_a_tape_without_an_anchor_has_no_window(any_shelf: Shelf, store: Store) -> None:
    now = datetime.datetime.now(datetime.UTC)
    tape = store.load("bare", [[(entries.event("x", actor="import"), now)]]).id
    shelf = any_shelf.finished(tape)
    with pytest.raises(errors.MissingAnchor):
        shelf.read(tape, View.last_anchor())
    assert seqs(shelf, tape, View.seqs()) == [1, 2]


def test_T8_a_name_means_its_latest_anchor_and_an_end_the_first_after_it(
    any_shelf: Shelf, store: Store, tape: int
) -> None:
    for name in ("a", "b", "a", "b", "b"):
        store.append(tape, [entries.anchor(name), entries.event(f"after {name}")])
    shelf = any_shelf.finished(tape)
    assert seqs(shelf, tape, View.after("a")) == [7, 8, 9, 10, 11, 12]
    assert seqs(shelf, tape, View.between("a", "b")) == [7]


def test_T8_ranges_are_inclusive_and_either_side_may_be_open(
    any_shelf: Shelf, store: Store, tape: int
) -> None:
    dates = [store.append(tape, [entries.event("x")])[0].date for _ in range(3)]
    shelf = any_shelf.finished(tape)
    assert seqs(shelf, tape, View.seqs(2, 3)) == [2, 3]
    assert seqs(shelf, tape, View.seqs(last=2)) == [1, 2]
    assert seqs(shelf, tape, View.seqs(4)) == [4, 5]
    assert seqs(shelf, tape, View.seqs(9, 12)) == []
    assert seqs(shelf, tape, View.dates(since=dates[2])) == [4, 5]
    assert seqs(shelf, tape, View.dates(dates[0], dates[1])) == [2, 3]
    assert seqs(shelf, tape, View.dates(until=dates[0])) == [1, 2]


def test_T8_views_are_filtered_by_kind_and_limited(
    any_shelf: Shelf, store: Store, tape: int
) -> None:
    store.append(tape, [entries.event("x"), entries.message("user", "q"), entries.event("y")])
    shelf = any_shelf.finished(tape)
    assert seqs(shelf, tape, View.last_anchor().only("event")) == [2, 4, 5]
    assert seqs(shelf, tape, View.last_anchor().only("event", "message").limit(2)) == [2, 3]
    assert seqs(shelf, tape, View.last_anchor().limit(0)) == []


def test_T8_the_latest_event_of_a_name_and_counts_by_kind(
    any_shelf: Shelf, store: Store, tape: int
) -> None:
    store.append(tape, [entries.event("x", {"n": 1}), entries.message("user", "q")])
    store.append(tape, [entries.event("x", {"n": 2}), entries.event("y")])
    store.append(tape, [entries.event("x", {"n": 3})], fork=store.open_fork(tape))
    shelf = any_shelf.finished(tape)
    latest = shelf.latest_event(tape, "x")
    assert latest is not None
    assert latest.payload["data"] == {"n": 2}
    assert shelf.latest_event(tape, "nothing") is None
    assert shelf.counts(tape) == {"anchor": 1, "event": 4, "message": 1}


def test_T9_anchors_of_the_table_do_not_move_the_window_and_shown_ones_open_it(
    any_shelf: Shelf, store: Store, tape: int
) -> None:
    store.append(tape, [entries.anchor("brain_overload", {"text": "so far"})])
    for name in ("recall_anchor", "topic_finalized", "mark/lesson"):
        store.append(tape, [entries.anchor(name, {"text": "x"})])
    shelf = any_shelf.finished(tape)
    assert seqs(shelf, tape, View.last_anchor()) == [2, 3, 4, 5, 6]
    assert [(one.name, one.moves_window, one.state) for one in shelf.anchors(tape)] == [
        ("session/start", True, None),
        ("brain_overload", True, {"text": "so far"}),
        ("recall_anchor", False, {"text": "x"}),
        ("topic_finalized", False, {"text": "x"}),
        ("mark/lesson", False, {"text": "x"}),
    ]


def test_T11_forks_that_were_not_merged_are_seen_by_inspection_only(
    any_shelf: Shelf, store: Store, tape: int
) -> None:
    merged, discarded, still = (store.open_fork(tape) for _ in range(3))
    for fork in (merged, discarded, still):
        new = [entries.anchor(f"phase/{fork.id}"), entries.event("x", turn_id=fork.id)]
        store.append(tape, new, fork=fork)
    store.merge(merged)
    store.discard(discarded)
    shelf = any_shelf.finished(tape)
    assert seqs(shelf, tape, View.seqs()) == [1, 2, 3, 8, 9, 10]
    assert seqs(shelf, tape, View.last_anchor()) == [3, 8, 9, 10]
    for fork, expected in ((merged, [2, 3]), (discarded, [4, 5]), (still, [6, 7])):
        assert seqs(shelf, tape, View.fork(fork.id)) == expected
    with pytest.raises(errors.MissingAnchor):
        shelf.read(tape, View.after(f"phase/{discarded.id}"))
    turns = [merged.id, discarded.id, still.id]
    assert seqs(shelf, tape, View.of_turns(turns)) == [3, 7]
    assert [one.seq for one in shelf.anchors(tape)] == [1, 2]


def test_T11_a_turn_sees_the_tape_as_it_stood_and_all_of_its_own(
    any_shelf: Shelf, store: Store, tape: int
) -> None:
    def say(turn_id: int, fork: object = None) -> int:
        new = [entries.message("user", "x", turn_id=turn_id)]
        return store.append(tape, new, fork=fork)[0].seq  # type: ignore[arg-type]

    question, later = say(1), say(2)
    fork = store.open_fork(tape)
    other = store.open_fork(tape)
    mine, theirs = say(1, fork), say(2, other)
    store.merge(other)
    after = say(1)
    shelf = any_shelf.finished(tape)
    view = View.turn(fork_id=fork.id, base_seq=fork.base_seq, turn_ids=[1])
    assert seqs(shelf, tape, view) == [question, mine, after]
    both = View.turn(fork_id=other.id, base_seq=other.base_seq, turn_ids=[2])
    assert seqs(shelf, tape, both) == [question, later, theirs]


def test_T8_a_turn_asked_from_an_anchor_sees_what_follows_it(
    any_shelf: Shelf, store: Store, tape: int
) -> None:
    def say(turn_id: int | None = None) -> int:
        return store.append(tape, [entries.message("user", "x", turn_id=turn_id)])[0].seq

    first = say()
    (marked,) = store.append(tape, [entries.anchor("mark/here")])
    second = say()
    store.append(tape, entries.handoff("phase/2"))
    third = say()
    question = say(1)
    fork = store.open_fork(tape)
    shelf = any_shelf.finished(tape)

    def window(after: int | None) -> list[int]:
        view = View.turn(fork_id=fork.id, base_seq=fork.base_seq, turn_ids=[1], after=after)
        return seqs(shelf, tape, view.only("message"))

    assert window(None) == [third, question]
    assert window(marked.seq) == [second, third, question]
    assert window(1) == [first, second, third, question]
    with pytest.raises(errors.MissingAnchor):
        window(first)


def test_T11_an_anchor_the_turn_set_itself_moves_its_window(
    any_shelf: Shelf, store: Store, tape: int
) -> None:
    store.append(tape, [entries.message("user", "q", turn_id=1)])
    fork = store.open_fork(tape)
    store.append(tape, entries.handoff("phase/own", turn_id=1), fork=fork)
    shelf = any_shelf.finished(tape)
    view = View.turn(fork_id=fork.id, base_seq=fork.base_seq, turn_ids=[1])
    assert seqs(shelf, tape, view) == [4]


def test_T15_a_finished_tape_is_listed_whole_and_verified(
    any_shelf: Shelf, store: Store, tape: int
) -> None:
    text = '退款 "q" \u2028 😀 ' + "words " * 500
    for number in range(0, 1500, 100):
        store.append(
            tape, [entries.message("user", text, meta={"n": n + number}) for n in range(100)]
        )
    written = store.read(tape, View.seqs())
    shelf = any_shelf.finished(tape)
    assert [(one.id, one.name, one.head) for one in shelf.tapes()] == [(tape, "work", 1502)]
    assert shelf.tapes()[0].archived_at is not None
    assert shelf.read(tape, View.seqs())[:-1] == written
    assert seqs(shelf, tape, View.seqs(700, 703)) == [700, 701, 702, 703]
    assert (shelf.verify(tape).ok, shelf.verify(tape).entries) == (True, 1502)
    with pytest.raises(errors.UnknownTape):
        shelf.read(999, View.seqs())
