"""What topics tell the world after commit; whoever has a queue listens."""

from __future__ import annotations

from functools import partial

from django.db import transaction
from django.dispatch import Signal

turn_due = Signal()
"""A turn can be claimed now: `turn_id`."""

hooks_due = Signal()
"""Post-hooks wait to be run: `hook_run_ids`."""


def tell_turn_due(turn_id: int) -> None:
    """Send `turn_due` once the transaction is committed; the sweep covers a listener that fails."""
    transaction.on_commit(partial(turn_due.send_robust, sender=None, turn_id=turn_id))


def tell_hooks_due(hook_run_ids: list[int]) -> None:
    """Send `hooks_due` once the transaction is committed."""
    transaction.on_commit(partial(hooks_due.send_robust, sender=None, hook_run_ids=hook_run_ids))


fact_changed = Signal()
"""A fact was made, changed or is gone: `fact_id`, `using`. Sent inside the transaction, on the connection
`using`: who keeps something drawn from facts changes it there, and a listener that fails stops the act."""

described = Signal()
"""A topic has another title or summary: `topic_id`."""


def tell_described(topic_id: int) -> None:
    """Send `described` once the transaction is committed."""
    transaction.on_commit(partial(described.send_robust, sender=None, topic_id=topic_id))


call_ended = Signal()
"""A model call has ended: `call`, its row of the ledger. Sent inside the transaction of its event."""
