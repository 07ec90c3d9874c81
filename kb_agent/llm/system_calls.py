"""Asks a language model for what no person asked for; the call stands on tape `system/<tape>` (P11, T18)."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kb_agent.llm import call_events, calls, endpoints
from kb_agent.llm.protocol import Request, TextDelta
from tapes import entries, messages, store
from topics.open_calls import ENDED, STARTED

if TYPE_CHECKING:
    from kb_agent.llm.models import Endpoint
    from tapes.entries import Context, NewEntry
    from tapes.messages import Rendered

COMPANY = "company"
"""Pays for what no person asked for."""


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
    """The answer should be JSON; only hidden calls ask for it."""


def ask(question: Question, *, tape: str, seconds: float) -> str:
    """What a model answers within `seconds`. Raises NoModel, a ProviderError or a CallEnded."""
    chosen = [endpoint for endpoint in endpoints.chosen() if not endpoint.by_rule]
    if not chosen:
        raise NoModel("no language model is set up")
    ledger = _Ledger(question, store.in_use(f"system/{tape}").pk)
    rendered = ledger.shown()
    answer = calls.ask(
        chosen,
        Request(
            messages=rendered.messages,
            purpose=question.purpose,
            payer=COMPANY,
            max_tokens=question.max_tokens,
        ),
        terms=calls.Terms(deadline=time.monotonic() + seconds, stopped=threading.Event()),
        ledger=ledger,
        on_text=_unheard,
    )
    ledger.answered(answer)
    return answer.completed.content


def _unheard(_: TextDelta) -> None:
    """Nobody watches this call."""


class _Ledger:
    """Writes the question, every attempt and the answer on one tape."""

    def __init__(self, question: Question, tape_id: int) -> None:
        self._question = question
        self._tape_id = tape_id
        self._context: Context = {
            "actor": "system",
            "why": question.purpose,
            "sources": sorted(question.sources),
        }
        self._rendered: Rendered | None = None
        self._attempts = 0

    def shown(self) -> Rendered:
        """Put the question on the tape, and render what the model is shown from there."""
        said = entries.message("user", self._question.text, **self._context)
        recorded = store.append(self._tape_id, [said])
        self._rendered = messages.render(
            recorded,
            readable=frozenset(self._question.sources),
            system=self._question.system,
        )
        return self._rendered

    def started(self, endpoint: Endpoint, call: str) -> None:
        """Record what is about to be sent, and to whom."""
        rendered = self._rendered or self.shown()
        self._attempts += 1
        data = {
            "call": call,
            "attempt": self._attempts,
            "step": None,
            "endpoint": endpoint.name,
            "model": endpoint.model,
            "protocol": endpoint.tools,
            "purpose": self._question.purpose,
            "payer": COMPANY,
            "seqs": rendered.seqs,
            "withheld": rendered.withheld,
            "renderer": messages.RENDERER,
            "system_digest": store.spill(self._question.system),
            "tools_digest": None,
            "tool_choice": None,
            "messages_digest": rendered.digest,
        }
        self._append([entries.event(STARTED, data, **self._context)])
        call_events.give_back_connection()

    def failed(self, call: str, endpoint: Endpoint, error: Exception, seconds: float) -> None:
        """Record an attempt that ended without an answer, with what it may have cost."""
        data = call_events.failed(call, endpoint, error, seconds)
        self._append([entries.event(ENDED, data, **self._context)])

    def answered(self, answer: calls.Answer) -> None:
        """Record the answer together with the end of its call."""
        completed = answer.completed
        data = call_events.ended(
            answer.call,
            answer.endpoint,
            completed.usage,
            answer.seconds,
            status="ok",
            model=completed.model,
            finish_reason=completed.finish_reason,
        )
        ended = entries.event(ENDED, data, **self._context)
        self._append([entries.message("assistant", completed.content, **self._context), ended])

    def _append(self, new: Sequence[NewEntry]) -> None:
        store.append(self._tape_id, new)
