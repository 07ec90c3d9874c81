"""Settles what an earlier attempt left open, so that the loop goes on where the tape ends (R3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kb_agent.agent import recording, toolbox, view
from kb_agent.agent.recording import Step
from kb_agent.agent.toolbox import ToolCall
from tapes import views
from tapes.views import View
from topics import open_calls

if TYPE_CHECKING:
    from kb_agent.agent.attempt import Attempt
    from tapes.entries import Entry


def settle(attempt: Attempt) -> None:
    """Count the recorded steps, close open calls as unknown, run calls that have no results yet.

    Tools only read, so running them again does no harm.
    """
    if attempt.claimed.attempt == 1:
        return
    recorded = views.read(attempt.turn.tape_id, View.of_turns([attempt.turn.pk]))
    attempt.step = max((entry.step for entry in recorded if entry.step is not None), default=0)
    attempt.tokens = sum(_tokens(entry) for entry in recorded)
    context = attempt.context(sources=frozenset(), actor="system")
    if unknown := open_calls.unknown(recorded, **context):
        attempt.append(unknown)
    _run_left(attempt, recorded)


def _tokens(entry: Entry) -> int:
    if entry.kind != "event" or entry.payload["name"] != open_calls.ENDED:
        return 0
    return sum((entry.payload["data"].get("usage") or {}).values())


def _run_left(attempt: Attempt, recorded: list[Entry]) -> None:
    called = [entry for entry in recorded if entry.kind == "tool_call"]
    answered = {entry.step for entry in recorded if entry.kind == "tool_result"}
    for entry in called:
        if entry.step is None or entry.step in answered:
            continue
        seen = view.build(attempt)
        step = Step(entry.step, _calls(entry))
        recording.resulted(attempt, seen, step, toolbox.run(step.calls, seen.desk, attempt.pulse))


def _calls(entry: Entry) -> list[ToolCall]:
    refused = entry.meta.get("refused", {})
    return [
        ToolCall(
            call["id"],
            call["function"]["name"],
            call["function"]["arguments"],
            refused.get(call["id"], ""),
        )
        for call in entry.payload["calls"]
    ]
