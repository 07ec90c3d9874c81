"""T11: forks write to the tape at once, are shown when merged, and are fenced by their token."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.db import transaction

from tapes import entries, forks, models, search, store, verify, views
from tapes.views import View

if TYPE_CHECKING:
    from tapes.forks import ForkHandle
    from tapes.models import Tape


def shown(tape: Tape, view: View) -> list[int]:
    return [entry.seq for entry in views.read(tape.id, view)]


def say(tape: Tape, text: str, turn_id: int, fork: ForkHandle | None = None) -> int:
    return store.append(tape.id, [entries.message("user", text, turn_id=turn_id)], fork=fork)[0].seq


@pytest.fixture
def fork(tape: Tape) -> ForkHandle:
    """A fork of turn 1, opened after its question."""
    say(tape, "the question", 1)
    return forks.open(tape.id)


def test_T11_entries_of_a_fork_take_the_next_seqs_at_once_and_show_when_merged(
    tape: Tape, fork: ForkHandle
) -> None:
    assert say(tape, "on the fork", 1, fork) == 3
    assert say(tape, "beside the fork", 2) == 4
    assert say(tape, "on the fork", 1, fork) == 5
    assert shown(tape, View.last_anchor()) == [2, 4]
    assert forks.merge(fork, turn_id=1, actor="agent") == 6
    assert shown(tape, View.last_anchor()) == [2, 3, 4, 5, 6]
    (event,) = views.read(tape.id, View.seqs(6))
    assert event.payload == {"name": "fork_merged", "data": {"fork": fork.id}}
    assert (event.fork_id, event.turn_id, event.actor) == (None, 1, "agent")
    assert verify.verify(tape.id).ok


def test_T11_no_default_view_anchor_range_or_search_by_others_sees_an_open_fork(
    tape: Tape, fork: ForkHandle
) -> None:
    store.append(tape.id, [entries.anchor("phase/secret"), entries.event("needle")], fork=fork)
    assert shown(tape, View.last_anchor()) == [2]
    assert shown(tape, View.seqs()) == [1, 2]
    assert shown(tape, View.dates()) == [1, 2]
    assert [place.name for place in views.anchors(tape.id)] == ["session/start"]
    for view in (View.after("phase/secret"), View.between("session/start", "phase/secret")):
        with pytest.raises(views.MissingAnchor):
            views.read(tape.id, view)
    assert search.search(tape.id, "needle", readable=()).hits == []
    own = search.search(tape.id, "needle", readable=(), fork_id=fork.id)
    assert [hit.seq for hit in own.hits] == [4]


def test_T11_a_live_reader_follows_an_open_fork_and_not_a_discarded_one(
    tape: Tape, fork: ForkHandle
) -> None:
    say(tape, "on the fork", 1, fork)
    assert [entry.seq for entry in views.entries_after(tape.id, 1)] == [2, 3]
    assert shown(tape, View.of_turns([1])) == [2, 3]
    forks.discard(fork)
    assert [entry.seq for entry in views.entries_after(tape.id, 1)] == [2, 4]
    assert shown(tape, View.of_turns([1])) == [2]


def test_a_live_reader_asks_for_topics_and_goes_on_where_it_was(tape: Tape) -> None:
    for topic_id in (1, 2, 1, None):
        store.append(tape.id, [entries.event("x", topic_id=topic_id)])
    assert [e.seq for e in views.entries_after(tape.id, 0, topic_ids=[1])] == [2, 4]
    assert [e.seq for e in views.entries_after(tape.id, 2, topic_ids=[1, 2])] == [3, 4]
    assert [e.seq for e in views.entries_after(tape.id, 1, limit=2)] == [2, 3]
    assert views.entries_after(tape.id, 0, topic_ids=[]) == []


def test_T11_a_discarded_fork_stays_readable_for_inspection(tape: Tape, fork: ForkHandle) -> None:
    say(tape, "an experiment", 1, fork)
    assert forks.discard(fork, why="led nowhere") == 4
    assert shown(tape, View.last_anchor()) == [2, 4]
    assert shown(tape, View.fork(fork.id)) == [3]
    assert verify.verify(tape.id).ok


def test_T11_a_second_merge_or_discard_changes_nothing(tape: Tape, fork: ForkHandle) -> None:
    forks.merge(fork)
    assert forks.merge(fork) is None
    assert store.get(tape.id).head == 3
    with pytest.raises(store.ForkClosed):
        forks.discard(fork)
    other = forks.open(tape.id)
    forks.discard(other)
    assert forks.discard(other) is None
    with pytest.raises(store.ForkClosed):
        forks.merge(other)


def test_T11_an_old_token_can_neither_write_nor_close(tape: Tape, fork: ForkHandle) -> None:
    taken = forks.renew(fork.id)
    assert (taken.tape_id, taken.base_seq) == (fork.tape_id, fork.base_seq)
    for refused in (
        lambda: say(tape, "too late", 1, fork),
        lambda: forks.merge(fork),
        lambda: forks.discard(fork),
    ):
        with pytest.raises(store.StaleFork):
            refused()
    assert say(tape, "in time", 1, taken) == 3
    forks.merge(taken)
    with pytest.raises(store.StaleFork):
        forks.merge(fork)


def test_T11_a_closed_fork_takes_no_entry_and_no_new_token(tape: Tape, fork: ForkHandle) -> None:
    forks.merge(fork)
    with pytest.raises(store.ForkClosed):
        say(tape, "after the end", 1, fork)
    with pytest.raises(store.ForkClosed):
        forks.renew(fork.id)


def test_a_fork_of_another_tape_is_unknown_here(fork: ForkHandle) -> None:
    other = store.create("other")
    with pytest.raises(store.UnknownFork):
        say(other, "misplaced", 1, fork)
    with pytest.raises(store.UnknownFork):
        forks.renew(999)
    with pytest.raises(store.UnknownTape):
        forks.open(999)


def test_T11_merge_and_what_stands_beside_it_are_one_transaction(
    tape: Tape, fork: ForkHandle
) -> None:
    with transaction.atomic():
        say(tape, "the answer", 1, fork)
        forks.merge(fork)
        transaction.set_rollback(True)
    assert store.get(tape.id).head == 2
    assert models.Fork.objects.get(id=fork.id).state == models.Fork.OPEN
    assert say(tape, "again", 1, forks.renew(fork.id)) == 3


def test_T11_a_turn_sees_the_tape_at_its_base_and_all_of_its_own(
    tape: Tape, fork: ForkHandle
) -> None:
    view = View.turn(fork_id=fork.id, base_seq=fork.base_seq, turn_ids=[1])
    say(tape, "beside the fork, later", 2)
    say(tape, "step", 1, fork)
    store.handoff(tape.id, "phase/elsewhere")
    say(tape, "joined", 3)
    assert shown(tape, view) == [2, 4]
    taken_up = View.turn(fork_id=fork.id, base_seq=fork.base_seq, turn_ids=[1, 3])
    assert shown(tape, taken_up) == [2, 4, 7]
    forks.merge(fork)
    assert shown(tape, view) == [2, 4]


def test_T11_a_fork_open_at_the_base_stays_unseen_when_it_is_merged_later(tape: Tape) -> None:
    earlier = forks.open(tape.id)
    say(tape, "of the earlier turn", 1, earlier)
    question = say(tape, "the question", 2)
    fork = forks.open(tape.id)
    view = View.turn(fork_id=fork.id, base_seq=fork.base_seq, turn_ids=[2])
    assert shown(tape, view) == [question]
    forks.merge(earlier)
    assert shown(tape, view) == [question]


def test_A8_a_question_asked_while_another_turn_ran_stands_after_that_turns_answer(
    tape: Tape,
) -> None:
    first = say(tape, "first question", 1)
    fork = forks.open(tape.id)
    second = say(tape, "second question", 2)
    answer = say(tape, "first answer", 1, fork)
    first_view = View.turn(fork_id=fork.id, base_seq=fork.base_seq, turn_ids=[1])
    assert shown(tape, first_view) == [first, answer]
    merged = forks.merge(fork, turn_id=1)
    fork = forks.open(tape.id)
    view = View.turn(fork_id=fork.id, base_seq=fork.base_seq, turn_ids=[2])
    assert shown(tape, view) == [first, answer, merged, second]
    assert shown(tape, view.only("message").limit(3)) == [first, answer, second]


def test_A8_a_turn_claimed_while_later_questions_wait_does_not_see_them(tape: Tape) -> None:
    first = say(tape, "first question", 1)
    say(tape, "second question", 2)
    fork = forks.open(tape.id)
    view = View.turn(fork_id=fork.id, base_seq=fork.base_seq, turn_ids=[1])
    assert shown(tape, view) == [first]


def test_a_turn_whose_own_anchor_moves_the_window_goes_on_after_it(
    tape: Tape, fork: ForkHandle
) -> None:
    say(tape, "long", 1, fork)
    store.handoff(tape.id, "phase/next", fork=fork, turn_id=1)
    say(tape, "short", 1, fork)
    view = View.turn(fork_id=fork.id, base_seq=fork.base_seq, turn_ids=[1])
    assert shown(tape, view) == [5, 6]
