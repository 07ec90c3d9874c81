"""An entry with everything that proves it, as one line of a file: what folder and archive keep.

The line is bub's own with more keys beside its five, so that bub reads these files too.
"""

from __future__ import annotations

import datetime
import json
from dataclasses import dataclass
from typing import Any, NamedTuple

from tapes import chain, exact_text
from tapes.entries import Entry

_BESIDE = (
    *("fork_id", "topic_id", "turn_id", "step", "part"),
    *("actor", "why"),
)


@dataclass(frozen=True, slots=True)
class Record:
    """An entry, its exact texts, and the salt of its digest, which an erasure takes away."""

    entry: Entry
    payload_text: str
    meta_text: str
    salt: bytes | None


def digest(record: Record) -> bytes:
    """The digest the record's words have; only for one with its salt."""
    salt = record.salt or b""
    return chain.digest_of(salt, record.payload_text, record.meta_text, record.entry.why)


def hash_after(before: bytes, entry: Entry) -> bytes:
    """The hash an entry has after the one before it."""
    columns = {name: getattr(entry, name) for name in Entry.__slots__}
    return chain.hash_of(before, columns)


class Parsed(NamedTuple):
    """A line of a file of records."""

    record: Record
    batch: int
    """Lines that were written in the same append."""
    following: int
    """Those of them that come after this one."""


def write(record: Record, *, batch: int = 1, following: int = 0) -> bytes:
    """Return the line; of `batch` lines written in one append, `following` come after it."""
    entry = record.entry
    beside: dict[str, Any] = {
        "date": entry.date.isoformat(),
        **{name: getattr(entry, name) for name in _BESIDE},
        "sources": list(entry.sources),
        "salt": record.salt and record.salt.hex(),
        "digest": entry.digest.hex(),
        "hash": entry.hash.hex(),
    }
    # A text this program would write otherwise is kept beside what it says.
    texts = {"payload_text": record.payload_text, "meta_text": record.meta_text}
    beside |= {k: text for k, text in texts.items() if exact_text.of(json.loads(text)) != text}
    if batch > 1:
        beside |= {"batch": batch, "following": following}
    start = f'{{"id": {entry.seq}, "kind": {json.dumps(entry.kind)}, '
    words = f'"payload": {record.payload_text}, "meta": {record.meta_text}, '
    return f"{start}{words}{json.dumps(beside, ensure_ascii=False)[1:]}\n".encode()


def parse(line: bytes, tape_id: int) -> Parsed:
    """Read a line. Raises ValueError, KeyError or TypeError when it is none of ours."""
    found = json.loads(line)
    entry = Entry(
        tape_id=tape_id,
        seq=found["id"],
        kind=found["kind"],
        payload=found["payload"],
        meta=found["meta"],
        date=datetime.datetime.fromisoformat(found["date"]),
        digest=bytes.fromhex(found["digest"]),
        hash=bytes.fromhex(found["hash"]),
        sources=tuple(found["sources"]),
        **{name: found[name] for name in _BESIDE},
    )
    payload_text = found.get("payload_text") or exact_text.of(entry.payload)
    meta_text = found.get("meta_text") or exact_text.of(entry.meta)
    salt = found["salt"] and bytes.fromhex(found["salt"])
    record = Record(entry, payload_text, meta_text, salt)
    return Parsed(record, found.get("batch", 1), found.get("following", 0))
