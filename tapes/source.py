"""One tape as it is read without a database: anchors, forks, and stretches of entries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from tapes.entries import Entry

OPEN, MERGED, DISCARDED = "open", "merged", "discarded"


@dataclass(frozen=True, slots=True)
class AnchorPlace:
    """An anchor and where it stands."""

    seq: int
    name: str
    state: dict[str, Any] | None
    moves_window: bool
    fork_id: int | None = None


@dataclass(frozen=True, slots=True)
class ForkState:
    """What became of a fork."""

    id: int
    state: str
    """`open`, `merged` or `discarded`."""
    token: int
    base_seq: int
    closed_seq: int | None = None


class Source(Protocol):
    """One tape, however it is kept."""

    def anchors(self) -> Sequence[AnchorPlace]:
        """Return every anchor in order, those of any fork too."""

    def forks(self) -> Mapping[int, ForkState]:
        """Return every fork by its id."""

    def stretch(self, first: int, last: int | None) -> Iterator[Entry]:
        """Yield every entry from seq `first` to `last`, both included; None means to the end."""
