"""Audit lines: written here, never changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.dispatch import receiver

from kb_agent.accounts.models import Audit, User
from tapes import signals


def note(
    actor: User | None, action: str, subject: str, *, details: Mapping[str, Any] | None = None
) -> Audit:
    """Write down that a person did something to `subject` (such as `topic:12`).

    Call it in the transaction of the act itself, so that neither exists without the other.
    """
    return Audit.objects.create(
        actor=actor, action=action, object=subject, details=dict(details or {})
    )


@receiver(signals.erased, dispatch_uid="audit")
def _note_erasure(*, actor: str, entries: int, using: str, **said: Any) -> None:
    """An erasure leaves its line whoever makes it, in its own transaction."""
    if not entries:
        return
    kind, _, number = actor.partition(":")
    details = {name: said[name] for name in ("first_seq", "last_seq", "topic_ids")}
    Audit.objects.using(using).create(
        actor_id=int(number) if kind == "person" else None,
        action="tape_erased",
        object=f"tape:{said['tape_id']}",
        details=details | {"entries": entries, "by": actor},
    )
