"""The chain of hashes: what an entry's digest and hash are made of, and what a check of it says."""

from __future__ import annotations

import datetime
import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

GENESIS = bytes(32)
"""What the first entry's hash goes on from."""

_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
_OPTIONAL = ("fork_id", "topic_id", "turn_id", "step", "part")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What `verify` found."""

    ok: bool
    first_bad_seq: int | None
    reason: str
    """Empty when all is well."""
    entries: int
    """Entries checked."""
    erased: tuple[tuple[int, int], ...] = ()
    """Ranges whose words were taken away by an erasure that the tape itself records."""

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


def digest_of(salt: bytes, payload: str, meta: str, why: str) -> bytes:
    """The salted digest of what erasure may take away; the database computes the same."""
    sizes = len(payload.encode()), len(meta.encode())
    return hashlib.sha256(salt + f"{sizes[0]}:{payload}{sizes[1]}:{meta}{why}".encode()).digest()


def hash_of(before: bytes, row: Mapping[str, Any]) -> bytes:
    """The hash of an entry over everything that stays, and the entry before it."""
    micros = (row["date"] - _EPOCH) // datetime.timedelta(microseconds=1)
    sources = "{" + ",".join(map(str, row["sources"])) + "}"
    optional = ["" if row[name] is None else row[name] for name in _OPTIONAL]
    columns = [row["tape_id"], row["seq"], row["kind"], *optional, sources, micros, row["actor"]]
    text = "|".join(map(str, columns))
    return hashlib.sha256(before + bytes(row["digest"]) + text.encode()).digest()
