"""An act on topics: one transaction, its refusal recorded after the roll-back (P4)."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from dataclasses import replace
from functools import wraps
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from django.db import connection, transaction

from tapes import entries, store
from topics.hooks import entries as hook_entries
from topics.hooks import figures

if TYPE_CHECKING:
    from tapes.entries import NewEntry

P = ParamSpec("P")
R = TypeVar("R")

logger = logging.getLogger(__name__)
_left_out: ContextVar[frozenset[str]] = ContextVar("hooks left out", default=frozenset())


class TopicRefused(Exception):
    """A pre-hook refused to start or end a topic; `reason` is for the person who asked."""

    code = "topic_refused"

    def __init__(
        self, reason: str, *, tape_id: int, topic_id: int | None, left: Sequence[NewEntry]
    ) -> None:
        self.reason = hook_entries.plain(reason)
        super().__init__(self.reason)
        self.tape_id = tape_id
        self.topic_id = topic_id
        self.left = left


class HookHung(Exception):
    """A pre-hook held the transaction so long that the database dropped it."""

    code = "hook_hung"

    def __init__(self, path: str) -> None:
        super().__init__(f"{path} held the transaction too long")
        self.path = path


def act(does: Callable[P, R]) -> Callable[P, R]:
    """Make a function one act; called inside another, it joins that one.

    When a hook refuses, the reason is appended to the tape after everything was rolled back, and
    TopicRefused goes on to the caller. When a hook hangs, the act is done again without it.
    """

    @wraps(does)
    def whole(*args: P.args, **kwargs: P.kwargs) -> R:
        if connection.in_atomic_block:
            return does(*args, **kwargs)
        try:
            with transaction.atomic():
                return does(*args, **kwargs)
        except TopicRefused as refused:
            record(refused)
            raise
        except HookHung as hung:
            logger.exception("pre-hook %s hung; the act is done again without it", hung.path)
            token = _left_out.set(_left_out.get() | {hung.path})
            try:
                return whole(*args, **kwargs)
            finally:
                _left_out.reset(token)

    return whole


def left_out() -> frozenset[str]:
    """The hooks that hung when this act was tried before."""
    return _left_out.get()


def record(refused: TopicRefused) -> None:
    """Append why an act was refused, with the run of the hook that did."""
    error = entries.error("topic_refused", refused.reason, actor="system")
    left = [replace(entry, topic_id=refused.topic_id) for entry in (*refused.left, error)]
    figures.note(refused.left)
    try:
        store.append(refused.tape_id, left)
    except store.TapeError:
        # The tape was rolled back too, or takes no more; the person is told all the same.
        logger.exception("refusal that no tape could take: %s", refused.reason)
