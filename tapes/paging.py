"""Reads many rows of a tape a page at a time, by entries and by bytes, at one moment of the tape."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from django.db import connection, transaction
from django.db.models import F, Func, IntegerField

from tapes import models, views
from tapes.archive import departed
from tapes.records import Record

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from tapes.entries import Entry

_ENTRIES_A_PAGE = 1_000
_BYTES_A_PAGE = 4_000_000
"""An entry can hold 50 MB, so pages are not counted by entries alone."""


@contextmanager
def snapshot() -> Iterator[None]:
    """Read one moment of the database: what writers add meanwhile is not seen."""
    with transaction.atomic(durable=True):
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        yield


def cuts(rows: QuerySet[models.Entry]) -> Iterator[tuple[int, int]]:
    """Yield (first, last) seq of each page of the rows of one tape."""
    sizes = rows.annotate(size=_octets("payload_text") + _octets("meta_text")).order_by("seq")
    after = 0
    while True:
        found = list(sizes.filter(seq__gt=after).values_list("seq", "size")[:_ENTRIES_A_PAGE])
        if not found:
            return
        total = 0
        first = found[0][0]
        for seq, size in found:
            total += size
            if total > _BYTES_A_PAGE and seq > first:
                break
            after = seq
        yield first, after


def entries(rows: QuerySet[models.Entry]) -> Iterator[Entry]:
    """Yield the rows of one tape as values, in the order of seqs."""
    for first, last in cuts(rows):
        yield from views.entries(rows.filter(seq__gte=first, seq__lte=last).order_by("seq"))


def every(tape_id: int) -> Iterator[Entry]:
    """Yield all entries of a tape, those of every fork too, wherever they are kept."""
    archived = departed.source(tape_id)
    if archived is not None:
        yield from archived.stretch(1, None)
    else:
        yield from entries(models.Entry.objects.filter(tape_id=tape_id))


def records(rows: QuerySet[models.Entry]) -> Iterator[Record]:
    """Yield the rows of one tape with what proves them, in the order of seqs."""
    for first, last in cuts(rows):
        page = rows.filter(seq__gte=first, seq__lte=last).order_by("seq")
        for row in page.values("salt", *views.COLUMNS):
            salt = row.pop("salt")
            texts = row["payload_text"], row["meta_text"]
            yield Record(views.entry(row), *texts, None if salt is None else bytes(salt))


def _octets(column: str) -> Func:
    return Func(F(column), function="octet_length", output_field=IntegerField())
