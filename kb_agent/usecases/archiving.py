"""What those who run the server do about finished tapes: archive them, let partitions leave."""

from __future__ import annotations

from tapes import store
from tapes.stores import archiving as stores
from topics import archiving
from topics.archiving import Copied, archive_due

__all__ = ["Copied", "archive", "archive_due", "leave"]


def archive(name: str, *, close: bool = False, why: str = "") -> Copied:
    """Copy the closed tape of that name; `close` ends one that is in use before, for good.

    Raises `tapes.errors.TapeInUse` when it is in use, or has an open topic.
    """
    return archiving.archive(store.by_name(name), close=close, why=why)


def leave() -> list[str]:
    """Drop the partitions whose tapes are all archived and verified; return their tables' names."""
    return [partition.table for partition in stores.leave()]
