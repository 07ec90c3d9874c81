"""What a list of tapes says of each, wherever they are kept."""

from __future__ import annotations

import datetime
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TapeInfo:
    """A tape of a store."""

    id: int
    name: str
    head: int
    created_at: datetime.datetime
    archived_at: datetime.datetime | None
    """When it was closed for good; None while it is in use."""
