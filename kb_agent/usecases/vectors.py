"""What those who run the server can do with vectors: see how far they are, fill them here and now, cancel."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from kb_agent.repositories.models.vectors import Space
from kb_agent.repositories.vectors import filling, spaces
from kb_agent.usecases import refusals
from tapes.search import meaning

Progress = Callable[[Space], None]
# Another worker may hold the space; it is asked for again after so long.
WAIT_SECONDS = 1.0


@dataclass(frozen=True)
class SpaceShown:
    """A space and how far it is filled; `error` says what it waits for until `paused_until`."""

    endpoint: str
    model: str
    dimension: int | None
    state: str
    done: int
    total: int
    cancelled: bool
    error: str
    paused_until: datetime | None


def show() -> list[SpaceShown]:
    """All spaces, the one that serves first."""
    names = SpaceShown.__dataclass_fields__
    rows = Space.objects.order_by("state", "-pk")
    return [SpaceShown(**{name: getattr(row, name) for name in names}) for row in rows]


def of_tapes() -> list[dict[str, Any]]:
    """What of tapes has vectors, by space: workers fill them by themselves."""
    return list(meaning.states())


def fill(*, on_progress: Progress | None = None) -> SpaceShown:
    """Embed every chunk that has no vector, also after a cancel. Raises `refusals.Invalid`: what stands in the way."""
    spaces.resume()
    space = spaces.wanted()
    if space is None:
        raise refusals.Invalid(
            "No embedding endpoint is set up: manage.py add_endpoint --embedding.",
            code="no_embedding_endpoint",
        )
    while due := spaces.due() or _held(space.pk):
        filled = filling.fill(due[0], on_progress=on_progress)
        if filled is None:
            time.sleep(WAIT_SECONDS)
        space.refresh_from_db()
        if space.error or space.cancelled:
            raise refusals.Invalid(space.error or "It was cancelled.", code="not_filled")
    return next(each for each in show() if each.state == Space.State.ACTIVE)


def _held(space_id: int) -> list[int]:
    """The space while another worker is at it."""
    return list(
        Space.objects.filter(pk=space_id, lease_until__isnull=False).values_list("pk", flat=True)
    )


def cancel() -> int:
    """Stop filling; what was embedded stays, and what serves goes on serving."""
    return spaces.cancel()
