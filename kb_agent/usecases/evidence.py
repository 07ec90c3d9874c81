"""What a person can do with evidence: see whether it still stands, and open its lines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from kb_agent.accounts.models import User


@dataclass(frozen=True)
class EvidenceState:
    """A place in code that something rests on, checked now."""

    id: int
    repository: dict[str, Any]
    branch: str
    commit: str
    committed_at: datetime | None
    indexed_at: datetime | None
    path: str
    start_line: int
    end_line: int
    valid: bool
    changed_since: bool
    missing: bool


def states(user: User, ids: Iterable[int]) -> list[EvidenceState]:
    """How these places stand; those this person may not see are left out."""
    return [_state(each) for each in _visible(user, ids)]
