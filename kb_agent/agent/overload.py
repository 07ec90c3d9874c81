"""Closes a segment of a topic that has grown past the model's window, and goes on after it (P8).

The anchor `brain_overload` says what it closes and what it keeps; `window` shows the calls after it
what it keeps. Where it stands never depends on a summary.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kb_agent.agent import asking, limits, recollection, room, summing_up, view, window
from kb_agent.llm import usage, windows
from tapes import entries as tape_entries
from tapes import views
from tapes.views import View
from topics import quoting as topic_quoting
from topics import segments

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kb_agent.agent.attempt import Attempt
    from kb_agent.agent.recollection import Statement
    from kb_agent.agent.view import Seen
    from tapes.entries import Entry

MOST = 12
"""Overloads in one turn."""
_IN_A_ROW = 2
"""Without a step between them: the second keeps less, a third would keep nothing more away."""
_TEXT_SHARE, _EARLIER_SHARE, _BEFORE_SHARE = 0.2, 0.3, 0.15
_NOTES_SHARE = 0.5
_TEXT_FEWEST, _TEXT_MOST = 200, 2_500


@dataclass(frozen=True)
class _Plan:
    """What is closed, what of it stays in view, and how long the text about the rest may be."""

    closed: Sequence[Entry]
    keeps: Sequence[Entry]
    cut: Sequence[Entry]
    """The last step, where it is too long to be kept whole: its beginning goes into the text."""
    text_tokens: int
    room: int


def split(attempt: Attempt, seen: Seen) -> None:
    """Append the anchor that closes what is in view.

    Raises limits.QuestionTooLong where the question itself, with the notes it goes with, does not
    fit; limits.OverloadLimitReached when the turn has closed segments often enough.
    """
    row = _in_a_row(attempt)
    plan = _plan(attempt, seen, sparing=row > 0)
    state = _state(attempt, seen, plan, summed=row == 0)
    shown = [entry for entry in plan.closed if entry.seq in _readable(seen)]
    quoted = topic_quoting.all_quoted(shown) - {attempt.turn.topic_id}
    meta = {topic_quoting.META: sorted(quoted)} if quoted else {}
    context = attempt.context(sources=seen.sources, meta=meta)
    context["why"] = "the messages would pass the model's window"
    attempt.append([tape_entries.anchor(segments.OVERLOAD, state, **context)])


def _in_a_row(attempt: Attempt) -> int:
    """How many overloads this turn has had since its last step."""
    recorded = views.read(attempt.turn.tape_id, View.of_turns([attempt.turn.pk]))
    overloads = [entry.seq for entry in recorded if window.is_overload(entry)]
    if len(overloads) >= MOST:
        raise limits.OverloadLimitReached
    stepped = max((entry.seq for entry in recorded if entry.kind == "tool_result"), default=0)
    row = sum(seq > stepped for seq in overloads)
    if row >= _IN_A_ROW:
        raise limits.QuestionTooLong
    return row


def _plan(attempt: Attempt, seen: Seen, *, sparing: bool) -> _Plan:
    """Raises limits.QuestionTooLong."""
    closed = window.entries_of(attempt)
    questions = window.asked(attempt)
    endpoint, most = room.widest()
    most = most if most is not None else windows.ASSUMED

    def needed(kept: Sequence[Entry]) -> int:
        sent = asking.request_of(attempt, seen, view.messages_of(kept, seen))
        return windows.needed(sent, endpoint)

    last = max(entry.seq for entry in closed)
    notes = window.notes(attempt, before=last + 1)
    left = (most - needed(questions)) * _NOTES_SHARE
    while len(notes) > 1 and needed([*notes, *questions]) - needed(questions) > left:
        # The first is of the topic's beginning; of the others the newest count.
        notes.pop(1)
    fixed = [*notes, *questions]
    free = most - needed(fixed)
    if free < _TEXT_FEWEST:
        raise limits.QuestionTooLong
    text = min(_TEXT_MOST, max(_TEXT_FEWEST, int(free * _TEXT_SHARE)))
    step = _last_step(attempt, closed)
    keeps, cut = [*fixed], step
    if not sparing:
        said = [] if step else _said_before(attempt, closed)
        if needed([*fixed, *said]) - needed(fixed) <= free * _BEFORE_SHARE:
            keeps += said
        if needed([*fixed, *step]) + text <= most:
            keeps, cut = [*keeps, *step], []
    return _Plan(closed, sorted(keeps, key=lambda entry: entry.seq), cut, text, most)


def _last_step(attempt: Attempt, closed: Sequence[Entry]) -> list[Entry]:
    """The calls and results of this turn's last step, and the marks it set."""
    mine = [entry for entry in closed if entry.turn_id == attempt.turn.pk]
    step = max((entry.step or 0 for entry in mine if entry.kind == "tool_result"), default=0)
    return [
        entry
        for entry in mine
        if step and entry.step == step and entry.kind in {"tool_call", "tool_result", "anchor"}
    ]


def _said_before(attempt: Attempt, closed: Sequence[Entry]) -> list[Entry]:
    """Before this turn's first step: the last question and answer, which a short one may go on from."""
    earlier = [
        entry
        for entry in closed
        if entry.kind == "message" and entry.turn_id not in attempt.turn_ids
    ]
    answer = next(
        (entry for entry in reversed(earlier) if entry.payload["role"] == "assistant"), None
    )
    if answer is None:
        return []
    return [
        entry
        for entry in earlier
        if entry.turn_id == answer.turn_id and (entry.payload["role"] == "user" or entry == answer)
    ]


def _state(attempt: Attempt, seen: Seen, plan: _Plan, *, summed: bool) -> dict[str, object]:
    desk, kept = seen.desk, {entry.seq for entry in plan.keeps}
    readable = [entry for entry in plan.closed if entry.seq in _readable(seen)]
    told = [entry for entry in readable if not window.is_overload(entry)]
    gone = [entry for entry in told if entry.seq not in kept]
    carried = recollection.within(
        recollection.earlier(readable), int(plan.text_tokens * _EARLIER_SHARE)
    )
    stood = _tokens(seen)
    left = plan.text_tokens - sum(usage.estimate(recollection.line(one)) for one in carried)
    said: list[Statement] = []
    if summed:
        said = summing_up.of(
            readable, attempt=attempt, desk=desk, room=plan.room, most=min(stood, left)
        )
    by_rule = recollection.statements(gone, desk)
    if said:
        # The model has told the rest; the places stay, since only they can be cited.
        by_rule = [one for one in by_rule if one["kind"] in recollection.BESIDE_A_SUMMARY]
    by_rule += recollection.beginnings(plan.cut, tokens=left // 2)
    statements = recollection.within([*said, *by_rule], left)
    topic = attempt.turn.topic
    first = segments.begins(
        desk.tape_id, desk.topic_id, topic.initial_seq, fork_id=attempt.claimed.fork.id
    )
    last = max(entry.seq for entry in plan.closed)
    return {
        "closes": [first, last],
        "entries": segments.counted(desk.tape_id, desk.topic_id, first, last),
        "tokens": stood,
        "keeps": [entry.seq for entry in plan.keeps],
        "summed_up_by": "model" if said else "rule",
        "statements": statements,
        "earlier": carried,
        "text": recollection.text(first, last, carried, statements),
    }


def _readable(seen: Seen) -> set[int]:
    """What the asker was shown, less what was withheld."""
    return set(seen.seqs) - set(seen.withheld)


def _tokens(seen: Seen) -> int:
    """What the window's messages took, without the system prompt, by our estimate."""
    return sum(usage.estimate(str(message)) for message in seen.messages[1:])
