"""Names the first entry of a tape that was changed behind the database's back (T5)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from django.db import connection, transaction

from tapes import anchors, erasures, store
from tapes.archive import departed
from tapes.chain import GENESIS, Verdict, digest_of, hash_of
from tapes.entries import IMPORT
from tapes.heads import Logged
from tapes.models import Anchor, Entry, Fork, Tape

if TYPE_CHECKING:
    from tapes.archive.copies import ArchivedTape
    from tapes.records import Record

_ROWS_AT_ONCE = 2_000
_NO_ENTRY = "the row of an anchor has no entry"
_COLUMNS = (
    *("tape_id", "seq", "kind", "payload_text", "meta_text", "why", "salt", "digest", "hash"),
    *("fork_id", "topic_id", "turn_id", "step", "part", "actor", "sources", "date"),
)


class _Bad(Exception):
    """A difference was found at a seq."""

    def __init__(self, seq: int, reason: str) -> None:
        super().__init__(reason)
        self.seq = seq


def verify(tape_id: int, logged: Logged | None = None) -> Verdict:
    """Check every hash, the rows beside entries, and the head; against the log when given.

    Without the log a chain that was recomputed to its end looks whole: only what was written
    outside the database can tell.
    """
    archived = departed.source(tape_id)
    if archived is not None:
        return _archived(archived, store.get(tape_id), logged or Logged())
    with transaction.atomic(durable=True):
        # One snapshot: what writers add meanwhile is for the next check.
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        check = _Check(store.get(tape_id), logged or Logged())
        try:
            for row in _rows(tape_id):
                check.entry(row)
            check.end()
        except _Bad as bad:
            return Verdict(ok=False, first_bad_seq=bad.seq, reason=str(bad), entries=check.seq)
    erased = tuple(check.erasures.ranges)
    return Verdict(ok=True, first_bad_seq=None, reason="", entries=check.seq, erased=erased)


def _archived(archived: ArchivedTape, tape: Tape, logged: Logged) -> Verdict:
    """Check the copy of a tape whose rows have left, against the head that stayed."""

    def marked() -> Iterator[Record]:
        for record in archived.records():
            mark = logged.mark(record.entry.seq)
            if mark and not record.entry.hash.startswith(mark):
                raise _Bad(record.entry.seq, "the entry was rewritten with every hash after it")
            yield record

    try:
        verdict = archived.verify(marked())
    except _Bad as bad:
        return Verdict(ok=False, first_bad_seq=bad.seq, reason=str(bad), entries=bad.seq - 1)
    kept = bytes.fromhex(archived.manifest["tape"]["hash"]) == bytes(tape.head_hash)
    if verdict.ok and (not kept or logged.head > tape.head):
        reason = "the tape's head is not its last entry"
        return Verdict(ok=False, first_bad_seq=tape.head, reason=reason, entries=verdict.entries)
    return verdict


def _rows(tape_id: int) -> Iterator[dict[str, Any]]:
    seq = 0
    while True:
        rows = Entry.objects.filter(tape_id=tape_id, seq__gt=seq).order_by("seq")
        page = list(rows.values(*_COLUMNS)[:_ROWS_AT_ONCE])
        yield from page
        if len(page) < _ROWS_AT_ONCE:
            return
        seq = page[-1]["seq"]


def _anchors(tape_id: int) -> Iterator[Anchor]:
    """The rows beside anchor entries in order, a page at a time."""
    seq = 0
    while True:
        rows = Anchor.objects.filter(tape_id=tape_id, seq__gt=seq).order_by("seq")
        page = list(rows[:_ROWS_AT_ONCE])
        yield from page
        if len(page) < _ROWS_AT_ONCE:
            return
        seq = page[-1].seq


class _Check:
    """Walks a tape from its first entry, keeping what the next check needs."""

    def __init__(self, tape: Tape, logged: Logged) -> None:
        self.logged = logged
        self.tape = tape
        self.seq = 0
        self.hash = GENESIS
        self.erasures = erasures.Erasures()
        self._closings: dict[int, tuple[str, int]] = {}
        self._anchors = _anchors(tape.id)
        self._next_anchor = next(self._anchors, None)

    def entry(self, row: dict[str, Any]) -> None:
        """Check one row against the chain, the log and the rows beside it."""
        if row["seq"] != self.seq + 1:
            raise _Bad(self.seq + 1, "the entry is missing")
        self.seq = row["seq"]
        self._words(row)
        self.hash = hash_of(self.hash, row)
        if self.hash != bytes(row["hash"]):
            raise _Bad(self.seq, "a column of the entry was changed")
        mark = self.logged.mark(self.seq)
        if mark and not self.hash.startswith(mark):
            raise _Bad(self.seq, "the entry was rewritten with every hash after it")
        if row["kind"] == "anchor":
            self._anchor(row)
        elif row["kind"] == "event" and row["actor"] != IMPORT:
            self._event(row)

    def end(self) -> None:
        """Check what only the whole tape tells."""
        if self.seq < max(self.tape.head, self.logged.head):
            raise _Bad(self.seq + 1, "the tail was cut")
        if self.hash != bytes(self.tape.head_hash) or self.seq != self.tape.head:
            raise _Bad(self.seq, "the tape's head is not its last entry")
        if self._next_anchor is not None:
            raise _Bad(self._next_anchor.seq, _NO_ENTRY)
        unexplained = self.erasures.unexplained()
        if unexplained is not None:
            raise _Bad(unexplained, erasures.UNEXPLAINED)
        self._forks()

    def _words(self, row: dict[str, Any]) -> None:
        texts = row["payload_text"], row["meta_text"], row["why"]
        if row["salt"] is None:
            self.erasures.emptied(self.seq)
            if not erasures.is_form(row["kind"], texts, bytes(row["digest"])):
                raise _Bad(self.seq, erasures.NOT_AS_ERASED)
            return
        digest = digest_of(bytes(row["salt"]), *texts)
        if digest != bytes(row["digest"]):
            raise _Bad(self.seq, "the words of the entry were changed")

    def _anchor(self, row: dict[str, Any]) -> None:
        beside = self._next_anchor
        if beside is not None and beside.seq < self.seq:
            raise _Bad(beside.seq, _NO_ENTRY)
        if beside is None or beside.seq > self.seq:
            raise _Bad(self.seq, "the row of the anchor is missing")
        self._next_anchor = next(self._anchors, None)
        payload = json.loads(row["payload_text"])
        words = beside.name, beside.state
        same = beside.fork_id == row["fork_id"]
        same &= beside.moves_window == anchors.moves_window(beside.name)
        same &= words == (payload.get("name"), payload.get("state"))
        if not same:
            raise _Bad(self.seq, "the row of the anchor was changed")

    def _event(self, row: dict[str, Any]) -> None:
        payload = json.loads(row["payload_text"])
        data = payload.get("data")
        if row["salt"] is not None:
            self.erasures.said(payload)
        if payload.get("name") in {"fork_merged", "fork_discarded"} and isinstance(data, dict):
            state = str(payload["name"]).removeprefix("fork_")
            self._closings.setdefault(data["fork"], (state, self.seq))

    def _forks(self) -> None:
        for fork in Fork.objects.filter(tape_id=self.tape.id).order_by("id"):
            closing = self._closings.pop(fork.id, (Fork.OPEN, None))
            if closing != (fork.state, fork.closed_seq):
                raise _Bad(fork.base_seq + 1, f"the row of fork {fork.id} was changed")
        if self._closings:
            raise _Bad(min(seq for _, seq in self._closings.values()), "a fork's row is missing")
