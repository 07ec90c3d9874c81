"""The named refusals of tapes, and their translation from the database's own codes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import DatabaseError
from psycopg import Error as DriverError


class TapeError(Exception):
    """Anything a tape refuses; `code` is the machine's word for it."""

    code = "tape_error"


class UnknownTape(TapeError):
    """No tape of that id or name."""

    code = "unknown_tape"


class NameTaken(TapeError):
    """A tape in use already has this name."""

    code = "name_taken"


class TapeArchived(TapeError):
    """The tape is closed for good."""

    code = "tape_archived"


class WrongHead(TapeError):
    """The tape moved since the writer looked; nothing was written."""

    code = "wrong_head"


class UnknownFork(TapeError):
    """The tape has no such fork."""

    code = "unknown_fork"


class StaleFork(TapeError):
    """Another writer has renewed the fork since; this one must stop."""

    code = "stale_fork"


class ForkClosed(TapeError):
    """The fork was merged or discarded before."""

    code = "fork_closed"


class StepRecorded(TapeError):
    """This part of this step of this turn is on the tape already."""

    code = "step_recorded"


class InvalidEntry(TapeError):
    """The entry cannot be kept as it is; the message says why."""

    code = "invalid_entry"


class PayloadTooLarge(InvalidEntry):
    """Payload or meta pass the limit of one entry."""

    code = "payload_too_large"


class MissingAnchor(TapeError):
    """A view names an anchor the tape does not have."""

    code = "missing_anchor"


class InvalidView(TapeError):
    """A view whose end lies before its start, or whose limit is below zero."""

    code = "invalid_view"


class BrokenTape(TapeError):
    """A file of a tape cannot be read at a seq although more follows it; `verify` says the same."""

    code = "broken_tape"

    def __init__(self, seq: int) -> None:
        super().__init__(f"the line of seq {seq} cannot be read")
        self.seq = seq


class TapeInUse(TapeError):
    """Only a tape that was closed for good can go to the archive."""

    code = "tape_in_use"


class InvalidRange(TapeError):
    """The tape has no such range of entries."""

    code = "invalid_range"


class ForkOpen(TapeError):
    """Entries of a fork that is neither merged nor discarded cannot be erased."""

    code = "fork_open"


class EntriesLeft(TapeError):
    """The rows of the tape have left for the archive; they must be restored before."""

    code = "entries_left"


class UnknownSpill(TapeError):
    """No text is stored under this digest."""

    code = "unknown_spill"


_BY_STATE = {
    "TP001": UnknownTape,
    "TP002": WrongHead,
    "TP003": StaleFork,
    "TP004": ForkClosed,
    "TP005": InvalidEntry,
    "TP006": TapeArchived,
    "TP007": UnknownFork,
    "TP008": InvalidRange,
    "TP009": ForkOpen,
    "TP010": EntriesLeft,
    # The table's own checks: missing values, broken conditions, texts that are no JSON or too long.
    "23502": InvalidEntry,
    "23514": InvalidEntry,
    "22001": InvalidEntry,
    "22003": InvalidEntry,
    "22P02": InvalidEntry,
    "22P05": InvalidEntry,
    "54000": InvalidEntry,
    "54001": InvalidEntry,
}


@contextmanager
def named() -> Iterator[None]:
    """Raise the database's refusals by their names; anything else passes unchanged."""
    try:
        yield
    except DatabaseError as error:
        refusal = _refusal(error)
        if refusal is None:
            raise
        raise refusal from error


def _refusal(error: DatabaseError) -> TapeError | None:
    cause = error.__cause__
    if not isinstance(cause, DriverError):
        return None
    message = cause.diag.message_primary or str(cause)
    if cause.sqlstate == "23505":
        return _doubled(cause.diag.constraint_name or "", message)
    known = _BY_STATE.get(cause.sqlstate or "")
    return known(message) if known else None


def _doubled(constraint: str, message: str) -> TapeError | None:
    if constraint == "tapes_tape_name":
        return NameTaken(message)
    # A partition names its copy of the constraint after its own columns.
    if constraint.startswith("tapes_entry") and "step_part" in constraint:
        return StepRecorded(message)
    return None
