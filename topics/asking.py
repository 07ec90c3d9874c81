"""What a person asks: a question becomes an entry and a waiting turn, once a key (R4, A8)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NotRequired, TypedDict, Unpack

from django.conf import settings

from tapes import entries, forks
from topics import acts, ids, lifecycle, locks, turn_rows
from topics.models import UNFINISHED, Turn, TurnStatus

if TYPE_CHECKING:
    from tapes.entries import NewEntry
    from tapes.source import AnchorPlace

AFTER = "after_anchor"
"""The key in a question's meta: `{name, seq}` of the anchor its window starts after."""
EXPERIMENT = "experiment"
"""The key in the meta of a question that was asked as an experiment."""


class EmptyQuestion(Exception):
    """A question needs words."""

    code = "empty_question"


class QuestionTooLong(Exception):
    """A question has more than QUESTION_MAX_CHARS characters."""

    code = "question_too_long"


class Question(TypedDict):
    """What is asked, by whom, and of what."""

    asker_id: int
    content: str
    idempotency_key: str
    repositories: NotRequired[Sequence[int]]
    branch: NotRequired[str]
    language: NotRequired[str]
    joins: NotRequired[int | None]
    """The turn it is added to, while that one is unfinished."""
    sources: NotRequired[Sequence[int]]
    notes: NotRequired[Sequence[NewEntry]]
    """What stands right behind it and belongs to it: what it names, looked up (P9)."""
    experiment: NotRequired[bool]
    """Asked on a fork that is discarded at the end (T11)."""
    after: NotRequired[AnchorPlace | None]
    """The anchor its window starts after, kept in the question's meta (T8)."""


@acts.act
def ask(topic_id: int, **question: Unpack[Question]) -> Turn:
    """Append a question to an open topic and let its turn wait; the same key gives the same turn.

    Raises EmptyQuestion, QuestionTooLong, lifecycle.TopicClosed; store.InvalidEntry for text a
    tape cannot hold.
    """
    content = question["content"]
    _check(content)
    asker_id = question["asker_id"]
    if known := hold_key(asker_id, question["idempotency_key"]):
        return known
    topic = lifecycle.held_open(topic_id)
    turn = Turn(
        pk=ids.take(Turn),
        topic=topic,
        tape_id=topic.tape_id,
        asker_id=asker_id,
        joins=_joinable(topic.tape_id, question.get("joins")),
        experiment=question.get("experiment", False),
        repositories=list(question.get("repositories", ())),
        branch=question.get("branch", ""),
        language=question.get("language", "zh"),
        idempotency_key=question["idempotency_key"],
    )
    said = entries.message("user", content, actor=f"person:{asker_id}")
    after = question.get("after")
    meta: dict[str, Any] = {AFTER: {"name": after.name, "seq": after.seq}} if after else {}
    meta |= {EXPERIMENT: True} if question.get("experiment") else {}
    said = replace(said, sources=tuple(question.get("sources", ())), meta=meta)
    # An experiment's question too must not stand in anybody's window.
    fork = forks.open(topic.tape_id) if turn.experiment else None
    turn.fork_id = fork.id if fork else None
    entry, *_ = turn_rows.append(turn, [said, *question.get("notes", ())], fork=fork)
    turn.question_seq = entry.seq
    turn.save(force_insert=True)
    lifecycle.touch(topic.pk, at=entry.date)
    turn_rows.tell_next(topic.tape_id)
    return turn


def by_key(asker_id: int, idempotency_key: str) -> Turn | None:
    """The turn a person's key has made, if any."""
    return Turn.objects.filter(asker=asker_id, idempotency_key=idempotency_key).first()


def hold_key(asker_id: int, idempotency_key: str) -> Turn | None:
    """`by_key`, with the key held until the transaction ends: a second click waits, then finds."""
    locks.key(asker_id, idempotency_key)
    return by_key(asker_id, idempotency_key)


def unfinished_on(tape_id: int) -> list[Turn]:
    """The turns that run or wait on a tape, in order."""
    return list(Turn.objects.filter(tape=tape_id, status__in=UNFINISHED).order_by("pk"))


def place(turn_id: int) -> int:
    """A waiting turn's place in the line of all that wait, from 1; 0 when it does not wait."""
    return places([turn_id]).get(turn_id, 0)


def places(turn_ids: Collection[int]) -> dict[int, int]:
    """The place of each of these turns that waits, in the line of all that wait, from 1."""
    if not turn_ids:
        return {}
    waiting = Turn.objects.filter(status=TurnStatus.WAITING, pk__lte=max(turn_ids))
    line = waiting.order_by("pk").values_list("pk", flat=True)
    return {pk: number for number, pk in enumerate(line, 1) if pk in turn_ids}


def _check(content: str) -> None:
    if not content.strip():
        raise EmptyQuestion("a question needs words")
    if len(content) > settings.QUESTION_MAX_CHARS:
        raise QuestionTooLong(
            f"a question may have {settings.QUESTION_MAX_CHARS} characters, not {len(content)}"
        )


def _joinable(tape_id: int, turn_id: int | None) -> Turn | None:
    """The unfinished turn a question is added to; too late, and it becomes the next turn."""
    if turn_id is None:
        return None
    unfinished = Turn.objects.filter(pk=turn_id, tape=tape_id, status__in=UNFINISHED)
    turn = unfinished.select_related("joins").first()
    if turn and turn.joins and turn.joins.status in UNFINISHED:
        return turn.joins
    # What is added to an experiment would be lost with it.
    return None if turn and turn.experiment else turn
