"""Which entries a view covers, before kinds and limit: each scope names its rows in order.

A row of a fork that is not merged is hidden, but from the scopes made for it: the fork's own, its
turn's, and those who watch or resume turns.
"""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from django.db.models import Q, QuerySet

from tapes import messages
from tapes.errors import MissingAnchor
from tapes.models import Anchor, Entry, Fork


class Scope(Protocol):
    """Covers entries of a tape."""

    def rows(self, tape_id: int) -> list[QuerySet[Entry]]:
        """Return queries whose rows, one query after the other, are the entries in order."""


@dataclass(frozen=True, slots=True)
class LastAnchor:
    """After the newest anchor that moves the window, which is shown itself if T10 shows it."""

    def rows(self, tape_id: int) -> list[QuerySet[Entry]]:
        """Raise `MissingAnchor` on a tape that has none."""
        anchor = _merged_anchors(tape_id).filter(moves_window=True).order_by("-seq").first()
        if anchor is None:
            raise MissingAnchor("no anchor of this tape moves the window")
        return [visible(tape_id, first=_opening(anchor)).order_by("seq")]


@dataclass(frozen=True, slots=True)
class After:
    """After the latest anchor of a name."""

    name: str

    def rows(self, tape_id: int) -> list[QuerySet[Entry]]:
        """Raise `MissingAnchor` when no anchor has the name."""
        anchor = _latest(tape_id, self.name)
        return [visible(tape_id, first=anchor.seq + 1).order_by("seq")]


@dataclass(frozen=True, slots=True)
class Between:
    """Between the latest anchor of one name and the first of another after it, both excluded."""

    start: str
    end: str

    def rows(self, tape_id: int) -> list[QuerySet[Entry]]:
        """Raise `MissingAnchor` when either is missing."""
        start = _latest(tape_id, self.start)
        following = _merged_anchors(tape_id).filter(name=self.end, seq__gt=start.seq)
        end = following.order_by("seq").first()
        if end is None:
            raise MissingAnchor(f"no anchor {self.end!r} follows {self.start!r}")
        return [visible(tape_id, first=start.seq + 1).filter(seq__lt=end.seq).order_by("seq")]


@dataclass(frozen=True, slots=True)
class Seqs:
    """A range of seqs, both ends included."""

    first: int | None
    last: int | None

    def rows(self, tape_id: int) -> list[QuerySet[Entry]]:
        """Either side may be open."""
        rows = visible(tape_id, first=self.first or 1)
        return [(rows if self.last is None else rows.filter(seq__lte=self.last)).order_by("seq")]


@dataclass(frozen=True, slots=True)
class Dates:
    """A range of times, both ends included."""

    since: datetime.datetime | None
    until: datetime.datetime | None

    def rows(self, tape_id: int) -> list[QuerySet[Entry]]:
        """Either side may be open."""
        rows = visible(tape_id)
        rows = rows if self.since is None else rows.filter(date__gte=self.since)
        return [(rows if self.until is None else rows.filter(date__lte=self.until)).order_by("seq")]


@dataclass(frozen=True, slots=True)
class OwnTurn:
    """What a running turn sees: the tape as it stood when its fork opened, then all of its own.

    A question asked while an earlier turn ran stands above that turn's answer on the tape; here it
    comes after it, as the person meant it. Entries of later turns are not seen: ids of turns grow.
    An anchor the turn itself set on its fork moves its window too.
    """

    fork_id: int
    base_seq: int
    turn_ids: tuple[int, ...]

    def rows(self, tape_id: int) -> list[QuerySet[Entry]]:
        """Raise `MissingAnchor` when no anchor stood before the fork."""
        mine = Q(turn_id__in=self.turn_ids) & (Q(fork=None) | Q(fork=self.fork_id))
        own = Entry.objects.filter(mine, tape_id=tape_id).order_by("seq")
        moving = Anchor.objects.filter(tape_id=tape_id, moves_window=True).order_by("-seq")
        moved = moving.filter(fork=self.fork_id).first()
        if moved is not None:
            return [own.filter(seq__gte=_opening(moved))]
        anchor = moving.filter(
            Q(fork=None) | Q(fork__state=Fork.MERGED, fork__closed_seq__lte=self.base_seq),
            seq__lte=self.base_seq,
        ).first()
        if anchor is None:
            raise MissingAnchor("no anchor before this turn moves the window")
        return [self._before(tape_id, _opening(anchor)), own]

    def _before(self, tape_id: int, first: int) -> QuerySet[Entry]:
        """The window as it stood at the base, without this turn's and later turns' entries."""
        then_hidden = _closed_after(tape_id, first).exclude(
            state=Fork.MERGED, closed_seq__lte=self.base_seq
        )
        rows = Entry.objects.filter(tape_id=tape_id, seq__gte=first, seq__lte=self.base_seq)
        earlier = Q(turn_id=None) | Q(turn_id__lt=min(self.turn_ids))
        return rows.filter(earlier).exclude(fork__in=then_hidden.values("id")).order_by("seq")


