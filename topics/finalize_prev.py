"""The hook that finalizes the topic open on a tape before another starts there (P6)."""

from __future__ import annotations

from topics import hooks, lifecycle
from topics.models import FinalizeReason


@hooks.hook(
    does="Finalizes the topic that is open on the tape.",
    does_zh="先结束这条纸带上还开着的主题。",
    essential=True,
)
def topic_finalize_prev(context: hooks.Context) -> hooks.Effect | None:
    """End what is open, as superseded; its own pre-hooks run, and cannot refuse."""
    previous = lifecycle.open_on(context.topic.tape_id)
    if previous is None:
        return None
    lifecycle.finalize(previous.pk, reason=FinalizeReason.SUPERSEDED, actor=context.actor)
    return hooks.Effect(outcome=f"finalized topic {previous.pk}")
