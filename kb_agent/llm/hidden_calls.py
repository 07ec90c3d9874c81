"""Asks a language model beside a turn, for a title, a summary or a recall, by events that no window shows.

The exact messages and the answer are stored once under their digests, which the events name: *what
the model saw* rebuilds them, and an erasure of a topic they were made from deletes them (T18, T19).
"""

from __future__ import annotations

import json
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kb_agent.llm import call_events, calls, endpoints, plain_text, usage
from kb_agent.llm.protocol import ContextExceeded, MissingAccount, Request, TextDelta
from tapes import entries, messages, store
from topics.open_calls import ENDED, STARTED

if TYPE_CHECKING:
    from kb_agent.llm.models import Endpoint
    from kb_agent.llm.protocol import Message, Signal
    from tapes.entries import Context
    from tapes.forks import ForkHandle

JSON_ONLY = "Answer with JSON alone: no words before or after it, no code fence."


class NoModel(Exception):
    """No language model is set up."""

    code = "no_model"


@dataclass(frozen=True, kw_only=True)
class Question:
    """What is asked: a system prompt, a text, and the repositories that the text comes from."""

    system: str
    text: str
    purpose: str
    sources: tuple[int, ...] = ()
    max_tokens: int = 500
    json: bool = False
    """Ask for JSON; `json_answers` reads it."""


@dataclass(frozen=True, kw_only=True)
class Place:
    """Where a call's events stand, who pays for it, and what may end it early.

    `fork` is the turn's own while it runs: its entries, and what they cost, belong to the turn.
    """

    tape_id: int
    topic_id: int | None
    payer: int | str
    turn_id: int | None = None
    fork: ForkHandle | None = None
    actor: str = "system"
    stopped: Signal | None = None
    topics: tuple[int, ...] = ()
    """Other topics whose words are in the question: who may not see them is not shown it."""

    def __post_init__(self) -> None:
        """Refuse a call that no one would be seen to have paid for."""
        if not self.payer:
            raise MissingAccount("a model call needs a payer")


def ask(question: Question, *, place: Place, seconds: float) -> str:
    """What a model answers within `seconds`.

    Raises NoModel, a ProviderError, or a CallEnded (BudgetReached is one).
    """
    system = f"{question.system}\n\n{JSON_ONLY}" if question.json else question.system
    said: list[Message] = [
        {"role": "system", "content": plain_text.storable(system)},
        {"role": "user", "content": plain_text.storable(question.text)},
    ]
    chosen = _with_room(said, question.max_tokens)
    ledger = _Ledger(question, place, said)
    answer = calls.ask(
        chosen,
        Request(
            messages=said,
            purpose=question.purpose,
            payer=place.payer,
            max_tokens=question.max_tokens,
        ),
        terms=calls.Terms(
            deadline=time.monotonic() + seconds, stopped=place.stopped or threading.Event()
        ),
        ledger=ledger,
        on_text=_unheard,
    )
    content = plain_text.storable(answer.completed.content)
    ledger.answered(answer, content)
    return content


def _with_room(said: list[Message], answer_tokens: int) -> list[Endpoint]:
    """The models whose known window takes the question. Raises NoModel, ContextExceeded."""
    models = [endpoint for endpoint in endpoints.chosen() if not endpoint.by_rule]
    if not models:
        raise NoModel("no language model is set up")
    needed = usage.estimate(str(said)) + answer_tokens
    fitting = [model for model in models if not model.window or needed <= model.window]
    if not fitting:
        raise ContextExceeded(
            f"the question needs about {needed} tokens, more than any model takes"
        )
    return fitting


def _unheard(_: TextDelta) -> None:
    """Nobody watches this call."""


class _Ledger:
    """Writes every attempt as events at one place."""

    def __init__(self, question: Question, place: Place, said: list[Message]) -> None:
        self._question, self._place = question, place
        self._attempts = 0
        self._said, self._digest = store.spill(json.dumps(said)), messages.digest(said)
        self._context: Context = {
            "topic_id": place.topic_id,
            "turn_id": place.turn_id,
            "actor": place.actor,
            "why": question.purpose,
            "sources": sorted(question.sources),
        }

    def started(self, endpoint: Endpoint, call: str) -> None:
        """Record what is about to be sent, and to whom."""
        self._attempts += 1
        data = {
            "call": call,
            "attempt": self._attempts,
            "endpoint": endpoint.name,
            "model": endpoint.model,
            "protocol": endpoint.tools,
            "purpose": self._question.purpose,
            "payer": self._place.payer,
            "messages": self._said,
            "messages_digest": self._digest,
            "of_topics": sorted(self._place.topics),
        }
        self._append(STARTED, data)
        call_events.give_back_connection()

    def failed(self, call: str, endpoint: Endpoint, error: Exception, seconds: float) -> None:
        """Record an attempt that ended without an answer, with what it may have cost."""
        self._append(ENDED, call_events.failed(call, endpoint, error, seconds))

    def answered(self, answer: calls.Answer, content: str) -> None:
        """Record the end of the call that brought the answer."""
        completed = answer.completed
        data = call_events.ended(
            answer.call,
            answer.endpoint,
            completed.usage,
            answer.seconds,
            status="ok",
            model=completed.model,
            finish_reason=completed.finish_reason,
            content=store.spill(content),
        )
        self._append(ENDED, data)

    def _append(self, name: str, data: dict[str, Any]) -> None:
        new = [entries.event(name, data, **self._context)]
        store.append(self._place.tape_id, new, fork=self._place.fork)
