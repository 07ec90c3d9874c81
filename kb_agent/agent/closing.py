"""Ends a turn: the answer with its checked citations, or what there is of it and why it ended."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kb_agent.agent import accounting, citations, limits, plain_text, wording
from kb_agent.agent.recording import ENDED_PART, SAID_PART
from kb_agent.repositories import access, secrets
from tapes import entries, views
from tapes.views import View
from topics import turns

if TYPE_CHECKING:
    from kb_agent.agent.attempt import Attempt
    from kb_agent.agent.citations import Checked
    from kb_agent.agent.view import Seen
    from kb_agent.llm.calls import Answer
    from kb_agent.llm.protocol import ProviderError
    from tapes.entries import Entry


def answered(attempt: Attempt, seen: Seen, answer: Answer) -> None:
    """Record the answer with the end of its call, and end the turn `done`.

    An answer that ran into its length limit is kept and marked as partial.
    """
    cut = answer.completed.truncated
    step = attempt.step + 1
    checked = _checked(attempt, answer.completed.content, seen.desk.readable)
    content = checked.content
    if cut:
        content = f"{content}\n\n{wording.note('answer_truncated', attempt.language)}"
    meta = _meta(attempt, checked, partial=cut)
    if answer.endpoint.by_rule and not checked.citations:
        meta["found"] = False
    said = entries.message(
        "assistant",
        content,
        **attempt.context(sources=seen.sources, step=step, part=SAID_PART, meta=meta),
    )
    turns.finish(
        attempt.claimed,
        "done",
        reason="answer_truncated" if cut else "",
        entries=[accounting.ended(attempt, answer, step=step, part=ENDED_PART), said],
        answer_seq_from=1,
    )


def ended(attempt: Attempt, end: limits.Ended) -> None:
    """End a turn at a limit or a stop, with the partial answer marked and the reason said (A1)."""
    _close(attempt, end.status, reason=end.reason, partial=end.partial)


def failed(attempt: Attempt, error: ProviderError) -> None:
    """End a turn that no provider answered, with the error in words for people (A7)."""
    _close(attempt, "failed", reason=error.code, partial=error.partial, message=error.message)


def _close(attempt: Attempt, status: str, *, reason: str, partial: str, message: str = "") -> None:
    """The partial answer and why it ended are one message, so that the next turn's model knows."""
    checked = _checked(attempt, partial.strip(), access.readable_ids(attempt.asker()))
    note = wording.note(reason, attempt.language)
    meta = _meta(attempt, checked, partial=True) | {"ended": reason}
    said = entries.message(
        "assistant",
        f"{checked.content}\n\n{note}" if checked.content else note,
        **attempt.context(sources=attempt.in_view, meta=meta),
    )
    closing = [said]
    if status == "failed":
        context = attempt.context(sources=frozenset(), actor="system")
        closing.append(entries.error(reason, message, **context))
    turns.finish(
        attempt.claimed,
        status,
        reason=reason,
        entries=closing,
        answer_seq_from=0 if checked.content else None,
    )


def _checked(attempt: Attempt, content: str, readable: frozenset[int]) -> Checked:
    masked = secrets.mask(plain_text.storable(content)).text
    return citations.check(masked, topic_id=attempt.turn.topic_id, readable=readable)


def _meta(attempt: Attempt, checked: Checked, *, partial: bool) -> dict[str, Any]:
    return {
        "citations": checked.citations,
        "dropped": checked.dropped,
        "verified": checked.verified,
        "routing": _routing(attempt, checked),
        "language": attempt.language,
        "partial": partial,
    }


def _routing(attempt: Attempt, checked: Checked) -> dict[str, Any] | None:
    """Where the question landed: the first search that agrees with the citations, else the first."""
    recorded = views.read(
        attempt.turn.tape_id, View.of_turns([attempt.turn.pk]).only("tool_result")
    )
    routings = [routing for entry in recorded for routing in _routings(entry)]
    cited = {citation["repository_id"] for citation in checked.citations}
    agreeing = (routing for routing in routings if routing["repository_id"] in cited)
    return next(agreeing, routings[0] if routings else None)


def _routings(entry: Entry) -> list[dict[str, Any]]:
    found = (result["data"].get("routing") for result in entry.payload["results"])
    return [routing for routing in found if routing]
