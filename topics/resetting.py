"""Reset: a tape is closed for good and starts anew under its name; nothing is destroyed (T12)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topics import acts, lifecycle, locks, renewing
from topics.models import UNFINISHED, FinalizeReason, Turn

if TYPE_CHECKING:
    from tapes.store import Tape


@acts.act
def reset(tape_id: int, *, actor: str, why: str) -> Tape:
    """Close a tape with its open topic, and return the new one of its name, in one transaction.

    Raises lifecycle.TapeBusy while a turn waits or runs; store.TapeArchived, store.UnknownTape.
    """
    locks.tape(tape_id)
    if Turn.objects.filter(tape=tape_id, status__in=UNFINISHED).exists():
        raise lifecycle.TapeBusy("a question is being answered on this tape")
    topic = lifecycle.open_on(tape_id)
    if topic is not None:
        lifecycle.finalize(topic.pk, reason=FinalizeReason.RESET, actor=actor)
    return renewing.anew(tape_id, actor=actor, why=why)
