"""Forks as people see them: where their entries stand, and which turn writes on them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tapes import views
from topics.models import Turn

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kb_agent.usecases.access import Access
    from tapes.browsing import ForkSpan

SIDE_LINE = "side_line"
"""The event a side line begins with, in its `note` what it is for."""


@dataclass(frozen=True)
class ShownFork:
    """A fork, where its entries stand, and whose they are."""

    id: int
    state: str
    base_seq: int
    first_seq: int | None
    last_seq: int | None
    closed_seq: int | None
    entries: int
    turn: int | None
    note: str
    """What a side line is for; empty for a turn's fork."""


def seen_by(access: Access, tape_id: int, forks: Iterable[ShownFork]) -> list[ShownFork]:
    """Those of a tape's forks that a person may know of: all of their own tape, else of topics they see.

    A side line is its owner's, and so is what it is for.
    """
    found = list(forks)
    if access.whole(tape_id):
        return found
    turns = Turn.objects.filter(pk__in=[fork.turn for fork in found if fork.turn])
    theirs = turns.filter(topic__in=access.topics().values("pk")).values_list("pk", flat=True)
    return [fork for fork in found if fork.turn in set(theirs)]


def shown(tape_id: int, spans: Iterable[ForkSpan]) -> list[ShownFork]:
    """Forks with the turns that write on them."""
    found = list(spans)
    of_turns = Turn.objects.filter(fork__in=[span.id for span in found])
    turns = dict(of_turns.values_list("fork_id", "pk"))
    begun = {span.first: span.id for span in found if span.first and span.id not in turns}
    notes = {
        begun[entry.seq]: str(entry.payload["data"].get("note", ""))
        for entry in views.at((tape_id, seq) for seq in begun)
        if entry.kind == "event" and entry.payload["name"] == SIDE_LINE
    }
    return [
        ShownFork(
            id=span.id,
            state=span.state,
            base_seq=span.base_seq,
            first_seq=span.first,
            last_seq=span.last,
            closed_seq=span.closed_seq,
            entries=span.entries,
            turn=turns.get(span.id),
            note=notes.get(span.id, ""),
        )
        for span in found
    ]
