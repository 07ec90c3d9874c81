"""Which entries a call is shown: the turn's window, with what an overload keeps from before it (T8, P8)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapes import browsing, views
from tapes.views import View
from topics import asking, dismissing, segments
from topics.continuing import RECALL
from topics.models import Turn

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kb_agent.agent.attempt import Attempt
    from tapes.entries import Entry


def entries_of(attempt: Attempt) -> list[Entry]:
    """The turn's window, with the questions it answers where something moved it past them.

    A question may name the anchor its window starts after. Where the window begins with an
    overload, what that keeps stands after its text: notes of earlier topics and facts, questions
    word for word, the last whole step.
    """
    tape_id, fork = attempt.turn.tape_id, attempt.claimed.fork
    questions = asked(attempt)
    own = next(one for one in questions if one.seq == attempt.turn.question_seq)
    after = own.meta.get(asking.AFTER)
    window = View.turn(
        fork_id=fork.id,
        base_seq=fork.base_seq,
        turn_ids=attempt.turn_ids,
        after=after["seq"] if after else None,
    )
    found = views.read(tape_id, window)
    shown = {entry.seq for entry in found}
    left = [one for one in questions if one.seq not in shown]
    if not found or not is_overload(found[0]):
        composed = [*left, *found]
    else:
        composed = [found[0], *_kept(attempt, found[0], left), *found[1:]]
    return [*_dismissals(attempt, composed), *composed]


def asked(attempt: Attempt) -> list[Entry]:
    """The questions this turn answers: its own, and those it has taken up."""
    rows = Turn.objects.filter(pk__in=attempt.turn_ids)
    seqs = list(rows.values_list("question_seq", flat=True))
    return _in_order(views.at((attempt.turn.tape_id, seq) for seq in seqs))


def is_overload(entry: Entry) -> bool:
    """Whether an entry is the anchor that closes a segment."""
    return entry.kind == "anchor" and entry.payload["name"] == segments.OVERLOAD


def notes(attempt: Attempt, *, before: int) -> list[Entry]:
    """The topic's notes of earlier topics and of facts that stand before an entry."""
    seqs = segments.anchors(
        attempt.turn.tape_id,
        attempt.turn.topic_id,
        RECALL,
        before=before,
        fork_id=attempt.claimed.fork.id,
    )
    return _in_order(views.at((attempt.turn.tape_id, one.seq) for one in seqs))


def _kept(attempt: Attempt, overload: Entry, left: list[Entry]) -> list[Entry]:
    tape_id = overload.tape_id
    kept = {entry.seq: entry for entry in left}
    state = overload.payload.get("state") or {}
    told = _numbers(state.get("keeps"))
    # A note that a hook wrote while the segment was being closed is not among those it keeps.
    late = max(_numbers(state.get("closes")), default=0)
    for entry in (
        *views.at((tape_id, seq) for seq in told if seq not in kept),
        *(note for note in notes(attempt, before=overload.seq) if note.seq > late),
    ):
        kept[entry.seq] = entry
    # What corrects a kept entry stood in the segment that was closed.
    for corrections in browsing.corrections((tape_id, seq) for seq in kept).values():
        kept |= {one.seq: one for one in corrections if one.seq < overload.seq}
    return _in_order(kept.values())


def _numbers(told: object) -> list[int]:
    """The seqs of an anchor's state; of one that was imported or erased, what there is."""
    return [one for one in told if type(one) is int] if isinstance(told, list) else []


def _dismissals(attempt: Attempt, composed: list[Entry]) -> list[Entry]:
    """What dismissed recalls that are shown, and stands outside the window or came while the turn ran."""
    if not any(entry.payload.get("name") == RECALL for entry in composed):
        return []
    there = {entry.seq for entry in composed}
    found = dismissing.events_of(attempt.turn.tape_id, attempt.turn.topic_id)
    return [entry for entry in found if entry.seq not in there]


def _in_order(found: Iterable[Entry]) -> list[Entry]:
    return sorted(found, key=lambda entry: entry.seq)
