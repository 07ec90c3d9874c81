"""P5: a continued topic shows the model what it continues, and only to who may read that (C7)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tapes import entries, messages, store, views
from tapes.views import View
from tests.topics import acting
from topics import continuing, lifecycle, turns
from topics.models import Topic, Turn

if TYPE_CHECKING:
    from collections.abc import Callable

    from kb_agent.accounts.models import User
    from tapes.models import Tape

QUESTION = "退款失败后会自动重试吗？"
ANSWER = "会，最多三次。[e1]\n间隔一小时【e2，e3】。"


@pytest.fixture
def finished(topic: Topic, asked: Callable[..., Turn]) -> Callable[..., Topic]:
    """End the topic after one question with this answer."""

    def finish(answer: str = ANSWER, question: str = QUESTION) -> Topic:
        claimed = acting.claim(asked(question))
        said = entries.message("assistant", answer, actor="agent", sources=[7])
        turns.finish(claimed, "done", entries=[said], answer_seq_from=0)
        return lifecycle.finalize(topic.pk, reason="owner", actor="person:1")

    return finish


def _shown(tape: Tape, readable: set[int]) -> list[str]:
    window = views.read(tape.pk, View.last_anchor())
    rendered = messages.render(window, readable=frozenset(readable))
    return [message["content"] for message in rendered.messages]


def _state(tape: Tape) -> dict[str, Any]:
    state: dict[str, Any] = acting.last(tape, "recall_anchor").payload["state"]
    return state


def test_P5_the_window_of_a_continued_topic_begins_with_what_it_continues(
    tape: Tape, person: User, finished: Callable[..., Topic]
) -> None:
    done = finished()
    acting.start(tape, person, title="And how often?", continues=done.pk)
    (note,) = _shown(tape, {7})
    assert note == (
        f"[recall_anchor] This topic continues topic {done.pk} (tape {tape.pk}, entries"
        f" {done.initial_seq} to {done.finalized_seq}): Refunds\n"
        f"Last question: {QUESTION}\n"
        "Last answer, whose evidence must be opened anew to be cited:\n"
        "会，最多三次。\n间隔一小时。"
    )
    assert _state(tape)["topics"] == [
        {
            "topic": done.pk,
            "tape": tape.pk,
            "range": [done.initial_seq, done.finalized_seq],
            "title": "Refunds",
            "summary": "",
        }
    ]


def test_P5_the_turn_that_continues_sees_it_before_its_question_also_from_another_tape(
    person: User, finished: Callable[..., Topic]
) -> None:
    done = finished()
    fresh = store.create("fresh")
    topic = acting.start(fresh, person, title="More", continues=done.pk)
    asked = acting.ask(topic, person, "And how often?")
    claimed = acting.claim(asked)
    own = View.turn(fork_id=claimed.fork.id, base_seq=claimed.fork.base_seq, turn_ids=[asked.pk])
    rendered = messages.render(views.read(fresh.pk, own), readable=frozenset({7}))
    note, question = (message["content"] for message in rendered.messages)
    assert QUESTION in note
    assert question == "And how often?"
    assert acting.last(fresh, "recall_anchor").turn_id is None


def test_C7_who_may_not_read_what_the_continued_topic_rests_on_sees_it_withheld(
    tape: Tape, person: User, finished: Callable[..., Topic]
) -> None:
    done = finished()
    lifecycle.rename(done.pk, title="Refunds of the ledger", actor="agent", sources=[4])
    acting.start(tape, person, title="More", continues=done.pk)
    assert acting.last(tape, "recall_anchor").sources == [4, 7]
    assert _shown(tape, {7}) == ["[recall_anchor] [withheld]"]
    assert "ledger" in _shown(tape, {4, 7})[0]


@pytest.mark.parametrize("length", [100, 100_000])
def test_P5_the_note_has_1200_tokens_at_most_and_no_half_character(
    tape: Tape, person: User, finished: Callable[..., Topic], length: int
) -> None:
    done = finished("答" * length, "问" * min(length, 20_000))
    Topic.objects.filter(pk=done.pk).update(summary="总" * length)
    acting.start(tape, person, title="More", continues=done.pk)
    text = _state(tape)["text"]
    assert len(text.encode()) <= continuing.MAX_BYTES == 1_200 * 4
    assert "\ufffd" not in text
    assert "答" in text
    assert text.endswith("…") == (length > 1_000)


def test_P5_a_topic_that_was_never_answered_is_recalled_by_its_question(
    tape: Tape, person: User, topic: Topic, asked: Callable[..., Turn]
) -> None:
    turns.request_stop(asked(QUESTION).pk, "person:1")
    lifecycle.finalize(topic.pk, reason="owner", actor="person:1")
    acting.start(tape, person, title="More", continues=topic.pk)
    assert _shown(tape, set())[0].endswith(f"Last question: {QUESTION}")


def test_P5_a_topic_in_which_nothing_was_asked_is_recalled_by_its_title(
    tape: Tape, person: User, topic: Topic
) -> None:
    acting.start(tape, person, title="More", continues=topic.pk)
    assert _shown(tape, set())[0].endswith(": Refunds")
    assert _state(tape)["topics"][0]["range"] == [
        topic.initial_seq,
        acting.last(tape, "topic_finalized").seq,
    ]


def test_a_topic_that_continues_nothing_has_no_note(tape: Tape, topic: Topic) -> None:
    assert "recall_anchor" not in acting.names(tape)
