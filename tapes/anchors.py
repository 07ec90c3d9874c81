"""Which anchors move the window: one table by name (T9)."""

from __future__ import annotations

SESSION_START = "session/start"
MARK = "mark/"
"""How the names of marks begin."""
RESERVED = frozenset(
    {SESSION_START, "topic_initial", "topic_finalized", "brain_overload", "recall_anchor"}
)
"""Names that tapes and topics write by themselves; a handoff takes another."""

_STAYING = ("recall_anchor", "topic_finalized")
_STAYING_BEFORE = (MARK,)


def moves_window(name: str) -> bool:
    """Whether the default view starts anew after an anchor of this name; unknown names do it."""
    return name not in _STAYING and not name.startswith(_STAYING_BEFORE)
