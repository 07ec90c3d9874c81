"""Takes up what the asker added while the turn runs, at the head of each step (A8)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topics import turns

if TYPE_CHECKING:
    from kb_agent.agent.attempt import Attempt


def take_up(attempt: Attempt) -> None:
    """Let added questions enter the next view; each is answered with this turn."""
    attempt.joined += [turn.pk for turn in turns.take_joined(attempt.claimed)]
