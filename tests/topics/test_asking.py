"""Questions become entries and turns: A8, R4, C7."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from django.db import IntegrityError

from tapes import store
from tapes.models import Entry
from tests.topics import acting
from topics import acts, asking, signals, turns
from topics.models import Topic, Turn

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_django.fixtures import SettingsWrapper

    from kb_agent.accounts.models import User
    from tapes.models import Tape


def test_T11_the_question_stands_outside_the_fork_with_its_turn_and_sources(
    tape: Tape, asked: Callable[..., Turn], person: User
) -> None:
    turn = asked("退款失败后会自动重试吗？", sources=[3, 2], repositories=[2], language="zh")
    entry = Entry.objects.get(tape=tape.pk, seq=turn.question_seq)
    assert entry.payload == {"role": "user", "content": "退款失败后会自动重试吗？"}
    assert (entry.fork_id, entry.turn_id, entry.topic_id) == (None, turn.pk, turn.topic_id)
    assert (entry.actor, entry.sources) == (f"person:{person.pk}", [2, 3])
    assert (turn.repositories, turn.language, turn.status) == ([2], "zh", "waiting")


def test_R4_a_key_makes_one_turn_however_often_it_is_sent(
    asked: Callable[..., Turn], tape: Tape
) -> None:
    made = acting.at_once(*[partial(asked, idempotency_key="double click")] * 8)
    assert len({turn.pk for turn in made}) == 1
    assert acting.names(tape).count("message") == 1


def test_R4_a_double_click_on_a_new_topic_makes_one_topic(person: User) -> None:
    tapes = [store.create(f"fresh {number}") for number in range(4)]

    @acts.act
    def start_and_ask(tape: Tape) -> Turn:
        if known := asking.hold_key(person.pk, "k"):
            return known
        topic = acting.start(tape, person, title="Refunds")
        return asking.ask(topic.pk, asker_id=person.pk, content="Who?", idempotency_key="k")

    made = acting.at_once(*[partial(start_and_ask, tape) for tape in tapes])
    assert len({turn.pk for turn in made}) == 1
    assert Topic.objects.count() == Turn.objects.count() == 1
    assert asking.by_key(person.pk, "k") == made[0]


def test_R4_the_database_refuses_a_second_turn_with_a_key(asked: Callable[..., Turn]) -> None:
    first, second = asked(), asked()
    with pytest.raises(IntegrityError, match="turn_once_a_key"):
        Turn.objects.filter(pk=second.pk).update(idempotency_key=first.idempotency_key)


def test_A8_questions_asked_at_once_are_answered_in_the_order_of_the_tape(
    asked: Callable[..., Turn], tape: Tape
) -> None:
    acting.at_once(*[partial(asked, f"Question {number}") for number in range(8)])
    waiting = asking.unfinished_on(tape.pk)
    seqs = [turn.question_seq for turn in waiting]
    assert seqs == sorted(seqs)
    assert len(set(seqs)) == 8


@pytest.mark.parametrize(
    ("content", "refusal"),
    [
        ("", asking.EmptyQuestion),
        (" \n\t ", asking.EmptyQuestion),
        ("问" * 20_001, asking.QuestionTooLong),
        ("NUL \x00", store.InvalidEntry),
        ("half \ud800", store.InvalidEntry),
    ],
    ids=["empty", "blank", "too long", "NUL", "half a character"],
)
def test_R4_a_question_that_cannot_be_asked_is_refused_by_name_and_writes_nothing(
    asked: Callable[..., Turn], tape: Tape, content: str, refusal: type[Exception]
) -> None:
    before = acting.names(tape)
    with pytest.raises(refusal):
        asked(content)
    assert acting.names(tape) == before
    assert not Turn.objects.exists()


def test_R4_the_longest_question_is_asked(
    asked: Callable[..., Turn], settings: SettingsWrapper
) -> None:
    assert asked("问" * settings.QUESTION_MAX_CHARS).status == "waiting"


def test_R2_who_has_a_queue_is_told_of_turns_that_can_be_claimed(
    asked: Callable[..., Turn],
) -> None:
    told: list[int] = []

    def listen(*, turn_id: int, **_: Any) -> None:
        told.append(turn_id)

    signals.turn_due.connect(listen)
    try:
        first = asked()
        claimed = turns.claim(first.pk, "worker")
        assert claimed
        second = asked()
        assert told == [first.pk]
        turns.finish(claimed, "done")
    finally:
        signals.turn_due.disconnect(listen)
    assert told == [first.pk, second.pk]


def test_R2_a_listener_that_fails_costs_no_question(asked: Callable[..., Turn]) -> None:
    def broken(**_: Any) -> None:
        raise ConnectionError("Redis is down")

    signals.turn_due.connect(broken)
    try:
        turn = asked()
    finally:
        signals.turn_due.disconnect(broken)
    assert turns.due() == [turn.pk]
