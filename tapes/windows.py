"""Views as plain values, and what they cover of a tape that is read without a database.

`tapes.scopes` says the same in SQL; one suite of tests holds both to it. A row of a fork that is
not merged is hidden, but from the scopes made for it: the fork's own, its turn's, and those who
watch or resume turns.
"""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import TYPE_CHECKING, Protocol, Self

from tapes import messages
from tapes.entries import EVENT
from tapes.errors import InvalidView, MissingAnchor
from tapes.source import DISCARDED, MERGED

if TYPE_CHECKING:
    from tapes.entries import Entry
    from tapes.source import AnchorPlace, Source

_PAGE = 2_000


class Scope(Protocol):
    """Covers entries of a tape, before kinds and limit."""

    def entries(self, tape: Source) -> Iterator[Entry]:
        """Yield them in order. Raises `MissingAnchor`."""


@dataclass(frozen=True, slots=True)
class LastAnchor:
    """After the newest anchor that moves the window, which is shown itself if T10 shows it."""

    def entries(self, tape: Source) -> Iterator[Entry]:
        """Raise `MissingAnchor` on a tape that has none."""
        moving = [place for place in merged_anchors(tape) if place.moves_window]
        if not moving:
            raise MissingAnchor("no anchor of this tape moves the window")
        return visible(tape, opening(moving[-1]))


@dataclass(frozen=True, slots=True)
class After:
    """After the latest anchor of a name."""

    name: str

    def entries(self, tape: Source) -> Iterator[Entry]:
        """Raise `MissingAnchor` when no anchor has the name."""
        return visible(tape, _latest(tape, self.name).seq + 1)


@dataclass(frozen=True, slots=True)
class Between:
    """Between the latest anchor of one name and the first of another after it, both excluded."""

    start: str
    end: str

    def entries(self, tape: Source) -> Iterator[Entry]:
        """Raise `MissingAnchor` when either is missing."""
        start = _latest(tape, self.start).seq
        for place in merged_anchors(tape):
            if place.name == self.end and place.seq > start:
                return visible(tape, start + 1, place.seq - 1)
        raise MissingAnchor(f"no anchor {self.end!r} follows {self.start!r}")


@dataclass(frozen=True, slots=True)
class Seqs:
    """A range of seqs, both ends included, either side open."""

    first: int | None
    last: int | None

    def entries(self, tape: Source) -> Iterator[Entry]:
        """The range itself."""
        return visible(tape, self.first or 1, self.last)


@dataclass(frozen=True, slots=True)
class Dates:
    """A range of times, both ends included, either side open."""

    since: datetime.datetime | None
    until: datetime.datetime | None

    def entries(self, tape: Source) -> Iterator[Entry]:
        """In the order of seqs: the dates of an imported tape need not grow."""
        for entry in visible(tape):
            early = self.since is not None and entry.date < self.since
            late = self.until is not None and entry.date > self.until
            if not early and not late:
                yield entry


@dataclass(frozen=True, slots=True)
class OwnTurn:
    """What a running turn sees: the tape as it stood when its fork opened, then all of its own.

    A question asked while an earlier turn ran stands above that turn's answer on the tape; here it
    comes after it, as the person meant it. Entries of later turns are not seen: ids of turns grow.
    An anchor the turn itself set on its fork moves its window too. `after` is the seq of the anchor
    its question named to start after, whatever moved the window since.
    """

    fork_id: int
    base_seq: int
    turn_ids: tuple[int, ...]
    after: int | None = None

    def entries(self, tape: Source) -> Iterator[Entry]:
        """Raise `MissingAnchor` when no anchor stood before the fork, or not the one named."""
        places = list(reversed(tape.anchors()))
        for place in places:
            if place.moves_window and place.fork_id == self.fork_id:
                return self._own(tape, opening(place))
        seen = self._seen(tape)
        for place in places:
            wanted = place.moves_window if self.after is None else place.seq == self.after
            known = place.fork_id is None or place.fork_id in seen
            if wanted and known and place.seq <= self.base_seq:
                return chain(self._before(tape, opening(place), seen), self._own(tape, 1))
        raise MissingAnchor("no anchor before this turn opens its window")

    def _own(self, tape: Source, first: int) -> Iterator[Entry]:
        for entry in tape.stretch(first, None):
            if entry.turn_id in self.turn_ids and entry.fork_id in {None, self.fork_id}:
                yield entry

    def _seen(self, tape: Source) -> set[int]:
        """Forks that were merged when this turn's opened."""
        return {
            fork.id
            for fork in tape.forks().values()
            if fork.state == MERGED and (fork.closed_seq or 0) <= self.base_seq
        }

    def _before(self, tape: Source, first: int, seen: set[int]) -> Iterator[Entry]:
        for entry in tape.stretch(first, self.base_seq):
            earlier = entry.turn_id is None or entry.turn_id < min(self.turn_ids)
            if earlier and (entry.fork_id is None or entry.fork_id in seen):
                yield entry


@dataclass(frozen=True, slots=True)
class OfTurns:
    """Everything given turns wrote, open forks included, discarded ones not."""

    turn_ids: tuple[int, ...]

    def entries(self, tape: Source) -> Iterator[Entry]:
        """For resuming and for people who watch."""
        forks = tape.forks()
        for entry in tape.stretch(1, None):
            discarded = entry.fork_id and forks[entry.fork_id].state == DISCARDED
            if entry.turn_id in self.turn_ids and not discarded:
                yield entry