@dataclass(frozen=True, slots=True)
class OfTurns:
    """Everything given turns wrote, open forks included, discarded ones not."""

    turn_ids: tuple[int, ...]

    def rows(self, tape_id: int) -> list[QuerySet[Entry]]:
        """For resuming and for people who watch."""
        rows = Entry.objects.filter(tape_id=tape_id, turn_id__in=self.turn_ids)
        return [rows.exclude(fork__in=_discarded(tape_id, 1).values("id")).order_by("seq")]


@dataclass(frozen=True, slots=True)
class OfFork:
    """The entries of one fork, whatever became of it."""

    fork_id: int

    def rows(self, tape_id: int) -> list[QuerySet[Entry]]:
        """For inspection."""
        fork = Fork.objects.filter(tape_id=tape_id, id=self.fork_id).first()
        rows = Entry.objects.filter(tape_id=tape_id, fork=self.fork_id)
        return [rows.filter(seq__gt=fork.base_seq if fork else 0).order_by("seq")]


def visible(tape_id: int, *, first: int = 1) -> QuerySet[Entry]:
    """Entries from a seq on that a default view shows."""
    hidden = _closed_after(tape_id, first).exclude(state=Fork.MERGED)
    rows = Entry.objects.filter(tape_id=tape_id, seq__gte=first)
    return rows.exclude(fork__in=hidden.values("id"))


def followed(tape_id: int, *, first: int, topic_ids: Sequence[int] | None) -> QuerySet[Entry]:
    """Entries from a seq on for a live reader: open forks are shown, discarded ones are not."""
    rows = Entry.objects.filter(tape_id=tape_id, seq__gte=first)
    rows = rows if topic_ids is None else rows.filter(topic_id__in=topic_ids)
    return rows.exclude(fork__in=_discarded(tape_id, first).values("id")).order_by("seq")


def searched(
    tape_id: int, *, readable: Sequence[int], fork_id: int | None = None
) -> QuerySet[Entry]:
    """Entries whose sources are all readable, on no fork that is not merged but the given one."""
    hidden = _closed_after(tape_id, 1).exclude(state=Fork.MERGED).exclude(id=fork_id or 0)
    rows = Entry.objects.filter(tape_id=tape_id, sources__contained_by=list(readable))
    return rows.exclude(fork__in=hidden.values("id"))


def _closed_after(tape_id: int, first: int) -> QuerySet[Fork]:
    """Forks that can have entries from a seq on; older ones cost a view nothing."""
    return Fork.objects.filter(Q(closed_seq=None) | Q(closed_seq__gt=first), tape_id=tape_id)


def _discarded(tape_id: int, first: int) -> QuerySet[Fork]:
    return _closed_after(tape_id, first).filter(state=Fork.DISCARDED)


def _merged_anchors(tape_id: int) -> QuerySet[Anchor]:
    return Anchor.objects.filter(Q(fork=None) | Q(fork__state=Fork.MERGED), tape_id=tape_id)


def _latest(tape_id: int, name: str) -> Anchor:
    anchor = _merged_anchors(tape_id).filter(name=name).order_by("-seq").first()
    if anchor is None:
        raise MissingAnchor(f"this tape has no anchor {name!r}")
    return anchor


def _opening(anchor: Anchor) -> int:
    """The first seq of the window an anchor opens."""
    return anchor.seq if messages.shows_anchor(anchor.name) else anchor.seq + 1
