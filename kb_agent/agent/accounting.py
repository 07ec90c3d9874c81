"""The ledger on the tape: an event before every model call and one after it (T18, P11)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from kb_agent.llm import call_events, usage
from kb_agent.llm.protocol import CallEnded, ProviderError
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
        self._attempts = 0

    def started(self, endpoint: Endpoint, call: str) -> None:
        """Record what is about to be sent, and to whom."""
        seen = self._seen
        self._attempts += 1
        self._append(
            entries.event(
                STARTED,
                {
                    "call": call,
                    "attempt": self._attempts,
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
        call_events.give_back_connection()

    def failed(self, call: str, endpoint: Endpoint, error: Exception, seconds: float) -> None:
        """Record an attempt that ended without an answer, with what it may have cost."""
        used = error.usage if isinstance(error, ProviderError | CallEnded) else None
        self._attempt.tokens += used.total if used else 0
        data = call_events.failed(call, endpoint, error, seconds)
        self._append(entries.event(ENDED, data, **self._attempt.context(sources=frozenset())))

    def _append(self, entry: NewEntry) -> None:
        self._attempt.append([entry])


def ended(attempt: Attempt, answer: Answer, *, step: int, part: int) -> NewEntry:
    """The event of a call that brought an answer; it goes into the same append as the answer."""
    data = call_events.ended(
        answer.call,
        answer.endpoint,
        answer.completed.usage,
        answer.seconds,
        status="ok",
        model=answer.completed.model,
        finish_reason=answer.completed.finish_reason,
    )
    return entries.event(ENDED, data, **attempt.context(sources=frozenset(), step=step, part=part))


def tokens(completed: Completed, request: Request) -> int:
    """Tokens of a call for the turn's limit: as reported, else estimated."""
    if completed.usage is not None:
        return completed.usage.total
    sent = json.dumps(list(request.messages), ensure_ascii=False)
    return usage.estimate(sent) + usage.estimate(completed.content)
