"""Records a step: what the model called for, then what the tools gave, each in one append."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from kb_agent.agent import accounting, limits
from kb_agent.agent.toolbox import Results, ToolCall
from kb_agent.llm import plain_text
from kb_agent.repositories import secrets
from tapes import entries
from topics import quoting

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kb_agent.agent.attempt import Attempt
    from kb_agent.agent.view import Seen
    from kb_agent.llm.calls import Answer
    from kb_agent.llm.protocol import Call, Completed, Message

# Places of a step's entries: the ledger's event, the model's calls, their results.
ENDED_PART, SAID_PART, RESULTS_PART = 0, 1, 2


@dataclass(frozen=True)
class Step:
    """A recorded step whose calls are to be run."""

    number: int
    calls: list[ToolCall]


def called(attempt: Attempt, seen: Seen, answer: Answer) -> Step:
    """Record the model's calls with the end of its call. Raises limits.StepLimitReached.

    Calls in a step that allowed none are not recorded as such: no results could follow them.
    """
    if seen.tool_choice == "none":
        raise _over(attempt, answer)
    number = attempt.step + 1
    calls = checked(answer.completed, taken=_ids(seen.messages))
    refused = {call.id: call.refused for call in calls if call.refused}
    context = attempt.context(
        sources=seen.sources,
        step=number,
        part=SAID_PART,
        meta={"refused": refused} if refused else {},
    )
    said = entries.tool_call(
        [_as_payload(call) for call in calls],
        secrets.mask(answer.completed.content).text or None,
        **context,
    )
    attempt.append([accounting.ended(attempt, answer, step=number, part=ENDED_PART), said])
    attempt.step = number
    return Step(number, calls)


def resulted(attempt: Attempt, seen: Seen, step: Step, results: Results) -> None:
    """Record the results of a step's calls, and in the same append what its tools set on the tape."""
    quoted = results.topics - {attempt.turn.topic_id}
    context = attempt.context(
        sources=seen.sources | results.sources,
        step=step.number,
        part=RESULTS_PART,
        meta={quoting.META: sorted(quoted)} if quoted else {},
    )
    later = [
        replace(
            entry,
            topic_id=context["topic_id"],
            turn_id=context["turn_id"],
            step=step.number,
            part=RESULTS_PART + place,
            actor=context["actor"],
            sources=context["sources"],
        )
        for place, entry in enumerate(results.then, start=1)
    ]
    attempt.append([entries.tool_result(results.results, **context), *later])


def checked(completed: Completed, *, taken: set[str]) -> list[ToolCall]:
    """The calls as they are recorded: ids unique in the view, arguments a JSON object (A7).

    Truncated or malformed arguments are neither run nor repaired: the call is refused by name.
    """
    calls: list[ToolCall] = []
    for call in completed.calls:
        call_id = _unique(call.id, taken)
        taken.add(call_id)
        calls.append(_checked(call, call_id, truncated=completed.truncated))
    return calls


def _checked(call: Call, call_id: str, *, truncated: bool) -> ToolCall:
    """A call with what a tape can hold of it.

    Arguments are not masked: the model has only ever seen masked text, and masking the text of
    JSON would break it.
    """
    name = plain_text.storable(call.name) or "unnamed"
    arguments, is_object = _storable(call.arguments or "{}")
    if truncated:
        return ToolCall(call_id, name, arguments, "truncated")
    return ToolCall(call_id, name, arguments, "" if is_object else "malformed_arguments")


def _storable(arguments: str) -> tuple[str, bool]:
    """Arguments as written, or with what no tape can hold replaced; and whether they are an object."""
    text = plain_text.storable(arguments)
    try:
        values = json.loads(text)
    except (ValueError, RecursionError):
        return text, False
    clean = plain_text.of_json(values)
    # Written as \u0000 inside the JSON such a character only shows once it is read.
    text = text if clean == values else json.dumps(clean, ensure_ascii=False)
    return text, isinstance(clean, dict)


def _unique(call_id: str, taken: set[str]) -> str:
    given = plain_text.storable(call_id) or "call"
    candidate, number = given, 2
    while candidate in taken:
        candidate, number = f"{given}_{number}", number + 1
    return candidate


def _ids(messages: Sequence[Message]) -> set[str]:
    return {call["id"] for message in messages for call in message.get("tool_calls") or []}


def _as_payload(call: ToolCall) -> dict[str, Any]:
    return {
        "id": call.id,
        "type": "function",
        "function": {"name": call.name, "arguments": call.arguments},
    }


def _over(attempt: Attempt, answer: Answer) -> limits.StepLimitReached:
    """The end of a turn whose model still asks for tools in its last step; the call is paid."""
    attempt.append([accounting.ended(attempt, answer, step=attempt.step + 1, part=ENDED_PART)])
    return limits.StepLimitReached(answer.completed.content)
