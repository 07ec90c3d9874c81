"""What an erasure takes away and leaves, whichever store it is done in; and what a check of a tape keeps of erasures."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tapes import entries, erased_form, exact_text
from tapes.errors import InvalidEntry
from tapes.records import Record

NOT_AS_ERASED = "the entry is not what an erasure leaves"
UNEXPLAINED = "the words were taken away without an erasure"


@dataclass(slots=True)
class Erased:
    """What an erasure took away."""

    tape_id: int
    first: int
    last: int
    entries: int = 0
    """Entries that lost their words; 0 when they had lost them before, or had none."""
    events: list[int] = field(default_factory=list)
    """Seqs of the events that say so."""
    spilled: int = 0
    """Spilled texts that nothing names any more, deleted."""


def check_reason(why: str) -> None:
    """Raises `InvalidEntry` where nothing is said."""
    if not exact_text.check_plain(why).strip():
        raise InvalidEntry("an erasure says why")


def has_words(record: Record) -> bool:
    """Whether a record has words to lose. Events `erased` stay whole: `verify` rests on them."""
    entry = record.entry
    own = entry.kind == entries.EVENT and entry.payload.get("name") == entries.ERASED
    if record.salt is None or (own and entry.actor != entries.IMPORT):
        return False
    return erased_form.has_words(_row(record), entry.meta, entry.why)


def without_words(record: Record) -> Record:
    """What is left of a record: digest and hash, and its payload's form."""
    text = erased_form.text(_row(record))
    entry = replace(record.entry, payload=json.loads(text), meta={}, why="")
    return Record(entry, text, exact_text.of({}), None)


def spilled(record: Record) -> Iterator[str]:
    """Digests of the texts that the results of an entry were too long for."""
    results: Any = record.entry.payload.get("results")
    for result in results if isinstance(results, list) else ():
        spill = result.get("spill") if isinstance(result, dict) else None
        if isinstance(spill, dict) and isinstance(spill.get("id"), str):
            yield spill["id"]


def _row(record: Record) -> erased_form.Row:
    return erased_form.Row(record.entry.kind, record.entry.payload, record.entry.digest)


class Erasures:
    """Grows with the number of ranges, not with that of entries."""

    def __init__(self) -> None:
        self.ranges: list[tuple[int, int]] = []
        """Every range that an event of the tape's own names, in the order of events."""
        self._emptied: list[list[int]] = []

    def emptied(self, seq: int) -> None:
        """Note an entry without its salt, in the order of seqs."""
        if self._emptied and self._emptied[-1][1] == seq - 1:
            self._emptied[-1][1] = seq
        else:
            self._emptied.append([seq, seq])

    def said(self, payload: Mapping[str, Any]) -> None:
        """Note the range of an event `erased` that still has its words."""
        data = payload.get("data")
        if payload.get("name") == entries.ERASED and isinstance(data, dict):
            self.ranges.append((data["first"], data["last"]))

    def unexplained(self) -> int | None:
        """The first entry that lost its words without any event saying so."""
        told = iter(sorted(self.ranges))
        last_told, following = 0, next(told, None)
        for first, last in self._emptied:
            bad = first
            while bad <= last:
                while following is not None and following[0] <= bad:
                    last_told = max(last_told, following[1])
                    following = next(told, None)
                if last_told < bad:
                    return bad
                bad = last_told + 1
        return None


def is_form(kind: str, texts: tuple[str, str, str], digest: bytes) -> bool:
    """Whether payload, meta and why of an entry without its salt are what an erasure leaves."""
    payload_text, meta_text, why = texts
    if meta_text != "{}" or why:
        return False
    payload = json.loads(payload_text)
    return payload_text == exact_text.of(erased_form.of(erased_form.Row(kind, payload, digest)))
