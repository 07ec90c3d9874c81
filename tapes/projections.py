"""Rows that follow from events: kept by others, in the transaction of the append that brings the event."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from tapes.entries import EVENT, Entry, NewEntry

Projection = Callable[[Sequence[Entry]], None]
_registered: dict[str, Projection] = {}


def register(names: Iterable[str], projection: Projection) -> None:
    """Have these events handed to `projection` as they are appended; what it raises undoes the append.

    It runs under the tape's lock and must be short. Imports of files are not handed on.
    """
    _registered.update(dict.fromkeys(names, projection))


def wanted(new: Iterable[NewEntry]) -> bool:
    """Whether any of these entries is one that somebody registered for."""
    return any(entry.kind == EVENT and entry.payload["name"] in _registered for entry in new)


def project(recorded: Sequence[Entry]) -> None:
    """Hand the registered events on, all of a projection at once, in order."""
    handed: dict[Projection, list[Entry]] = {}
    for entry in recorded:
        if entry.kind == EVENT and entry.payload["name"] in _registered:
            handed.setdefault(_registered[entry.payload["name"]], []).append(entry)
    for projection, found in handed.items():
        projection(found)
