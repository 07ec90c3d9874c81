"""Asks the model once: every attempt on the ledger, live text to readers, our own ends by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kb_agent import live
from kb_agent.agent import accounting, limits
from kb_agent.llm import calls, endpoints, text_protocol, usage
from kb_agent.llm.protocol import (
    BudgetReached,
    ContextExceeded,
    DeadlinePassed,
    Interrupted,
    Request,
    TextDelta,
)

if TYPE_CHECKING:
    from kb_agent.agent.attempt import Attempt
    from kb_agent.agent.view import Seen
    from kb_agent.llm.calls import Answer
    from kb_agent.llm.models import Endpoint

PURPOSE = "answer"
# Kept free for the answer when a model's window is known.
ANSWER_TOKENS = 1_000


def ask(attempt: Attempt, seen: Seen) -> Answer:
    """What the model says to this view.

    Raises the ProviderError that is left when every endpoint failed, limits.StopRequested,
    limits.TimeLimitReached, limits.BudgetUsedUp, turns.Lost; each with the partial text.
    """
    request = Request(
        messages=seen.messages,
        tools=seen.tools,
        tool_choice=seen.tool_choice,
        purpose=PURPOSE,
        payer=attempt.asker_id,
    )
    ledger = accounting.TapeLedger(attempt, seen, purpose=PURPOSE)
    try:
        answer = calls.ask(
            _with_room(request, endpoints.chosen()),
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


def _with_room(request: Request, chosen: list[Endpoint]) -> list[Endpoint]:
    """The endpoints whose known window takes the messages. Raises ContextExceeded for none."""
    fitting = [
        endpoint
        for endpoint in chosen
        if not endpoint.window or _needed(request, endpoint) <= endpoint.window
    ]
    if fitting:
        return fitting
    raise ContextExceeded(
        f"the messages need about {min(_needed(request, endpoint) for endpoint in chosen)} tokens,"
        f" more than any model here can take"
    )


def _needed(request: Request, endpoint: Endpoint) -> int:
    sent = str(list(text_protocol.used_by(request, endpoint.tools)))
    tools = str(list(request.tools)) if endpoint.tools == "native" else ""
    return usage.estimate(sent) + usage.estimate(tools) + ANSWER_TOKENS
