"""Checks a tape that is kept in files: every hash, from the first entry to the head (T5)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from tapes import chain, erasures, records
from tapes.chain import Verdict
from tapes.entries import EVENT, IMPORT

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
    bad = walk.erasures.unexplained()
    if bad is not None:
        reason = erasures.UNEXPLAINED
        return Verdict(ok=False, first_bad_seq=bad, reason=reason, entries=walk.seq)
    erased = tuple(walk.erasures.ranges)
    return Verdict(ok=True, first_bad_seq=None, reason="", entries=walk.seq, erased=erased)


class _Walk:
    """What the next entry is held against."""

    def __init__(self) -> None:
        self.seq = 0
        self.hash = chain.GENESIS
        self.erasures = erasures.Erasures()

    def step(self, record: Record) -> str:
        """Return why this is not the next entry, or nothing."""
        entry = record.entry
        if entry.seq != self.seq + 1:
            return "the entry is missing"
        if record.salt is None:
            self.erasures.emptied(entry.seq)
            texts = record.payload_text, record.meta_text, entry.why
            if not erasures.is_form(entry.kind, texts, entry.digest):
                return erasures.NOT_AS_ERASED
        elif records.digest(record) != entry.digest:
            return "the words of the entry were changed"
        self.hash = records.hash_after(self.hash, entry)
        if self.hash != entry.hash:
            return "a column of the entry was changed"
        if entry.kind == EVENT and entry.actor != IMPORT and record.salt is not None:
            self.erasures.said(entry.payload)
        return ""