@dataclass(frozen=True, slots=True)
class OfFork:
    """The entries of one fork, whatever became of it."""

    fork_id: int

    def entries(self, tape: Source) -> Iterator[Entry]:
        """For inspection."""
        fork = tape.forks().get(self.fork_id)
        rows = tape.stretch(fork.base_seq + 1 if fork else 1, None)
        return (entry for entry in rows if entry.fork_id == self.fork_id)


@dataclass(frozen=True, slots=True)
class View:
    """Which entries of a tape to read.

    Forks that are not merged are skipped, but by `fork` (its own), `turn` (its own) and `of_turns`
    (open ones).
    """

    scope: Scope
    kinds: tuple[str, ...] = ()
    """All kinds when empty."""
    at_most: int | None = None

    @classmethod
    def last_anchor(cls) -> Self:
        """The default: entries after the newest anchor that moves the window (T8, T9)."""
        return cls(LastAnchor())

    @classmethod
    def after(cls, name: str) -> Self:
        """Entries after the latest anchor of a name."""
        return cls(After(name))

    @classmethod
    def between(cls, start: str, end: str) -> Self:
        """Entries between the latest anchor `start` and the first `end` after it."""
        return cls(Between(start, end))

    @classmethod
    def seqs(cls, first: int | None = None, last: int | None = None) -> Self:
        """Entries `first` to `last`, both included. Raises `InvalidView` when reversed."""
        if first is not None and last is not None and first > last:
            raise InvalidView(f"seq {first} comes after {last}")
        return cls(Seqs(first, last))

    @classmethod
    def dates(
        cls, since: datetime.datetime | None = None, until: datetime.datetime | None = None
    ) -> Self:
        """Entries dated `since` to `until`, both included. Raises `InvalidView` when reversed."""
        if since is not None and until is not None and since > until:
            raise InvalidView(f"{since} comes after {until}")
        return cls(Dates(since, until))

    @classmethod
    def turn(
        cls, *, fork_id: int, base_seq: int, turn_ids: Iterable[int], after: int | None = None
    ) -> Self:
        """What a running turn sees; `turn_ids` are its own and those it has taken up.

        `after` is the seq of the anchor it was asked from, if one was named (T8).
        """
        return cls(OwnTurn(fork_id, base_seq, tuple(turn_ids), after))

    @classmethod
    def of_turns(cls, turn_ids: Iterable[int]) -> Self:
        """Everything these turns wrote, also on forks still open."""
        return cls(OfTurns(tuple(turn_ids)))

    @classmethod
    def fork(cls, fork_id: int) -> Self:
        """The entries of one fork: open, merged or discarded."""
        return cls(OfFork(fork_id))

    def only(self, *kinds: str) -> Self:
        """Keep entries of these kinds."""
        return replace(self, kinds=kinds)

    def limit(self, count: int) -> Self:
        """Keep the first `count` entries. Raises `InvalidView` below zero."""
        if count < 0:
            raise InvalidView("a limit is not below zero")
        return replace(self, at_most=count)

    def entries(self, tape: Source) -> Iterator[Entry]:
        """Yield the entries of a tape that is read without a database. Raises `MissingAnchor`."""
        found = self.scope.entries(tape)
        wanted = (entry for entry in found if not self.kinds or entry.kind in self.kinds)
        return islice(wanted, self.at_most)


def visible(tape: Source, first: int = 1, last: int | None = None) -> Iterator[Entry]:
    """Yield the entries of a range that a default view shows."""
    return visible_at(tape, tape.stretch(first, last))


def backwards(tape: Source, first: int, last: int) -> Iterator[Entry]:
    """Yield what `visible` does, the newest first and a page in memory at a time."""
    for end in range(last, first - 1, -_PAGE):
        yield from reversed(list(visible(tape, max(first, end - _PAGE + 1), end)))


def visible_at(tape: Source, found: Iterable[Entry]) -> Iterator[Entry]:
    """Yield those of some entries that a default view shows."""
    shown = {None} | {fork.id for fork in tape.forks().values() if fork.state == MERGED}
    return (entry for entry in found if entry.fork_id in shown)


def merged_anchors(tape: Source) -> list[AnchorPlace]:
    """Return the anchors in order, without those of forks that are not merged."""
    forks = tape.forks()
    places = tape.anchors()
    return [one for one in places if not one.fork_id or forks[one.fork_id].state == MERGED]


def opening(anchor: AnchorPlace) -> int:
    """The first seq of the window an anchor opens."""
    return anchor.seq if messages.shows_anchor(anchor.name) else anchor.seq + 1


def _latest(tape: Source, name: str) -> AnchorPlace:
    for place in reversed(merged_anchors(tape)):
        if place.name == name:
            return place
    raise MissingAnchor(f"this tape has no anchor {name!r}")


def latest_event(tape: Source, name: str) -> Entry | None:
    """Return the newest event of a name that a default view shows, or None."""
    latest = None
    for entry in visible(tape):
        if entry.kind == EVENT and entry.payload["name"] == name:
            latest = entry
    return latest


def counts(tape: Source) -> dict[str, int]:
    """Return how many entries of each kind a default view of all the tape shows."""
    return dict(Counter(entry.kind for entry in visible(tape)))
