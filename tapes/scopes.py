"""Which rows a view covers, before kinds and limit: what `tapes.windows` says, in SQL."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from django.db.models import Q, QuerySet

from tapes import messages, windows
from tapes.errors import MissingAnchor
from tapes.models import Anchor, Entry, Fork


def rows(tape_id: int, scope: windows.Scope) -> list[QuerySet[Entry]]:
    """Return queries whose rows, one query after the other, are the entries of a scope in order.

    Raises `MissingAnchor`.
    """
    return _ROWS[type(scope)](tape_id, scope)


def _last_anchor(tape_id: int, _: windows.LastAnchor) -> list[QuerySet[Entry]]:
    anchor = _merged_anchors(tape_id).filter(moves_window=True).order_by("-seq").first()
    if anchor is None:
        raise MissingAnchor("no anchor of this tape moves the window")
    return [visible(tape_id, first=_opening(anchor)).order_by("seq")]


def _after(tape_id: int, scope: windows.After) -> list[QuerySet[Entry]]:
    anchor = _latest(tape_id, scope.name)
    return [visible(tape_id, first=anchor.seq + 1).order_by("seq")]


def _between(tape_id: int, scope: windows.Between) -> list[QuerySet[Entry]]:
    start = _latest(tape_id, scope.start)
    following = _merged_anchors(tape_id).filter(name=scope.end, seq__gt=start.seq)
    end = following.order_by("seq").first()
    if end is None:
        raise MissingAnchor(f"no anchor {scope.end!r} follows {scope.start!r}")
    return [visible(tape_id, first=start.seq + 1).filter(seq__lt=end.seq).order_by("seq")]


def _seqs(tape_id: int, scope: windows.Seqs) -> list[QuerySet[Entry]]:
    found = visible(tape_id, first=scope.first or 1)
    return [(found if scope.last is None else found.filter(seq__lte=scope.last)).order_by("seq")]


def _dates(tape_id: int, scope: windows.Dates) -> list[QuerySet[Entry]]:
    found = visible(tape_id)
    found = found if scope.since is None else found.filter(date__gte=scope.since)
    return [(found if scope.until is None else found.filter(date__lte=scope.until)).order_by("seq")]


def _own_turn(tape_id: int, scope: windows.OwnTurn) -> list[QuerySet[Entry]]:
    mine = Q(turn_id__in=scope.turn_ids) & (Q(fork=None) | Q(fork=scope.fork_id))
    own = Entry.objects.filter(mine, tape_id=tape_id).order_by("seq")
    moving = Anchor.objects.filter(tape_id=tape_id, moves_window=True).order_by("-seq")
    moved = moving.filter(fork=scope.fork_id).first()
    if moved is not None:
        return [own.filter(seq__gte=_opening(moved))]
    named = Anchor.objects.filter(tape_id=tape_id, seq=scope.after or 0)
    anchor = (
        (moving if scope.after is None else named)
        .filter(
            Q(fork=None) | Q(fork__state=Fork.MERGED, fork__closed_seq__lte=scope.base_seq),
            seq__lte=scope.base_seq,
        )
        .first()
    )
    if anchor is None:
        raise MissingAnchor("no anchor before this turn opens its window")
    return [_before(tape_id, scope, _opening(anchor)), own]


def _before(tape_id: int, scope: windows.OwnTurn, first: int) -> QuerySet[Entry]:
    """The window as it stood at the base, without this turn's and later turns' entries."""
    then_hidden = _closed_after(tape_id, first).exclude(
        state=Fork.MERGED, closed_seq__lte=scope.base_seq
    )
    found = Entry.objects.filter(tape_id=tape_id, seq__gte=first, seq__lte=scope.base_seq)
    earlier = Q(turn_id=None) | Q(turn_id__lt=min(scope.turn_ids))
    return found.filter(earlier).exclude(fork__in=then_hidden.values("id")).order_by("seq")


def _of_turns(tape_id: int, scope: windows.OfTurns) -> list[QuerySet[Entry]]:
    found = Entry.objects.filter(tape_id=tape_id, turn_id__in=scope.turn_ids)
    return [found.exclude(fork__in=_discarded(tape_id, 1).values("id")).order_by("seq")]


def _of_fork(tape_id: int, scope: windows.OfFork) -> list[QuerySet[Entry]]:
    fork = Fork.objects.filter(tape_id=tape_id, id=scope.fork_id).first()
    found = Entry.objects.filter(tape_id=tape_id, fork=scope.fork_id)
    return [found.filter(seq__gt=fork.base_seq if fork else 0).order_by("seq")]


_ROWS: Mapping[type, Callable[[int, Any], list[QuerySet[Entry]]]] = {
    windows.LastAnchor: _last_anchor,
    windows.After: _after,
    windows.Between: _between,
    windows.Seqs: _seqs,
    windows.Dates: _dates,
    windows.OwnTurn: _own_turn,
    windows.OfTurns: _of_turns,
    windows.OfFork: _of_fork,
}


def visible(tape_id: int, *, first: int = 1) -> QuerySet[Entry]:
    """Entries from a seq on that a default view shows."""
    hidden = _closed_after(tape_id, first).exclude(state=Fork.MERGED)
    rows = Entry.objects.filter(tape_id=tape_id, seq__gte=first)
    return rows.exclude(fork__in=hidden.values("id"))


def followed(
    tape_id: int,
    *,
    first: int,
    topic_ids: Sequence[int] | None,
    inspected: Collection[int] = (),
) -> QuerySet[Entry]:
    """Entries from a seq on for a live reader: open forks are shown, discarded ones are not.

    But for those that the reader inspects.
    """
    rows = Entry.objects.filter(tape_id=tape_id, seq__gte=first)
    rows = rows if topic_ids is None else rows.filter(topic_id__in=topic_ids)
    hidden = _discarded(tape_id, first)
    hidden = hidden.exclude(id__in=inspected) if inspected else hidden
    return rows.exclude(fork__in=hidden.values("id")).order_by("seq")


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
