"""What tapes tell the world, after commit and from one place."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction
from django.dispatch import Signal

appended = Signal()
"""Sent as `appended(tape_id: int, last_seq: int, turn_ids: list[int])` once entries are durable."""

check_due = Signal()
"""Sent as `check_due(tape_id: int)` once somebody asked for a tape to be checked."""


def tell(tape_id: int, last_seq: int, turn_ids: Sequence[int]) -> None:
    """Send `appended` after commit; a listener that fails harms neither the tape nor the others."""

    def send() -> None:
        appended.send_robust(
            sender=None, tape_id=tape_id, last_seq=last_seq, turn_ids=list(turn_ids)
        )

    transaction.on_commit(send)
