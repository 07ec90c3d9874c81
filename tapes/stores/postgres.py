"""Tapes in PostgreSQL, behind the protocol of stores: the one that servers and topics use."""

from __future__ import annotations

import datetime
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Unpack

from django.db import transaction

from tapes import erasure, forks, search, store, verify, views
from tapes.stores import archiving, erased_copies
from tapes.tape_info import TapeInfo

if TYPE_CHECKING:
    from tapes.chain import Verdict
    from tapes.entries import Context, Entry, NewEntry
    from tapes.erasures import Erased
    from tapes.forks import ForkHandle
    from tapes.matching.tiers import Found
    from tapes.source import AnchorPlace
    from tapes.windows import View


class PostgresStore:
    """A `Store`; within a transaction of the caller everything belongs to that transaction."""

    def tapes(self) -> list[TapeInfo]:
        """Return every tape, closed ones too."""
        return [_info(tape) for tape in store.every()]

    def read(self, tape_id: int, view: View) -> list[Entry]:
        """Read rows, or the archive where they have left."""
        store.get(tape_id)
        return views.read(tape_id, view)

    def anchors(self, tape_id: int) -> list[AnchorPlace]:
        """Read the anchors' own rows, which never leave."""
        return views.anchors(tape_id)

    def latest_event(self, tape_id: int, name: str) -> Entry | None:
        """Look backwards from the head."""
        return views.latest_event(tape_id, name)

    def counts(self, tape_id: int) -> dict[str, int]:
        """Count in the database."""
        return views.counts(tape_id)

    def verify(self, tape_id: int) -> Verdict:
        """Check without the log of heads, which lies outside the store."""
        return verify.verify(tape_id)

    def search(
        self,
        tape_id: int,
        query: str,
        *,
        limit: int = 20,
        readable: Collection[int] = (),
        kinds: Collection[str] = (),
    ) -> Found:
        """Ask the index, and read what it does not cover yet."""
        only = search.Only(kinds=tuple(kinds))
        return search.search(tape_id, query, limit=limit, readable=readable, only=only)

    def create(
        self, name: str, *, state: Mapping[str, Any] | None = None, actor: str = "system"
    ) -> TapeInfo:
        """One call of one database function."""
        return _info(store.create(name, state=state, actor=actor))

    def append(
        self,
        tape_id: int,
        new: Sequence[NewEntry],
        *,
        expected_head: int | None = None,
        fork: ForkHandle | None = None,
    ) -> list[Entry]:
        """One call of one database function."""
        return store.append(tape_id, new, expected_head=expected_head, fork=fork)

    def open_fork(self, tape_id: int) -> ForkHandle:
        """Insert the fork's row."""
        return forks.open(tape_id)

    def renew_fork(self, tape_id: int, fork_id: int) -> ForkHandle:
        """Change the token in the fork's row."""
        return forks.renew(fork_id)

    def merge(self, fork: ForkHandle, **context: Unpack[Context]) -> int | None:
        """One event and the fork's row."""
        return forks.merge(fork, **context)

    def discard(self, fork: ForkHandle, **context: Unpack[Context]) -> int | None:
        """One event and the fork's row."""
        return forks.discard(fork, **context)

    def close(self, tape_id: int, **context: Unpack[Context]) -> TapeInfo:
        """One event and the tape's row."""
        return _info(store.close(tape_id, **context))

    def load(
        self, name: str, batches: Iterable[Sequence[tuple[NewEntry, datetime.datetime]]]
    ) -> TapeInfo:
        """One transaction, a call of the database function a batch."""
        return _info(store.load(name, batches))

    def spill(self, text: str) -> str:
        """A row."""
        return store.spill(text)

    def unspill(self, digest: str) -> str:
        """Read the row."""
        return store.unspill(digest)

    def erase(self, tape_id: int, first: int, last: int, *, actor: str, why: str) -> Erased:
        """Under the owner's role: rows, then the copy. What topics keep beside entries hears of it."""
        erased_copies.bring_back(tape_id)
        with transaction.atomic(using=erasure.OWNER):
            done = erasure.erase(tape_id, first, last, actor=actor, why=why)
            erased_copies.outdate(tape_id)
        erased_copies.rewrite(tape_id)
        return done

    def archive(self, tape_id: int) -> str:
        """Copy to the archive of the settings."""
        return archiving.copy(tape_id).folder


def _info(tape: store.Tape) -> TapeInfo:
    return TapeInfo(tape.id, tape.name, tape.head, tape.created_at, tape.archived_at)
