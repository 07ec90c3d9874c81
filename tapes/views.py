"""Reading views of tapes from the database, or from the archive where a tape's rows have left.

Rows leave as whole partitions, so a tape has all of them or none: the archive is asked about only
where the database had nothing to say.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from functools import reduce
from itertools import islice
from operator import or_
from typing import TYPE_CHECKING, Any

from django.db.models import Count, Q

from tapes import models, scopes, windows
from tapes.archive import departed
from tapes.entries import EVENT, Entry
from tapes.errors import InvalidView, MissingAnchor
from tapes.source import AnchorPlace
from tapes.windows import View

if TYPE_CHECKING:
    from django.db.models import QuerySet

__all__ = [
    "AnchorPlace",
    "InvalidView",
    "MissingAnchor",
    "View",
    "anchors",
    "at",
    "counts",
    "entries",
    "entries_after",
    "latest_event",
    "read",
]


def read(tape_id: int, view: View) -> list[Entry]:
    """Return the entries of a view, in its order. Raises `MissingAnchor`."""
    found: list[Entry] = []
    for rows in scopes.rows(tape_id, view.scope):
        wanted = rows.filter(kind__in=view.kinds) if view.kinds else rows
        if view.at_most is not None:
            wanted = wanted[: view.at_most - len(found)]
        found += entries(wanted)
    return found or _from_archive(tape_id, view)


def _from_archive(tape_id: int, view: View) -> list[Entry]:
    archived = departed.source(tape_id)
    return list(view.entries(archived)) if archived else []


def at(places: Iterable[tuple[int, int]]) -> list[Entry]:
    """Return the entries at these (tape id, seq), in one query, by both; absent ones are left out."""
    seqs: dict[int, list[int]] = {}
    for tape_id, seq in places:
        seqs.setdefault(tape_id, []).append(seq)
    if not seqs:
        return []
    wanted = [Q(tape_id=tape_id, seq__in=of_tape) for tape_id, of_tape in seqs.items()]
    found = entries(models.Entry.objects.filter(reduce(or_, wanted)))
    for tape_id in set(seqs) - {entry.tape_id for entry in found}:
        archived = departed.source(tape_id)
        if archived:
            found += [one for seq in seqs[tape_id] for one in archived.stretch(seq, seq)]
    return sorted(found, key=lambda entry: (entry.tape_id, entry.seq))


def anchors(tape_id: int) -> list[AnchorPlace]:
    """Return the anchors of a tape in order, without those of forks that are not merged."""
    rows = models.Anchor.objects.filter(tape_id=tape_id).order_by("seq")
    hidden = models.Fork.objects.filter(tape_id=tape_id).exclude(state=models.Fork.MERGED)
    shown = rows.exclude(fork__in=hidden.values("id"))
    return [
        AnchorPlace(row.seq, row.name, row.state, row.moves_window, row.fork_id) for row in shown
    ]


def seqs_of_anchors(tape_id: int, name: str) -> list[int]:
    """Return where the anchors of one name stand, in order; those of forks that are not merged are left out."""
    rows = models.Anchor.objects.filter(tape_id=tape_id, name=name)
    merged = rows.filter(Q(fork=None) | Q(fork__state=models.Fork.MERGED))
    return list(merged.order_by("seq").values_list("seq", flat=True))


def latest_event(tape_id: int, name: str) -> Entry | None:
    """Return the newest event of a name that a default view shows, or None; by an index of names."""
    rows = scopes.visible(tape_id).filter(kind=EVENT, payload__name=name)
    found = entries(rows.order_by("-seq")[:1])
    if found:
        return found[0]
    archived = departed.source(tape_id)
    return windows.latest_event(archived, name) if archived else None


def counts(
    tape_id: int, view: View | None = None, *, topic_ids: Collection[int] | None = None
) -> dict[str, int]:
    """Return how many entries of each kind a view has, by default of all the tape; or of some topics."""
    wanted = view or View.seqs()
    if wanted.at_most is not None:
        return _counted(read(tape_id, wanted), topic_ids)
    found: Counter[str] = Counter()
    for rows in scopes.rows(tape_id, wanted.scope):
        of_kinds = rows.filter(kind__in=wanted.kinds) if wanted.kinds else rows
        of_kinds = of_kinds if topic_ids is None else of_kinds.filter(topic_id__in=topic_ids)
        by_kind = of_kinds.order_by().values_list("kind").annotate(Count("seq"))
        found.update(dict(by_kind))
    return dict(found) or _counted(_from_archive(tape_id, wanted), topic_ids)


def _counted(found: Iterable[Entry], topic_ids: Collection[int] | None) -> dict[str, int]:
    wanted = (one for one in found if topic_ids is None or one.topic_id in topic_ids)
    return dict(Counter(entry.kind for entry in wanted))


def entries_after(
    tape_id: int,
    seq: int,
    *,
    topic_ids: Sequence[int] | None = None,
    inspected: Collection[int] = (),
    limit: int = 500,
) -> list[Entry]:
    """Return what a live reader has not seen yet: open forks included, discarded ones not.

    Of the discarded ones, those are shown whose ids are in `inspected`.

    A tape's head moves by commits in the order of seqs, so a reader that goes on from the last seq
    it saw misses nothing. `topic_ids` None means every topic and what belongs to none.
    """
    followed = scopes.followed(tape_id, first=seq + 1, topic_ids=topic_ids, inspected=inspected)
    found = entries(followed[:limit])
    archived = None if found else departed.source(tape_id)
    if archived is None:
        return found
    forks = archived.forks().values()
    shown = {fork.id for fork in forks if fork.state != models.Fork.DISCARDED} | set(inspected)
    rows = (
        entry
        for entry in archived.stretch(seq + 1, None)
        if (topic_ids is None or entry.topic_id in topic_ids)
        and (entry.fork_id is None or entry.fork_id in shown)
    )
    return list(islice(rows, limit))


COLUMNS = (
    *("tape_id", "seq", "kind", "payload_text", "meta_text", "date", "digest", "hash"),
    *("fork_id", "topic_id", "turn_id", "step", "part", "actor", "why", "sources"),
)
"""What makes an entry of a row."""


def entries(rows: QuerySet[models.Entry]) -> list[Entry]:
    """Return rows as values; the exact text is what is read, never its jsonb copy."""
    return [entry(dict(zip(COLUMNS, row, strict=True))) for row in rows.values_list(*COLUMNS)]


def entry(row: dict[str, Any]) -> Entry:
    """Return the value of a row's `COLUMNS`."""
    return Entry(
        payload=json.loads(row.pop("payload_text")),
        meta=json.loads(row.pop("meta_text")),
        digest=bytes(row.pop("digest")),
        hash=bytes(row.pop("hash")),
        sources=tuple(row.pop("sources")),
        **row,
    )
