"""Views: values that say which entries of a tape to read, and the reading."""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Any, Self

from django.db.models import Q

from tapes import models, scopes
from tapes.entries import Entry
from tapes.errors import InvalidView, MissingAnchor

if TYPE_CHECKING:
    from django.db.models import QuerySet

__all__ = [
    "AnchorPlace",
    "InvalidView",
    "MissingAnchor",
    "View",
    "anchors",
    "entries_after",
    "read",
]


@dataclass(frozen=True, slots=True)
class View:
    """Which entries of a tape to read.

    Forks that are not merged are skipped, but by `fork` (its own), `turn` (its own) and `of_turns`
    (open ones).
    """

    scope: scopes.Scope
    kinds: tuple[str, ...] = ()
    """All kinds when empty."""
    at_most: int | None = None

    @classmethod
    def last_anchor(cls) -> Self:
        """The default: entries after the newest anchor that moves the window (T8, T9)."""
        return cls(scopes.LastAnchor())

    @classmethod
    def after(cls, name: str) -> Self:
        """Entries after the latest anchor of a name."""
        return cls(scopes.After(name))

    @classmethod
    def between(cls, start: str, end: str) -> Self:
        """Entries between the latest anchor `start` and the first `end` after it."""
        return cls(scopes.Between(start, end))

    @classmethod
    def seqs(cls, first: int | None = None, last: int | None = None) -> Self:
        """Entries `first` to `last`, both included. Raises `InvalidView` when reversed."""
        if first is not None and last is not None and first > last:
            raise InvalidView(f"seq {first} comes after {last}")
        return cls(scopes.Seqs(first, last))

    @classmethod
    def dates(
        cls, since: datetime.datetime | None = None, until: datetime.datetime | None = None
    ) -> Self:
        """Entries dated `since` to `until`, both included. Raises `InvalidView` when reversed."""
        if since is not None and until is not None and since > until:
            raise InvalidView(f"{since} comes after {until}")
        return cls(scopes.Dates(since, until))

    @classmethod
    def turn(cls, *, fork_id: int, base_seq: int, turn_ids: Iterable[int]) -> Self:
        """What a running turn sees; `turn_ids` are its own and those it has taken up."""
        return cls(scopes.OwnTurn(fork_id, base_seq, tuple(turn_ids)))

    @classmethod
    def of_turns(cls, turn_ids: Iterable[int]) -> Self:
        """Everything these turns wrote, also on forks still open."""
        return cls(scopes.OfTurns(tuple(turn_ids)))

    @classmethod
    def fork(cls, fork_id: int) -> Self:
        """The entries of one fork: open, merged or discarded."""
        return cls(scopes.OfFork(fork_id))

    def only(self, *kinds: str) -> Self:
        """Keep entries of these kinds."""
        return replace(self, kinds=kinds)

    def limit(self, count: int) -> Self:
        """Keep the first `count` entries. Raises `InvalidView` below zero."""
        if count < 0:
            raise InvalidView("a limit is not below zero")
        return replace(self, at_most=count)


@dataclass(frozen=True, slots=True)
class AnchorPlace:
    """An anchor and where it stands."""

    seq: int
    name: str
    state: dict[str, Any] | None
    moves_window: bool


def read(tape_id: int, view: View) -> list[Entry]:
    """Return the entries of a view, in its order. Raises `MissingAnchor`."""
    found: list[Entry] = []
    for rows in view.scope.rows(tape_id):
        wanted = rows.filter(kind__in=view.kinds) if view.kinds else rows
        if view.at_most is not None:
            wanted = wanted[: view.at_most - len(found)]
        found += entries(wanted)
    return found


def at(places: Iterable[tuple[int, int]]) -> list[Entry]:
    """Return the entries at these (tape id, seq), in one query and in no order; absent ones are left out."""
    seqs: dict[int, list[int]] = {}
    for tape_id, seq in places:
        seqs.setdefault(tape_id, []).append(seq)
    if not seqs:
        return []
    wanted = [Q(tape_id=tape_id, seq__in=of_tape) for tape_id, of_tape in seqs.items()]
    return entries(models.Entry.objects.filter(reduce(or_, wanted)))


def anchors(tape_id: int) -> list[AnchorPlace]:
    """Return the anchors of a tape in order, without those of forks that are not merged."""
    rows = models.Anchor.objects.filter(tape_id=tape_id).order_by("seq")
    hidden = models.Fork.objects.filter(tape_id=tape_id).exclude(state=models.Fork.MERGED)
    shown = rows.exclude(fork__in=hidden.values("id"))
    return [AnchorPlace(row.seq, row.name, row.state, row.moves_window) for row in shown]


def entries_after(
    tape_id: int, seq: int, *, topic_ids: Sequence[int] | None = None, limit: int = 500
) -> list[Entry]:
    """Return what a live reader has not seen yet: open forks included, discarded ones not.

    A tape's head moves by commits in the order of seqs, so a reader that goes on from the last seq
    it saw misses nothing. `topic_ids` None means every topic and what belongs to none.
    """
    return entries(scopes.followed(tape_id, first=seq + 1, topic_ids=topic_ids)[:limit])


_COLUMNS = (
    "tape_id",
    "seq",
    "kind",
    "payload_text",
    "meta_text",
    "date",
    "digest",
    "hash",
    "fork_id",
    "topic_id",
    "turn_id",
    "step",
    "part",
    "actor",
    "why",
    "sources",
)


def entries(rows: QuerySet[models.Entry]) -> list[Entry]:
    """Return rows as values; the exact text is what is read, never its jsonb copy."""
    return [_entry(dict(zip(_COLUMNS, row, strict=True))) for row in rows.values_list(*_COLUMNS)]


def _entry(row: dict[str, Any]) -> Entry:
    return Entry(
        payload=json.loads(row.pop("payload_text")),
        meta=json.loads(row.pop("meta_text")),
        digest=bytes(row.pop("digest")),
        hash=bytes(row.pop("hash")),
        sources=tuple(row.pop("sources")),
        **row,
    )
