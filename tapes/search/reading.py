"""Which entries a search may look at, read backwards: by rows, or from the archive.

Permission is part of every query: an entry whose sources the reader lacks never leaves the database.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tapes import scopes, views, windows
from tapes.archive import departed

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from tapes.archive.copies import ArchivedTape
    from tapes.entries import Entry
    from tapes.models import Entry as Row

_PAGE = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Only:
    """Which entries a search is about."""

    topic_ids: Sequence[int] | None = None
    """None means every topic and what belongs to none."""
    kinds: Sequence[str] = ()
    """Empty means every kind."""


EVERYTHING = Only()


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Who asks, and about which entries."""

    readable: frozenset[int]
    """Repositories whose text may be shown."""
    only: Only
    fork_id: int | None = None
    """A fork that is shown although it is not merged: the asker's own."""

    def allows(self, entry: Entry) -> bool:
        """Whether an entry that a default view shows may be looked at."""
        return (
            self.readable.issuperset(entry.sources)
            and (self.only.topic_ids is None or entry.topic_id in self.only.topic_ids)
            and (not self.only.kinds or entry.kind in self.only.kinds)
        )


class Reader:
    """Reads the entries of one tape that were asked about, newest first."""

    def __init__(self, tape_id: int, asked: Asked) -> None:
        self._asked = asked
        self._rows = _rows(tape_id, asked)
        self.archived: ArchivedTape | None = departed.source(tape_id)

    def stretch(self, first: int, last: int) -> Iterator[Entry]:
        """Yield the entries of a stretch, a page in memory at a time."""
        if self.archived is not None:
            found = windows.backwards(self.archived, first, last)
            yield from (entry for entry in found if self._asked.allows(entry))
            return
        before = last + 1
        while True:
            rows = self._rows.filter(seq__gte=first, seq__lt=before).order_by("-seq")
            page = views.entries(rows[:_PAGE])
            yield from page
            if len(page) < _PAGE:
                return
            before = page[-1].seq

    def at(self, seqs: Sequence[int]) -> Iterator[Entry]:
        """Yield the entries at these seqs, in the order of the newest first."""
        if self.archived is not None:
            found = windows.visible_at(self.archived, self.archived.at(seqs))
            yield from reversed([entry for entry in found if self._asked.allows(entry)])
            return
        page = views.entries(self._rows.filter(seq__in=seqs).order_by("-seq"))
        yield from page

    def around(self, seq: int, before: int, after: int) -> list[Entry]:
        """Return an entry with those before and after it, in order."""
        if self.archived is not None:
            span = range(max(seq - before, 1), seq + after + 1)
            found = windows.visible(self.archived, span[0], span[-1])
            return [entry for entry in found if self._asked.allows(entry)]
        earlier = views.entries(self._rows.filter(seq__lt=seq).order_by("-seq")[:before])
        later = views.entries(self._rows.filter(seq__gte=seq).order_by("seq")[: after + 1])
        return [*reversed(earlier), *later]


def _rows(tape_id: int, asked: Asked) -> QuerySet[Row]:
    rows = scopes.searched(tape_id, readable=sorted(asked.readable), fork_id=asked.fork_id)
    if asked.only.topic_ids is not None:
        rows = rows.filter(topic_id__in=asked.only.topic_ids)
    return rows.filter(kind__in=asked.only.kinds) if asked.only.kinds else rows
