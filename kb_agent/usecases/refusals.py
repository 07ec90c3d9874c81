"""What a person is refused, in the kinds that a browser and a command line tell apart."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tapes.errors import (
    ForkClosed,
    StaleFork,
    TapeArchived,
    TapeError,
    UnknownFork,
    UnknownTape,
    WrongHead,
)


class Refusal(Exception):
    """Something that was asked for is not done; nothing was changed.

    `code` is for programs, the message for people, `details` for both.
    """

    code = "refused"

    def __init__(
        self, message: str, *, code: str = "", details: dict[str, Any] | None = None
    ) -> None:
        super().__init__(message)
        self.code = code or self.code
        self.details = details or {}


class NotFound(Refusal):
    """There is no such thing, or none that this person may know of: the two look alike."""

    code = "not_found"

    def __init__(self, what: str) -> None:
        super().__init__(f"There is no {what} here that you may see.")


class Forbidden(Refusal):
    """A thing one may see but not do."""

    code = "forbidden"


class Invalid(Refusal):
    """What was sent cannot be taken as it is."""

    code = "invalid"


class Conflict(Refusal):
    """It cannot be done as things stand now."""

    code = "conflict"


@contextmanager
def of_tapes() -> Iterator[None]:
    """Turn what a tape refuses into what a person is told, under the tape's own code."""
    try:
        yield
    except UnknownTape as unknown:
        raise NotFound("tape") from unknown
    except UnknownFork as unknown:
        raise NotFound("fork") from unknown
    except (TapeArchived, ForkClosed, StaleFork, WrongHead) as late:
        raise Conflict(str(late), code=late.code) from late
    except TapeError as refused:
        raise Invalid(str(refused), code=refused.code) from refused
