"""Ends a turn: the answer with its checked citations, or what there is of it and why it ended."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kb_agent.agent import accounting, citations, limits, wording
from kb_agent.agent.recording import ENDED_PART, SAID_PART
from kb_agent.llm.evidence_model import concluding
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
    from topics.turns import Claimed


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
    routing = _routing(attempt, checked, readable=seen.desk.readable)
    meta = _meta(attempt, checked, routing=routing, partial=cut)
    nothing = citations.says_not_found(content)
    if nothing or (answer.endpoint.by_rule and not checked.citations):
        meta["found"] = False
    if answer.endpoint.by_rule and (concluded := concluding.conclusion(content)):
        meta["conclusion"] = concluded[0]
    said = entries.message(
        "assistant",
        content,
        **attempt.context(
            sources=seen.sources | _told(checked, routing), step=step, part=SAID_PART, meta=meta
        ),
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


def broken(claimed: Claimed, kind: str) -> None:
    """End a turn that our own code failed, so that its asker and the next turn's model know (A1).

    `kind` names the failure for people. Raises turns.Lost, store.StaleFork, store.ForkClosed.
    """
    turn = claimed.turn
    note = wording.note("failed", turn.language)
    meta = {"citations": [], "dropped": 0, "verified": False, "partial": True, "ended": "failed"}
    turns.finish(
        claimed,
        "failed",
        reason="failed",
        entries=[
            entries.message("assistant", note, actor="agent", meta=meta),
            entries.error("turn_failed", f"Answering failed: {kind}.", actor="system"),
        ],
    )


def _close(attempt: Attempt, status: str, *, reason: str, partial: str, message: str = "") -> None:
    """The partial answer and why it ended are one message, so that the next turn's model knows."""
    readable = access.readable_ids(attempt.asker())
    checked = _checked(attempt, partial.strip(), readable)
    routing = _routing(attempt, checked, readable=readable)
    note = wording.note(reason, attempt.language)
    meta = _meta(attempt, checked, routing=routing, partial=True) | {"ended": reason}
    said = entries.message(
        "assistant",
        f"{checked.content}\n\n{note}" if checked.content else note,
        **attempt.context(sources=attempt.in_view | _told(checked, routing), meta=meta),
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
    """What says that nothing was found rests on nothing: it cites no place, however near."""
    masked = secrets.mask(content).text
    citable = frozenset() if citations.says_not_found(masked) else readable
    return citations.check(masked, topic_id=attempt.turn.topic_id, readable=citable)


def _meta(
    attempt: Attempt, checked: Checked, *, routing: dict[str, Any] | None, partial: bool
) -> dict[str, Any]:
    return {
        "citations": checked.citations,
        "dropped": checked.dropped,
        "verified": checked.verified,
        "routing": routing,
        "language": attempt.language,
        "partial": partial,
    }


def _routing(
    attempt: Attempt, checked: Checked, *, readable: frozenset[int]
) -> dict[str, Any] | None:
    """Where the question landed: the first search that agrees with the citations, else the first.

    Only of results whose sources the asker may read now (C7).
    """
    recorded = views.read(
        attempt.turn.tape_id, View.of_turns([attempt.turn.pk]).only("tool_result")
    )
    shown = [entry for entry in recorded if readable.issuperset(entry.sources)]
    routings = [routing for entry in shown for routing in _routings(entry)]
    cited = {citation["repository_id"] for citation in checked.citations}
    agreeing = (routing for routing in routings if routing["repository_id"] in cited)
    return next(agreeing, routings[0] if routings else None)


def _routings(entry: Entry) -> list[dict[str, Any]]:
    found = (result["data"].get("routing") for result in entry.payload["results"])
    return [routing for routing in found if routing]


def _told(checked: Checked, routing: dict[str, Any] | None) -> frozenset[int]:
    """The repositories that an answer's meta names."""
    named = {citation["repository_id"] for citation in checked.citations}
    return frozenset(named | ({routing["repository_id"]} if routing else set()))
