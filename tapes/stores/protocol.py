"""What every store of tapes can do: `Readable` also an archive, `Store` what tapes are written to.

One suite of tests, `tests/tapes/contract/`, says what the methods promise.
"""

from __future__ import annotations

import datetime
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, Unpack

if TYPE_CHECKING:
    from tapes.chain import Verdict
    from tapes.entries import Context, Entry, NewEntry
    from tapes.erasures import Erased
    from tapes.forks import ForkHandle
    from tapes.matching.tiers import Found
    from tapes.source import AnchorPlace
    from tapes.tape_info import TapeInfo
    from tapes.windows import View


class Readable(Protocol):
    """Tapes that can be listed and read."""

    def tapes(self) -> list[TapeInfo]:
        """Return every tape, the oldest first."""

    def read(self, tape_id: int, view: View) -> list[Entry]:
        """Return the entries of a view. Raises `UnknownTape`, `MissingAnchor`."""

    def anchors(self, tape_id: int) -> list[AnchorPlace]:
        """Return the anchors in order, without those of forks that are not merged."""

    def latest_event(self, tape_id: int, name: str) -> Entry | None:
        """Return the newest event of a name that a default view shows."""

    def counts(self, tape_id: int) -> dict[str, int]:
        """Return how many entries of each kind a default view of all the tape shows."""

    def search(
        self,
        tape_id: int,
        query: str,
        *,
        limit: int = 20,
        readable: Collection[int] = (),
        kinds: Collection[str] = (),
    ) -> Found:
        """Return entries with the words, newest first, then those with words near them (T13).

        `readable` are the repositories whose text may be shown; an entry that holds another's is
        not looked at. All kinds when `kinds` is empty. Raises `UnknownTape`.
        """

    def verify(self, tape_id: int) -> Verdict:
        """Name the first entry that was changed since it was written."""


class Store(Readable, Protocol):
    """Tapes that can also be written."""

    def create(
        self, name: str, *, state: Mapping[str, Any] | None = None, actor: str = "system"
    ) -> TapeInfo:
        """Open a tape with anchor `session/start`. Raises `NameTaken`, `InvalidEntry`."""

    def append(
        self,
        tape_id: int,
        new: Sequence[NewEntry],
        *,
        expected_head: int | None = None,
        fork: ForkHandle | None = None,
    ) -> list[Entry]:
        """Append entries, all or none; refusals are those of `tapes.store.append`."""

    def open_fork(self, tape_id: int) -> ForkHandle:
        """Open a fork at the head. Raises `UnknownTape`, `TapeArchived`."""

    def renew_fork(self, tape_id: int, fork_id: int) -> ForkHandle:
        """Take a fork over: the old token no longer works. Raises `UnknownFork`, `ForkClosed`."""

    def merge(self, fork: ForkHandle, **context: Unpack[Context]) -> int | None:
        """Show a fork's entries; return the event's seq, None when it was merged before."""

    def discard(self, fork: ForkHandle, **context: Unpack[Context]) -> int | None:
        """Hide a fork's entries from all but an inspection; else as `merge`."""

    def close(self, tape_id: int, **context: Unpack[Context]) -> TapeInfo:
        """Close a tape for good; its name is free again. Raises `TapeArchived`."""

    def load(
        self, name: str, batches: Iterable[Sequence[tuple[NewEntry, datetime.datetime]]]
    ) -> TapeInfo:
        """Fill a new tape with dated entries, whole or not at all. Raises `NameTaken`."""

    def spill(self, text: str) -> str:
        """Store a text that is too long for an entry, once; return its SHA-256 in hex. Raises `InvalidEntry`.

        It stays as long as the result of a tool names it, as `spill: {id}`.
        """

    def unspill(self, digest: str) -> str:
        """Return such a text. Raises `UnknownSpill`."""

    def erase(self, tape_id: int, first: int, last: int, *, actor: str, why: str) -> Erased:
        """Take the words of a range away for good, from copies in the archive too; done again, it does what was left.

        Raises `UnknownTape`, `InvalidRange`, `ForkOpen`; `InvalidEntry` without a reason.
        """

    def archive(self, tape_id: int) -> str:
        """Copy a closed tape to the archive, verified; return where. Raises `TapeInUse`."""
