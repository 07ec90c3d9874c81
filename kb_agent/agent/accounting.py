"""The ledger on the tape: an event before every model call and one after it (T18, P11)."""

from __future__ import annotations

import json
import uuid
from typing import TYPE_CHECKING

from django.db import connection

from kb_agent.llm import prices, usage
from kb_agent.llm.protocol import CallEnded, DeadlinePassed, ProviderError, StreamCut
from tapes import entries, messages
from topics.open_calls import ENDED, STARTED

if TYPE_CHECKING:
    from kb_agent.agent.attempt import Attempt
    from kb_agent.agent.view import Seen
    from kb_agent.llm.calls import Answer
    from kb_agent.llm.models import Endpoint
    from kb_agent.llm.protocol import Completed, Request
    from tapes.entries import NewEntry


class TapeLedger:
    """Records attempts on the turn's fork. Their step column stays empty: a retry repeats them."""

    def __init__(self, attempt: Attempt, seen: Seen, *, purpose: str) -> None:
        """For one view of one step."""
        self._attempt = attempt
        self._seen = seen
        self._purpose = purpose

    def started(self, endpoint: Endpoint) -> str:
        """Record what is about to be sent, and to whom; returns the call's id."""
        call, seen = uuid.uuid4().hex, self._seen
        self._append(
            entries.event(
                STARTED,
                {
                    "call": call,
                    "step": self._attempt.step + 1,
                    "endpoint": endpoint.name,
                    "model": endpoint.model,
                    "protocol": endpoint.tools,
                    "purpose": self._purpose,
                    "payer": self._attempt.asker_id,
                    "seqs": seen.seqs,
                    "withheld": seen.withheld,
                    "renderer": messages.RENDERER,
                    "system_digest": seen.system_digest,
                    "tools_digest": seen.tools_digest,
                    "tool_choice": seen.tool_choice,
                    "messages_digest": seen.digest,
                },
                **self._attempt.context(sources=frozenset()),
            )
        )
        _give_back_connection()
        return call

    def failed(self, call: str, endpoint: Endpoint, error: Exception, seconds: float) -> None:
        """Record an attempt that ended without an answer, with what it may have cost."""
        used = error.usage if isinstance(error, ProviderError | CallEnded) else None
        self._attempt.tokens += used.total if used else 0
        data = {
            "call": call,
            "status": _status(error),
            "model": endpoint.model,
            **prices.told(endpoint, used),
            "seconds": round(seconds, 3),
            "finish_reason": None,
            "error": {"code": getattr(error, "code", _status(error)), "message": str(error)},
        }
        self._append(entries.event(ENDED, data, **self._attempt.context(sources=frozenset())))

    def _append(self, entry: NewEntry) -> None:
        self._attempt.append([entry])


def _give_back_connection() -> None:
    """While a provider answers no connection is held: others of the pool's users need it."""
    if not connection.in_atomic_block:
        connection.close()


def ended(attempt: Attempt, answer: Answer, *, step: int, part: int) -> NewEntry:
    """The event of a call that brought an answer; it goes into the same append as the answer."""
    data = {
        "call": answer.call,
        "status": "ok",
        "model": answer.completed.model,
        **prices.told(answer.endpoint, answer.completed.usage),
        "seconds": round(answer.seconds, 3),
        "finish_reason": answer.completed.finish_reason,
    }
    return entries.event(ENDED, data, **attempt.context(sources=frozenset(), step=step, part=part))


def tokens(completed: Completed, request: Request) -> int:
    """Tokens of a call for the turn's limit: as reported, else estimated."""
    if completed.usage is not None:
        return completed.usage.total
    sent = json.dumps(list(request.messages), ensure_ascii=False)
    return usage.estimate(sent) + usage.estimate(completed.content)


def _status(error: Exception) -> str:
    if isinstance(error, DeadlinePassed | StreamCut):
        return "cut"
    return "stopped" if isinstance(error, CallEnded) else "failed"
