"""Turns new entries into records that go on from a strip's head, as the database function does."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tapes import exact_text, records
from tapes.entries import Entry
from tapes.errors import InvalidEntry
from tapes.records import Record

if TYPE_CHECKING:
    import datetime

    from tapes.entries import NewEntry
    from tapes.stores.strips import Strip

_SALT_BYTES = 16
_MAX_ACTOR, _MAX_WHY = 300, 10_000
"""As in the database, so that a folder's tape can always move there."""


def check(entry: NewEntry) -> None:
    """Refuse what the database would refuse. Raises `InvalidEntry`."""
    exact_text.check(entry)
    if not 1 <= len(entry.actor) <= _MAX_ACTOR or len(entry.why) > _MAX_WHY:
        raise InvalidEntry("the actor or the reason is empty or too long")


def batch(
    strip: Strip,
    new: Sequence[NewEntry],
    *,
    dates: Sequence[datetime.datetime],
    fork_id: int | None = None,
) -> list[Record]:
    """Number entries on from the head, with their salts, digests and hashes."""
    found: list[Record] = []
    before = strip.hash
    for place, (entry, date) in enumerate(zip(new, dates, strict=True), 1):
        record = _record(entry, (strip.tape_id, strip.head + place), date, fork_id)
        digested = replace(record.entry, digest=records.digest(record))
        before = records.hash_after(before, digested)
        found.append(replace(record, entry=replace(digested, hash=before)))
    return found


def _record(
    entry: NewEntry, place: tuple[int, int], date: datetime.datetime, fork_id: int | None
) -> Record:
    payload, meta = exact_text.of(entry.payload), exact_text.of(entry.meta)
    recorded = Entry(
        tape_id=place[0],
        seq=place[1],
        kind=entry.kind,
        payload=json.loads(payload),
        meta=json.loads(meta),
        date=date,
        digest=b"",
        hash=b"",
        fork_id=fork_id,
        topic_id=entry.topic_id,
        turn_id=entry.turn_id,
        step=entry.step,
        part=entry.part,
        actor=entry.actor,
        why=entry.why,
        sources=tuple(sorted(set(entry.sources))),
    )
    return Record(recorded, payload, meta, os.urandom(_SALT_BYTES))
