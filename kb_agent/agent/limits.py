"""The named ends of a turn short of an answer, and the one place that checks for them."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from django.conf import settings

from topics import turns

if TYPE_CHECKING:
    from kb_agent.agent.attempt import Attempt


class Ended(Exception):
    """The turn ends here, without a fault. `partial` is what the model had written by then."""

    status = "done"
    reason = "ended"

    def __init__(self, partial: str = "") -> None:
        """Keep the partial answer."""
        super().__init__(self.reason)
        self.partial = partial


class StepLimitReached(Ended):
    """The turn has used all its model calls (TURN_MAX_STEPS)."""

    reason = "step_limit"


class TokenLimitReached(Ended):
    """The turn has used all its tokens (TURN_MAX_TOKENS)."""

    reason = "token_limit"


class TimeLimitReached(Ended):
    """The turn's time is over (TURN_MAX_SECONDS)."""

    reason = "time_limit"


class QuestionTooLong(Ended):
    """The question, with the notes it goes with, does not fit the model's window by itself (P8)."""

    reason = "question_too_long"


class OverloadLimitReached(Ended):
    """The turn has passed the model's window as often as it may (overload.MOST)."""

    reason = "overload_limit"


class BudgetUsedUp(Ended):
    """A budget of this month does not allow the next call (P11); the reason names whose."""

    def __init__(self, scope: str, partial: str = "") -> None:
        """`scope` is what the budget limits: `person`, `group`, `model` or `company`."""
        self.reason = f"budget_{scope}"
        super().__init__(partial)


class StopRequested(Ended):
    """A person asked the turn to stop."""

    status = "stopped"
    reason = "stopped"


def check(attempt: Attempt) -> None:
    """Raise the end that has come, if one has. Raises turns.Lost when the lease is another's."""
    # Read at every step, since without Redis no one tells of a stop in between (A8).
    state = turns.heartbeat(attempt.claimed)
    attempt.pulse.hear(lost=state.lost, stop=state.stop)
    attend(attempt)
    if attempt.step >= settings.TURN_MAX_STEPS:
        raise StepLimitReached
    if attempt.tokens >= settings.TURN_MAX_TOKENS:
        raise TokenLimitReached
    if time.monotonic() >= attempt.deadline:
        raise TimeLimitReached


def attend(attempt: Attempt, *, partial: str = "") -> None:
    """Let go when the lease was lost or a stop was asked."""
    if attempt.pulse.lost:
        raise turns.Lost(f"turn {attempt.turn.pk} was taken by another worker")
    if attempt.pulse.stop_asked:
        raise StopRequested(partial)


def last_step(attempt: Attempt) -> bool:
    """True when the next call must be the answer: no results could be read after it."""
    return attempt.step + 1 >= settings.TURN_MAX_STEPS
