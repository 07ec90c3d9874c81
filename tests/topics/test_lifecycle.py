"""How topics start and end: P1, P2, P5, P6, compared as the text of their tapes."""

from __future__ import annotations

import random
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

import pytest
from django.db import IntegrityError, connections
from django.utils import timezone

from tapes import store, verify
from tapes.text import tape_text
from tests.topics import acting
from topics import asking, lifecycle, turns
from topics.models import Topic, Turn

if TYPE_CHECKING:
    from collections.abc import Callable

    from kb_agent.accounts.models import User
    from tapes.models import Tape

FINALIZE_PREV = "topics.finalize_prev.topic_finalize_prev"
STARTED = (
    '{"attempt": 1, "hook": "topics.finalize_prev.topic_finalize_prev", "outcome": "done",'
    ' "stage": "pre_topic_initial"}'
)


def _finalize(topic: Topic, reason: str = "owner") -> Topic:
    return lifecycle.finalize(topic.pk, reason=reason, actor=f"person:{topic.owner_id}")


def test_P5_common_topic_start_turns_finalize_by_its_owner(
    tape: Tape, topic: Topic, asked: Callable[..., Turn]
) -> None:
    claimed = turns.claim(asked().pk, "worker")
    assert claimed
    turns.finish(claimed, "done")
    ended = _finalize(topic)
    assert tape_text(tape.pk) == (
        "1 anchor session/start\n"
        '2 anchor topic_initial {"continues": null, "owner": 1, "title": "Refunds"}\n'
        f"3 event hook {STARTED}\n"
        "4 message user: Who may refund?\n"
        '5 event turn_started {"attempt": 1}\n'
        '6 event turn_ended {"reason": "", "status": "done"}\n'
        "7 event fork_merged\n"
        '8 anchor topic_finalized {"reason": "owner", "status": "finalized", "summary": "",'
        ' "title": "Refunds"}'
    )
    assert (ended.status, ended.reason) == ("finalized", "owner")
    assert (ended.initial_seq, ended.finalized_seq) == (2, 8)


def test_P6_a_new_topic_finalizes_the_open_one_first(
    tape: Tape, topic: Topic, person: User
) -> None:
    following = acting.start(tape, person, title="Stock")
    topic.refresh_from_db()
    assert tape_text(tape.pk).splitlines()[3:] == [
        '4 anchor topic_finalized {"reason": "superseded", "status": "aborted", "summary": "",'
        ' "title": "Refunds"}',
        '5 anchor topic_initial {"continues": null, "owner": 1, "title": "Stock"}',
        "6 event hook " + STARTED.replace("done", "done: finalized topic 1"),
    ]
    assert (topic.status, topic.reason, topic.finalized_seq) == ("aborted", "superseded", 4)
    assert following.status == "open"


def test_P2_two_starts_at_once_leave_one_open_topic(tape: Tape, person: User) -> None:
    starts = [partial(acting.start, tape, person, title=f"Topic {number}") for number in range(6)]
    begun = acting.at_once(*starts)
    assert all(isinstance(topic, Topic) for topic in begun), begun
    assert Topic.objects.filter(tape=tape.pk, status="open").count() == 1
    assert Topic.objects.filter(tape=tape.pk, reason="superseded").count() == 5
    anchors = [name for name in acting.names(tape) if name.startswith("topic_")]
    assert anchors == ["topic_initial", "topic_finalized"] * 5 + ["topic_initial"]


def test_P2_the_database_refuses_a_second_open_topic(topic: Topic) -> None:
    with pytest.raises(IntegrityError, match="topic_one_open_on_a_tape"):
        Topic.objects.create(
            tape=topic.tape, owner=topic.owner, title="Second", initial_seq=topic.initial_seq + 1
        )


def test_P2_without_its_hook_a_start_beside_an_open_topic_is_refused(
    tape: Tape, topic: Topic, person: User, settings: pytest.FixtureRequest
) -> None:
    settings.TOPIC_HOOKS = {}  # type: ignore[attr-defined]
    with pytest.raises(lifecycle.TopicStillOpen):
        acting.start(tape, person, title="Second")
    assert lifecycle.open_on(tape.pk) == topic


