"""The tape as a plain list in memory: what any store must agree with, written from the rules alone."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tapes import errors
from tapes.entries import NewEntry

if TYPE_CHECKING:
    import datetime
    from collections.abc import Iterable, Sequence

    from tapes.entries import Entry
    from tapes.forks import ForkHandle

STAYING = ("recall_anchor", "topic_finalized", "mark/lesson")
SHOWN = ("recall_anchor", "brain_overload", "mark/lesson")


@dataclass
class Fork:
    """What became of a fork."""

    base: int
    token: int = 1
    state: str = "open"
    closed: int = 0


@dataclass
class Row:
    """An entry as the model holds it."""

    seq: int
    new: NewEntry
    fork: int | None
    date: datetime.datetime | None = None

    @property
    def name(self) -> str:
        """Of an anchor or event."""
        return str(self.new.payload["name"])

    def moves(self) -> bool:
        """Whether it is an anchor that moves the window (T9)."""
        return self.new.kind == "anchor" and self.name not in STAYING


@dataclass
class Tape:
    """One tape."""

    name: str
    rows: list[Row] = field(default_factory=list)
    forks: dict[int, Fork] = field(default_factory=dict)
    closed: bool = False

    def refusal(
        self, new: Sequence[NewEntry], expected: int | None, fork: ForkHandle | None
    ) -> type[errors.TapeError] | None:
        """Why an append is refused, in the order a store looks."""
        if self.closed:
            return errors.TapeArchived
        if expected not in {None, len(self.rows)}:
            return errors.WrongHead
        if fork is not None and self.forks[fork.id].token != fork.token:
            return errors.StaleFork
        if fork is not None and self.forks[fork.id].state != "open":
            return errors.ForkClosed
        steps = [(one.turn_id, one.step, one.part) for one in new if one.step is not None]
        known = {(row.new.turn_id, row.new.step, row.new.part) for row in self.rows}
        if len(set(steps)) < len(steps) or known & set(steps):
            return errors.StepRecorded
        return None

    def add(self, new: Iterable[NewEntry], fork: int | None = None) -> None:
        """Take entries that the store took."""
        self.rows += [Row(seq, one, fork) for seq, one in enumerate(new, start=len(self.rows) + 1)]

    def refusal_to_close(self, fork: ForkHandle, state: str) -> type[errors.TapeError] | str | None:
        """Why a fork is not closed; "again" when it was closed so before."""
        known = self.forks[fork.id]
        if known.token != fork.token:
            return errors.StaleFork
        if known.state == state:
            return "again"
        if known.state != "open":
            return errors.ForkClosed
        return errors.TapeArchived if self.closed else None

    def close_fork(self, fork: int, state: str) -> None:
        """Merge or discard."""
        data = {"fork": fork}
        self.add([NewEntry(kind="event", payload={"name": f"fork_{state}", "data": data})])
        self.forks[fork].state, self.forks[fork].closed = state, len(self.rows)

    def visible(self, row: Row) -> bool:
        """Whether a default view shows it."""
        return row.fork is None or self.forks[row.fork].state == "merged"

    def anchors(self) -> list[Row]:
        """Those that a default view shows."""
        return [row for row in self.rows if row.new.kind == "anchor" and self.visible(row)]

    def window(self) -> list[Row]:
        """The default view (T8)."""
        newest = [row for row in self.anchors() if row.moves()][-1]
        first = newest.seq if newest.name in SHOWN else newest.seq + 1
        return self.range(first, len(self.rows))

    def after(self, name: str) -> list[Row] | None:
        """After the latest anchor of a name."""
        found = [row.seq for row in self.anchors() if row.name == name]
        return self.range(found[-1] + 1, len(self.rows)) if found else None

    def between(self, start: str, end: str) -> list[Row] | None:
        """Between the latest start and the first end after it."""
        starts = [row.seq for row in self.anchors() if row.name == start]
        ends = [
            row.seq for row in self.anchors() if row.name == end and starts and row.seq > starts[-1]
        ]
        return self.range(starts[-1] + 1, ends[0] - 1) if ends else None

    def range(self, first: int, last: int) -> list[Row]:
        """What a default view shows from a seq to another."""
        return [row for row in self.rows if first <= row.seq <= last and self.visible(row)]

    def of_turns(self, turns: Sequence[int]) -> list[Row]:
        """What turns wrote, but for discarded forks."""
        return [
            row
            for row in self.rows
            if row.new.turn_id in turns
            and (row.fork is None or self.forks[row.fork].state != "discarded")
        ]

    def own_turn(self, fork: int, turn: int) -> list[Row] | None:
        """The tape as it stood when the fork opened, and all that the turn wrote (T11)."""
        base = self.forks[fork].base
        own = [row for row in self.rows if row.new.turn_id == turn and row.fork in {None, fork}]
        set_here = [row for row in self.rows if row.moves() and row.fork == fork]
        if set_here:
            first = set_here[-1].seq + (set_here[-1].name not in SHOWN)
            return [row for row in own if row.seq >= first]
        then = [
            row
            for row in self.rows
            if row.seq <= base
            and (
                row.fork is None
                or (self.forks[row.fork].state == "merged" and self.forks[row.fork].closed <= base)
            )
        ]
        moving = [row for row in then if row.moves()]
        if not moving:
            return None
        first = moving[-1].seq + (moving[-1].name not in SHOWN)
        earlier = [row for row in then if row.new.turn_id is None or row.new.turn_id < turn]
        return [row for row in earlier if row.seq >= first] + own


def same(found: Sequence[Entry], rows: Sequence[Row]) -> bool:
    """Whether a store's entries are the model's, column by column."""
    return [_told(entry) for entry in found] == [
        _columns(row.seq, row.fork, row.new) for row in rows
    ]


def _told(entry: Entry) -> dict[str, Any]:
    return _columns(entry.seq, entry.fork_id, entry)


def _columns(seq: int, fork: int | None, entry: Entry | NewEntry) -> dict[str, Any]:
    names = ("kind", "payload", "meta", "topic_id", "turn_id", "step", "part", "actor", "why")
    columns = {name: getattr(entry, name) for name in names}
    return columns | {"seq": seq, "fork": fork, "sources": tuple(sorted(set(entry.sources)))}
