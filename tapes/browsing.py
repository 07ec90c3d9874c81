"""Reading a tape as people look at it: page by page, with forks and corrections.

Open forks are shown, discarded ones when asked for.
"""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import islice
from operator import or_
from typing import TYPE_CHECKING

from django.db.models import Count, Exists, Max, Min, Q

from tapes import scopes, views
from tapes.archive import departed
from tapes.entries import EVENT, Entry
from tapes.models import Entry as Row
from tapes.models import Fork, Tape

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from tapes.source import ForkState

CORRECTION = "correction"


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """Which entries to look at; every filter is off when empty or None."""

    first: int = 1
    last: int | None = None
    kinds: Sequence[str] = ()
    topic_ids: Sequence[int] | None = None
    """None means every topic and what belongs to none."""
    discarded: bool = False
    limit: int = 200


@dataclass(frozen=True, slots=True)
class ForkSpan:
    """A fork, and where its entries stand; `first` and `last` are None for one without any."""

    id: int
    state: str
    base_seq: int
    closed_seq: int | None
    opened_at: datetime.datetime
    first: int | None
    last: int | None
    entries: int


def of_person(prefix: str, also: Q | Exists) -> QuerySet[Tape]:
    """The tapes whose name begins so, and those that `also` picks, newest first."""
    return Tape.objects.filter(Q(name__startswith=prefix) | Q(also)).order_by("-pk")


def every() -> QuerySet[Tape]:
    """All tapes, newest first."""
    return Tape.objects.order_by("-pk")


def page(tape_id: int, wanted: Page) -> list[Entry]:
    """Return the first entries that match, in the order of seqs."""
    if wanted.discarded:
        rows = Row.objects.filter(tape_id=tape_id, seq__gte=wanted.first).order_by("seq")
        if wanted.topic_ids is not None:
            rows = rows.filter(topic_id__in=wanted.topic_ids)
    else:
        rows = scopes.followed(tape_id, first=wanted.first, topic_ids=wanted.topic_ids)
    if wanted.last is not None:
        rows = rows.filter(seq__lte=wanted.last)
    if wanted.kinds:
        rows = rows.filter(kind__in=wanted.kinds)
    return views.entries(rows[: wanted.limit]) or _from_archive(tape_id, wanted)


def _from_archive(tape_id: int, wanted: Page) -> list[Entry]:
    archived = departed.source(tape_id)
    if archived is None:
        return []
    forks = archived.forks()
    rows = (
        entry
        for entry in archived.stretch(wanted.first, wanted.last)
        if (not wanted.kinds or entry.kind in wanted.kinds)
        and (wanted.topic_ids is None or entry.topic_id in wanted.topic_ids)
        and (wanted.discarded or not _discarded(entry, forks))
    )
    return list(islice(rows, wanted.limit))


def _discarded(entry: Entry, forks: Mapping[int, ForkState]) -> bool:
    return entry.fork_id is not None and forks[entry.fork_id].state == Fork.DISCARDED


def corrections(places: Iterable[tuple[int, int]]) -> dict[tuple[int, int], list[Entry]]:
    """Return the corrections of entries by their (tape id, seq), oldest first.

    Those of forks that are not merged are left out.
    """
    seqs: dict[int, list[int]] = defaultdict(list)
    for tape_id, seq in places:
        seqs[tape_id].append(seq)
    if not seqs:
        return {}
    wanted = reduce(or_, (Q(tape_id=one, seq__gt=min(of)) for one, of in seqs.items()))
    rows = Row.objects.filter(wanted, kind=EVENT, payload__name=CORRECTION)
    hidden = Fork.objects.filter(tape_id__in=seqs).exclude(state=Fork.MERGED)
    found: dict[tuple[int, int], list[Entry]] = defaultdict(list)
    for entry in views.entries(rows.exclude(fork__in=hidden.values("id")).order_by("seq")):
        corrects = (entry.payload.get("data") or {}).get("corrects")
        if corrects in seqs[entry.tape_id]:
            found[entry.tape_id, corrects].append(entry)
    return found


def events(tape_id: int, name: str) -> list[Entry]:
    """Return every event of a name, on whatever fork, oldest first."""
    rows = Row.objects.filter(tape_id=tape_id, kind=EVENT, payload__name=name).order_by("seq")
    found = views.entries(rows)
    archived = None if found else departed.source(tape_id)
    if archived is None:
        return found
    rest = archived.stretch(1, None)
    return [one for one in rest if one.kind == EVENT and one.payload["name"] == name]


def forks(tape_id: int, *, limit: int = 100) -> list[ForkSpan]:
    """Return the newest forks of a tape, newest first."""
    return _spans(tape_id, list(Fork.objects.filter(tape_id=tape_id).order_by("-id")[:limit]))


def fork(tape_id: int, fork_id: int) -> ForkSpan | None:
    """Return one fork of a tape."""
    spans = _spans(tape_id, list(Fork.objects.filter(tape_id=tape_id, id=fork_id)))
    return spans[0] if spans else None


def forks_between(tape_id: int, first: int, last: int) -> list[ForkSpan]:
    """Return the forks that have entries from `first` to `last`, oldest first, counted in there."""
    rows = Row.objects.filter(tape_id=tape_id, seq__gte=first, seq__lte=last)
    counted = _counted(rows.exclude(fork=None))
    found = Fork.objects.filter(tape_id=tape_id, id__in=counted).order_by("id")
    return [_span(each, counted.get(each.pk)) for each in found]


def fork_count(tape_id: int) -> int:
    """Return how many forks a tape has had."""
    return Fork.objects.filter(tape_id=tape_id).count()


def _spans(tape_id: int, found: list[Fork]) -> list[ForkSpan]:
    if not found:
        return []
    first = min(each.base_seq for each in found)
    rows = Row.objects.filter(tape_id=tape_id, seq__gt=first, fork__in=[one.pk for one in found])
    counted = _counted(rows)
    return [_span(each, counted.get(each.pk)) for each in found]


def _counted(rows: QuerySet[Row]) -> dict[int, tuple[int, int, int]]:
    """First seq, last seq and number of entries by fork."""
    by_fork = rows.order_by().values_list("fork_id")
    counted = by_fork.annotate(Min("seq"), Max("seq"), Count("seq"))
    return {fork_id: (first, last, number) for fork_id, first, last, number in counted}


def _span(row: Fork, counted: tuple[int, int, int] | None) -> ForkSpan:
    first, last, number = counted or (None, None, 0)
    return ForkSpan(
        id=row.pk,
        state=row.state,
        base_seq=row.base_seq,
        closed_seq=row.closed_seq,
        opened_at=row.opened_at,
        first=first,
        last=last,
        entries=number,
    )
