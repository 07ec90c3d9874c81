"""The rows of the search index: a projection of entries, written by `tapes.search.index` only."""

from __future__ import annotations

import uuid
from typing import ClassVar

from django.db import models


class SearchSegment(models.Model):
    """Which entries of one stretch of a tape have which terms; see `tapes.search.segments`."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4)
    """Never given twice, whatever is restored: dictionaries are kept in memory under it."""
    tape = models.ForeignKey("tapes.Tape", models.PROTECT, db_index=False, related_name="+")
    first_seq = models.BigIntegerField()
    last_seq = models.BigIntegerField()
    chars = models.BigIntegerField()
    """Length of the text it was made of."""
    dictionary = models.BinaryField()
    starts = models.BinaryField()

    class Meta:
        """Segments of a tape never overlap; sealing one stands in a queue."""

        constraints: ClassVar = [
            models.UniqueConstraint(fields=["tape", "first_seq"], name="tapes_searchsegment_first")
        ]

    def __str__(self) -> str:
        return f"{self.tape_id}:{self.first_seq}-{self.last_seq}"


class SearchPostings(models.Model):
    """A part of a segment's postings."""

    pk = models.CompositePrimaryKey("segment_id", "part")
    segment = models.ForeignKey(SearchSegment, models.CASCADE, db_index=False, related_name="+")
    part = models.IntegerField()
    postings = models.BinaryField()

    def __str__(self) -> str:
        return f"part {self.part} of segment {self.segment_id}"
