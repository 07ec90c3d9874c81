"""What a check of a tape keeps of erasures: whose words are gone, and which ranges the tape says."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from tapes import entries, erased_form, exact_text

NOT_AS_ERASED = "the entry is not what an erasure leaves"
UNEXPLAINED = "the words were taken away without an erasure"


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