def test_P2_a_start_where_a_turn_waits_or_runs_is_refused(
    tape: Tape, person: User, asked: Callable[..., Turn]
) -> None:
    turn = asked()
    before = acting.names(tape)
    with pytest.raises(lifecycle.TapeBusy):
        acting.start(tape, person, title="Second")
    claimed = turns.claim(turn.pk, "worker")
    assert claimed
    with pytest.raises(lifecycle.TapeBusy):
        acting.start(tape, person, title="Second")
    assert acting.names(tape) == [*before, "turn_started"]
    turns.finish(claimed, "done")
    assert acting.start(tape, person, title="Second").status == "open"


def test_P6_finalizing_twice_even_at_once_ends_a_topic_once(tape: Tape, topic: Topic) -> None:
    ended = acting.at_once(*[partial(_finalize, topic)] * 6)
    assert [each.status for each in ended] == ["finalized"] * 6
    before = acting.names(tape)
    assert before.count("topic_finalized") == 1
    assert _finalize(topic, "administrator").reason == "owner"
    assert acting.names(tape) == before


def test_P6_a_running_turn_is_not_cut_off_by_a_finalize(
    tape: Tape, topic: Topic, asked: Callable[..., Turn]
) -> None:
    claimed = turns.claim(asked().pk, "worker")
    assert claimed
    assert _finalize(topic).status == "open"
    assert _finalize(topic).finalize_requested == "owner"
    waiting = asked("One more thing.")
    turns.finish(claimed, "done")
    topic.refresh_from_db()
    assert topic.status == "open"
    claimed = turns.claim(waiting.pk, "worker")
    assert claimed
    turns.finish(claimed, "done")
    topic.refresh_from_db()
    assert (topic.status, topic.reason, topic.finalize_requested) == ("finalized", "owner", "")
    assert acting.names(tape)[3:] == [
        "message",
        "turn_started",
        "finalize_requested",
        "message",
        "turn_ended",
        "fork_merged",
        "turn_started",
        "turn_ended",
        "fork_merged",
        "topic_finalized",
    ]


def test_P6_stopping_the_last_waiting_turn_ends_the_topic_too(
    topic: Topic, asked: Callable[..., Turn]
) -> None:
    turn = asked()
    _finalize(topic)
    turns.request_stop(turn.pk, "person:1")
    topic.refresh_from_db()
    assert topic.status == "finalized"


def test_P6_a_finalize_owed_by_a_killed_worker_is_done_by_the_sweep(
    topic: Topic, asked: Callable[..., Turn]
) -> None:
    turn = asked()
    _finalize(topic)
    assert lifecycle.complete_left() == 0
    # As a worker leaves it that dies between the turn's end and the topic's.
    Turn.objects.filter(pk=turn.pk).update(status="stopped", ended_at=timezone.now())
    assert lifecycle.complete_left() == 1
    assert lifecycle.complete_left() == 0
    topic.refresh_from_db()
    assert topic.status == "finalized"


def test_R2_a_topic_that_cannot_be_ended_keeps_the_sweep_from_no_owed_finalize(
    topic: Topic, person: User, asked: Callable[..., Turn]
) -> None:
    other = acting.start(store.create("other"), person, title="Stock")
    asking.ask(other.pk, asker_id=person.pk, content="Left?", idempotency_key="other")
    asked()
    for each in (topic, other):
        _finalize(each)
    Turn.objects.update(status="stopped", ended_at=timezone.now())
    # No tape ever gets there, so the row's own check refuses its end: not an error of the tape's.
    Topic.objects.filter(pk=topic.pk).update(initial_seq=1_000_000)
    assert lifecycle.complete_left() == 1
    other.refresh_from_db()
    assert other.status == "finalized"


def test_P5_a_question_to_a_finalized_topic_is_told_to_continue(
    tape: Tape, topic: Topic, person: User, asked: Callable[..., Turn]
) -> None:
    _finalize(topic)
    before = acting.names(tape)
    with pytest.raises(lifecycle.TopicClosed):
        asked("And in EUR?")
    assert acting.names(tape) == before
    continued = acting.start(tape, person, title="And in EUR?", continues=topic.pk)
    assert continued.continues_id == topic.pk
    assert acting.last(tape, "topic_initial").payload["state"]["continues"] == topic.pk


