"""The loop: build the view, ask the model, append, run the tools, append; until an answer or a limit.

Architecture invariant: no message list survives a step. What the model sees is built afresh from
the tape for every call, so an attempt that takes over after a crash sees what the last one saw.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kb_agent.agent import (
    asking,
    closing,
    joining,
    limits,
    overload,
    recording,
    resuming,
    toolbox,
    view,
)
from kb_agent.agent.attempt import Attempt
from kb_agent.agent.pulse import beating
from kb_agent.llm.protocol import ContextExceeded, ProviderError
from tapes import store
from topics import turns

if TYPE_CHECKING:
    from kb_agent.accounts.models import User
    from topics.turns import Claimed


def run(claimed: Claimed, *, asker: User) -> None:
    """Carry a claimed turn to its end: done, stopped or failed, always with its reason (A1).

    Raises turns.Lost when another worker holds the turn; nothing is written then.
    """
    with beating(claimed) as pulse:
        attempt = Attempt.of(claimed, asker_id=asker.pk, pulse=pulse)
        try:
            _steps(attempt)
        except limits.Ended as ended:
            closing.ended(attempt, ended)
        except ProviderError as error:
            closing.failed(attempt, error)
        except (store.StaleFork, store.ForkClosed, store.StepRecorded) as overtaken:
            raise turns.Lost(str(overtaken)) from overtaken


def _steps(attempt: Attempt) -> None:
    resuming.settle(attempt)
    while True:
        joining.take_up(attempt)
        limits.check(attempt)
        seen = view.build(attempt)
        try:
            answer = asking.ask(attempt, seen)
        except ContextExceeded:
            overload.split(attempt, seen)
            continue
        if not answer.completed.calls:
            return closing.answered(attempt, seen, answer)
        step = recording.called(attempt, seen, answer)
        recording.resulted(attempt, seen, step, toolbox.run(step.calls, seen.desk, attempt.pulse))
