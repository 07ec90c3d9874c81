"""Audit lines: written here, never changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kb_agent.accounts.models import Audit, User


def note(
    actor: User | None, action: str, subject: str, *, details: Mapping[str, Any] | None = None
) -> Audit:
    """Write down that a person did something to `subject` (such as `topic:12`).

    Call it in the transaction of the act itself, so that neither exists without the other.
    """
    return Audit.objects.create(
        actor=actor, action=action, object=subject, details=dict(details or {})
    )