def test_P6_the_sweep_ends_topics_idle_too_long(
    tape: Tape, topic: Topic, person: User, asked: Callable[..., Turn]
) -> None:
    active = acting.start(store.create("active"), person, title="Active")
    busy = acting.start(store.create("busy"), person, title="Busy")
    asking.ask(busy.pk, asker_id=person.pk, content="Still?", idempotency_key="busy")
    long_ago = timezone.now() - timedelta(days=8)
    Topic.objects.filter(pk__in=[topic.pk, busy.pk]).update(last_activity_at=long_ago)
    assert lifecycle.finalize_idle() == 1
    assert lifecycle.finalize_idle() == 0
    topic.refresh_from_db()
    assert (topic.status, topic.reason) == ("aborted", "idle")
    assert acting.last(tape, "topic_finalized").actor == "system"
    assert set(Topic.objects.filter(status="open")) == {active, busy}


def test_P6_a_topic_that_cannot_be_ended_keeps_the_sweep_from_no_other(
    tape: Tape, topic: Topic, person: User
) -> None:
    other = acting.start(store.create("other"), person, title="Other")
    Topic.objects.update(last_activity_at=timezone.now() - timedelta(days=8))
    with connections["owner"].cursor() as cursor:
        cursor.execute("UPDATE tapes_tape SET archived_at = now() WHERE id = %s", [tape.pk])
    assert lifecycle.finalize_idle() == 1
    assert list(Topic.objects.filter(status="open")) == [topic]
    other.refresh_from_db()
    assert other.reason == "idle"


def _press(number: int, topic: Topic, person: User) -> None:
    """Do everything a person and a worker do, in an order of its own."""
    chance = random.Random(number)  # noqa: S311 — repeatable, not secret
    for round_ in range(12):
        asking.ask(
            topic.pk,
            asker_id=person.pk,
            content="Who?",
            idempotency_key=f"{number} {round_}",
            joins=chance.choice([None, *(turn.pk for turn in asking.unfinished_on(topic.tape_id))]),
        )
        for turn_id in turns.due():
            claimed = turns.claim(turn_id, str(number))
            if claimed:
                turns.take_joined(claimed)
                turns.heartbeat(claimed)
                turns.finish(claimed, "done")
        waiting = asking.unfinished_on(topic.tape_id)
        if waiting:
            turns.request_stop(chance.choice(waiting).pk, "person:1")


def test_A8_everything_at_once_on_one_tape_blocks_nothing(
    tape: Tape, topic: Topic, person: User
) -> None:
    presses = [partial(_press, number, topic, person) for number in range(5)]
    assert acting.at_once(*presses) == [None] * 5
    for turn_id in turns.due():
        _press(turn_id, topic, person)
    assert Turn.objects.count() >= 60
    assert not Turn.objects.filter(status__in=["waiting", "running"]).exists()
    assert verify.verify(tape.pk).ok


def test_P6_a_topic_asked_in_while_the_sweep_looks_stays_open(
    topic: Topic, asked: Callable[..., Turn]
) -> None:
    Topic.objects.filter(pk=topic.pk).update(last_activity_at=timezone.now() - timedelta(days=8))
    acting.at_once(lifecycle.finalize_idle, partial(_ask_or_be_told, asked))
    topic.refresh_from_db()
    assert topic.status == ("open" if topic.turns.exists() else "aborted")


def _ask_or_be_told(asked: Callable[..., Turn]) -> None:
    try:
        asked()
    except lifecycle.TopicClosed:
        return


def test_P1_a_rename_is_an_event_and_a_correction_of_the_row(tape: Tape, topic: Topic) -> None:
    renamed = lifecycle.rename(topic.pk, title="  Refunds\nin EUR ", actor="person:1")
    assert renamed.title == "Refunds in EUR"
    assert tape_text(tape.pk).endswith('4 event topic_renamed {"title": "Refunds in EUR"}')
    with pytest.raises(lifecycle.EmptyTitle):
        lifecycle.rename(topic.pk, title=" ", actor="person:1")


def test_P1_what_is_written_for_a_topic_after_its_end_carries_its_id(
    tape: Tape, topic: Topic
) -> None:
    ended = _finalize(topic)
    lifecycle.rename(topic.pk, title="Refunds, later", actor="person:1")
    event = acting.last(tape, "topic_renamed")
    assert event.topic_id == topic.pk
    assert event.seq > (ended.finalized_seq or 0)
