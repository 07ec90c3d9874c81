"""Checks a tape that is kept in files: every hash, from the first entry to the head (T5)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from tapes import chain, records
from tapes.chain import Verdict
from tapes.entries import EVENT, IMPORT, Entry

if TYPE_CHECKING:
    from tapes.records import Record


def check(found: Iterable[Record], head_hash: bytes | None = None) -> Verdict:
    """Name the first entry that was changed; against the hash of the head when it is known."""
    walk = _Walk()
    for record in found:
        reason = walk.step(record)
        if reason:
            return Verdict(ok=False, first_bad_seq=walk.seq + 1, reason=reason, entries=walk.seq)
        walk.seq += 1
    if head_hash is not None and walk.hash != head_hash:
        reason = "the tape's head is not its last entry"
        return Verdict(ok=False, first_bad_seq=walk.seq + 1, reason=reason, entries=walk.seq)
    for seq in walk.emptied:
        if not any(first <= seq <= last for first, last in walk.erasures):
            reason = "the words were taken away without an erasure"
            return Verdict(ok=False, first_bad_seq=seq, reason=reason, entries=walk.seq)
    erased = tuple(walk.erasures)
    return Verdict(ok=True, first_bad_seq=None, reason="", entries=walk.seq, erased=erased)


class _Walk:
    """What the next entry is held against."""

    def __init__(self) -> None:
        self.seq = 0
        self.hash = chain.GENESIS
        self.emptied: list[int] = []
        self.erasures: list[tuple[int, int]] = []

    def step(self, record: Record) -> str:
        """Return why this is not the next entry, or nothing."""
        entry = record.entry
        if entry.seq != self.seq + 1:
            return "the entry is missing"
        if record.salt is None:
            self.emptied.append(entry.seq)
        elif records.digest(record) != entry.digest:
            return "the words of the entry were changed"
        self.hash = records.hash_after(self.hash, entry)
        if self.hash != entry.hash:
            return "a column of the entry was changed"
        self._event(entry)
        return ""

    def _event(self, entry: Entry) -> None:
        if entry.kind != EVENT or entry.actor == IMPORT:
            return
        data = entry.payload.get("data")
        if entry.payload.get("name") == "erased" and isinstance(data, dict):
            self.erasures.append((data["first"], data["last"]))
