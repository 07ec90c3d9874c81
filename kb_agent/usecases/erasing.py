"""What those who run the server do about words that must not stay: erase a range of a tape."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.conf import settings

from kb_agent import live
from kb_agent.usecases import people, refusals
from tapes import store
from topics import erasing, retention

if TYPE_CHECKING:
    from topics.erasing import Report
    from topics.retention import Retained


@dataclass(frozen=True, slots=True)
class Done:
    """What an erasure did, and whether the live text is gone too."""

    report: Report
    live: bool
    """False when Redis did not answer: what it holds lapses within the hour, or is deleted when the
    erasure is done again."""

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return self.report.as_dict() | {"live": self.live}


def erase(name: str, first: int, last: int, *, reason: str, by: str = "") -> Done:
    """Erase entries of the tape of that name, for a person or, without one, for the operator.

    Raises `tapes.errors.TapeError`s; `refusals.Conflict` while a turn of the tape is unfinished;
    `refusals.Invalid` for an unknown person.
    """
    live.listen()
    actor = f"person:{people.named(by).pk}" if by else "system"
    wanted = erasing.Wanted(store.by_name(name).pk, first, last, actor=actor, why=reason)
    try:
        report = erasing.erase(wanted)
    except erasing.TurnOpen as still:
        raise refusals.Conflict(str(still), code=still.code) from still
    return Done(report, live.answers())


def retain(days: int | None) -> Retained | None:
    """Erase what ended so many days ago, by default the setting's; None when there is none."""
    live.listen()
    wanted = days if days is not None else settings.RETENTION_DAYS
    return retention.retain(wanted) if wanted and wanted > 0 else None
