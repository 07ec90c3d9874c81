"""What tapes tell the world, after commit and from one place."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction
from django.dispatch import Signal

appended = Signal()
"""Sent as `appended(tape_id: int, last_seq: int, turn_ids: list[int])` once entries are durable."""

check_due = Signal()
"""Sent as `check_due(tape_id: int)` once somebody asked for a tape to be checked."""


erased = Signal()
"""Sent as `erased(tape_id: int, first_seq: int, last_seq: int, topic_ids: list[int],
turn_ids: list[int], actor: str, entries: int, using: str)` inside the erasure's transaction, on
the connection `using`: who keeps words drawn from these entries forgets them there, and a listener
that fails stops the erasure. `topic_ids` are the topics of entries without words; `turn_ids` all
turns whose live text may hold the words. Sent again, with no `entries`, when an erasure is done
again.
"""


def tell(tape_id: int, last_seq: int, turn_ids: Sequence[int], *, using: str | None = None) -> None:
    """Send `appended` after commit; a listener that fails harms neither the tape nor the others."""

    def send() -> None:
        appended.send_robust(
            sender=None, tape_id=tape_id, last_seq=last_seq, turn_ids=list(turn_ids)
        )

    transaction.on_commit(send, using=using)
