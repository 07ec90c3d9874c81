"""Asks until there is an answer: retries with back-off, the next endpoint, every attempt reported."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from kb_agent.llm import call_events, client, gauges, reserving, windows
from kb_agent.llm.protocol import (
    BudgetReached,
    CallEnded,
    Completed,
    ContextExceeded,
    Interrupted,
    ProviderError,
    Request,
    Signal,
    TextDelta,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from kb_agent.llm.models import Endpoint

# Waits between attempts at one endpoint, in seconds; after the last the next endpoint is asked.
BACKOFF_SECONDS = (0.5, 2.0, 6.0)
# What a budget of one model is called.
MODEL = "model"
# A longer wait asked for by a provider is not sat out while another endpoint could answer.
PATIENCE_SECONDS = 15.0


@dataclass(frozen=True)
class Answer:
    """A completed call: what the model said, who said it, in how many seconds, under which name."""

    call: str
    endpoint: Endpoint
    completed: Completed
    seconds: float


class Ledger(Protocol):
    """Hears of every attempt before it starts and after it failed (T18).

    The end of the successful attempt is not reported: the caller records it together with what
    the model said, in one append.
    """

    def started(self, endpoint: Endpoint, call: str) -> None:
        """Record that a call begins, under this id."""
        ...

    def failed(self, call: str, endpoint: Endpoint, error: Exception, seconds: float) -> None:
        """Record how an attempt ended without an answer."""
        ...


@dataclass(frozen=True, kw_only=True)
class Terms:
    """Within what a call must stay: a `time.monotonic()` deadline and the asker's stop."""

    deadline: float
    stopped: Signal


def ask(
    endpoints: Sequence[Endpoint],
    request: Request,
    *,
    terms: Terms,
    ledger: Ledger,
    on_text: Callable[[TextDelta], None],
) -> Answer:
    """The first whole answer of the endpoints in order.

    Raises the last ProviderError when all have failed (ContextExceeded, if one found the request too
    long), Interrupted, DeadlinePassed or BudgetReached. Text of an attempt that broke off is passed
    to `on_text` too; the next attempt begins again at offset 0.
    """
    last: ProviderError | None = None
    too_long: ContextExceeded | None = None
    for place, endpoint in enumerate(endpoints):
        others = place + 1 < len(endpoints)
        for wait in (*BACKOFF_SECONDS, None):
            try:
                return _attempt(endpoint, request, terms=terms, ledger=ledger, on_text=on_text)
            except ProviderError as error:
                last = _fullest(last, error)
                too_long = error if isinstance(error, ContextExceeded) else too_long
                pause = _pause(error, wait, others=others)
                if not error.retryable or pause is None:
                    break
                _rest(pause, terms, last)
            except BudgetReached as reached:
                _pass_on(reached, others=others)
                break
        if last is not None and not last.falls_back:
            break
    if last is None:
        raise ValueError("no endpoint was given")
    # A shorter request may yet be answered, whatever kept the other endpoints from it.
    raise too_long if too_long is not None and last.falls_back else last


def _pass_on(reached: BudgetReached, *, others: bool) -> None:
    """Let another model be asked, which may be within its own budget; other budgets stay the same."""
    if reached.scope != MODEL or not others:
        raise reached


def _attempt(
    endpoint: Endpoint,
    request: Request,
    *,
    terms: Terms,
    ledger: Ledger,
    on_text: Callable[[TextDelta], None],
) -> Answer:
    call, began = call_events.new_id(), time.monotonic()
    reserving.for_question(call, endpoint, request, seconds=max(terms.deadline - began, 0))
    ledger.started(endpoint, call)
    try:
        for piece in client.stream(
            endpoint, request, deadline=terms.deadline, stopped=terms.stopped
        ):
            if isinstance(piece, Completed):
                _measure(endpoint, request, piece)
                return Answer(call, endpoint, piece, time.monotonic() - began)
            on_text(piece)
    except (ProviderError, CallEnded) as error:
        ledger.failed(call, endpoint, error, time.monotonic() - began)
        if isinstance(error, ContextExceeded):
            gauges.refused(endpoint, windows.needed(request, endpoint), error.limit)
        raise
    raise RuntimeError("a stream ended without a completion")


def _measure(endpoint: Endpoint, request: Request, completed: Completed) -> None:
    """Learn how the model counts, from a call that reported it."""
    if completed.usage is not None and not endpoint.by_rule:
        counted = completed.usage.input + completed.usage.cached
        gauges.measured(endpoint, windows.needed(request, endpoint), counted)


def _fullest(earlier: ProviderError | None, error: ProviderError) -> ProviderError:
    """The newer error, with the longest text that any attempt had brought."""
    if earlier is not None and len(earlier.partial) > len(error.partial):
        error.partial = earlier.partial
    return error


def _pause(error: ProviderError, wait: float | None, *, others: bool) -> float | None:
    """Seconds before the next attempt here, or None when it is another endpoint's turn."""
    if wait is None:
        return None
    if error.retry_after is None:
        return wait * random.uniform(0.8, 1.2)  # noqa: S311 -- spreads callers, guards nothing
    if error.retry_after > PATIENCE_SECONDS and others:
        return None
    return error.retry_after


def _rest(seconds: float, terms: Terms, last: ProviderError) -> None:
    """Wait, unless the turn's time would be over by then, or a stop is asked meanwhile."""
    until = time.monotonic() + seconds
    if until >= terms.deadline:
        raise last
    while (left := until - time.monotonic()) > 0:
        if terms.stopped.is_set():
            raise Interrupted(last.partial, last.usage)
        time.sleep(min(left, 0.1))
