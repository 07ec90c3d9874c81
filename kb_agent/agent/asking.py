"""Asks the model once: every attempt on the ledger, live text to readers, our own ends by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kb_agent import live
from kb_agent.agent import accounting, limits, room
from kb_agent.llm import calls
from kb_agent.llm.protocol import (
    BudgetReached,
    ContextExceeded,
    DeadlinePassed,
    Interrupted,
    Request,
    TextDelta,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kb_agent.agent.attempt import Attempt
    from kb_agent.agent.view import Seen
    from kb_agent.llm.calls import Answer
    from kb_agent.llm.models import Endpoint
    from kb_agent.llm.protocol import Message

PURPOSE = "answer"


def ask(attempt: Attempt, seen: Seen) -> Answer:
    """What the model says to this view.

    Raises the ProviderError that is left when every endpoint failed, limits.StopRequested,
    limits.TimeLimitReached, limits.BudgetUsedUp, turns.Lost; each with the partial text. Raises ContextExceeded also before
    any call, when no endpoint's window takes the messages and leaves room for an answer (P8).
    """
    request = request_of(attempt, seen, seen.messages)
    ledger = accounting.TapeLedger(attempt, seen, purpose=PURPOSE)
    try:
        answer = calls.ask(
            _with_room(request),
            request,
            terms=calls.Terms(deadline=attempt.deadline, stopped=attempt.pulse),
            ledger=ledger,
            on_text=LiveText(attempt, seen),
        )
    except Interrupted as interrupted:
        limits.attend(attempt, partial=interrupted.partial)
        raise
    except DeadlinePassed as passed:
        raise limits.TimeLimitReached(passed.partial) from passed
    except BudgetReached as reached:
        raise limits.BudgetUsedUp(reached.scope) from reached
    attempt.tokens += accounting.tokens(answer.completed, request)
    return answer


def request_of(attempt: Attempt, seen: Seen, messages: Sequence[Message]) -> Request:
    """What would be sent with these messages."""
    return Request(
        messages=messages,
        tools=seen.tools,
        tool_choice=seen.tool_choice,
        purpose=PURPOSE,
        payer=attempt.asker_id,
    )


class LiveText:
    """Shows text to readers while it comes; offset 0 begins the step's text anew."""

    def __init__(self, attempt: Attempt, seen: Seen) -> None:
        """For the step that is being asked for, with all it has in view."""
        self._turn_id = attempt.turn.pk
        self._step = attempt.step + 1
        self._sources = seen.sources

    def __call__(self, piece: TextDelta) -> None:
        """Pass one piece on."""
        live.text(self._turn_id, self._step, piece.offset, piece.text, sources=self._sources)


def _with_room(request: Request) -> list[Endpoint]:
    """The endpoints whose window takes the messages. Raises ContextExceeded for none."""
    fitting = room.fitting(request)
    if not fitting:
        raise ContextExceeded("the messages leave no room for an answer in any model's window")
    return fitting
