"""Messages added to a running turn, stops, and the line of those that wait (A8)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tapes.models import Entry
from tests.topics import acting
from topics import asking, turns

if TYPE_CHECKING:
    from collections.abc import Callable

    from tapes.models import Tape
    from topics.models import Topic, Turn

    Ask = Callable[..., Turn]


def test_A8_a_message_is_taken_up_by_the_running_turn(asked: Ask, tape: Tape) -> None:
    claimed = acting.claim(asked())
    assert turns.take_joined(claimed) == []
    added = asked("In EUR only.", joins=claimed.turn.pk)
    assert [turn.pk for turn in turns.take_joined(claimed)] == [added.pk]
    assert turns.take_joined(claimed) == []
    added.refresh_from_db()
    assert (added.status, added.reason, added.taken_by_id) == ("done", "taken_up", claimed.turn.pk)
    assert turns.taken_up(claimed.turn.pk) == [added.pk]
    told = acting.last(tape, "message_taken_up")
    assert told.payload["data"] == {"seq": added.question_seq, "turn": added.pk}
    assert told.fork_id == claimed.fork.id
    assert Entry.objects.get(tape=tape.pk, seq=added.question_seq).fork_id is None


def test_A8_a_message_too_late_becomes_the_next_turn(asked: Ask) -> None:
    first = asked()
    claimed = acting.claim(first)
    added = asked("In EUR only.", joins=first.pk)
    acting.answer(claimed)
    too_late = asked("And in USD?", joins=first.pk)
    assert too_late.joins_id is None
    assert turns.due() == [added.pk]
    assert acting.answer(acting.claim(added)).status == "done"
    assert turns.due() == [too_late.pk]


def test_A8_a_message_for_a_message_joins_the_turn_that_runs(asked: Ask) -> None:
    claimed = acting.claim(asked())
    added = asked("In EUR only.", joins=claimed.turn.pk)
    more = asked("And rounded.", joins=added.pk)
    assert more.joins_id == claimed.turn.pk
    assert len(turns.take_joined(claimed)) == 2


def test_A8_an_overtaken_worker_takes_nothing_up(asked: Ask) -> None:
    old = acting.claim(asked())
    asked("In EUR only.", joins=old.turn.pk)
    acting.lapse(old.turn)
    new = acting.claim(old.turn)
    with pytest.raises(turns.Lost):
        turns.take_joined(old)
    assert len(turns.take_joined(new)) == 1


def test_A8_a_waiting_turn_stops_at_once_and_says_who_asked(asked: Ask, tape: Tape) -> None:
    acting.claim(asked())
    waiting = asked("Never mind.")
    assert turns.request_stop(waiting.pk, "person:7").status == "stopped"
    assert turns.request_stop(waiting.pk, "person:7").status == "stopped"
    assert acting.names(tape)[-2:] == ["stop_requested", "turn_ended"]
    assert acting.last(tape, "stop_requested").actor == "person:7"


def test_A8_a_running_turn_hears_of_a_stop_by_its_heartbeat(asked: Ask) -> None:
    claimed = acting.claim(asked())
    assert turns.request_stop(claimed.turn.pk, "person:7").status == "running"
    assert turns.heartbeat(claimed) == turns.State(lost=False, stop=True)
    ended = turns.finish(claimed, "stopped", reason="stopped")
    assert (ended.status, ended.answer_seq) == ("stopped", None)
    assert turns.request_stop(claimed.turn.pk, "person:7").status == "stopped"


def test_A8_a_stop_asked_of_a_lost_worker_reaches_the_next(asked: Ask) -> None:
    turn = asked()
    acting.claim(turn)
    turns.request_stop(turn.pk, "person:7")
    acting.lapse(turn)
    assert turns.heartbeat(acting.claim(turn)).stop


def test_A8_people_see_their_place_in_the_queue(asked: Ask, topic: Topic) -> None:
    first, second, third = asked(), asked(), asked()
    assert [asking.place(turn.pk) for turn in (first, second, third)] == [1, 2, 3]
    acting.claim(first)
    assert [asking.place(turn.pk) for turn in (first, second, third)] == [0, 1, 2]
    assert [turn.pk for turn in asking.unfinished_on(topic.tape_id)] == [
        first.pk,
        second.pk,
        third.pk,
    ]
