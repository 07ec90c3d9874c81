"""The rows of vectors of entries: a projection of entries, written by `tapes.search.meaning` only."""

from __future__ import annotations

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from pgvector.django import HalfVectorField


class MeaningSpace(models.Model):
    """The vectors of one embedding model, under the name its caller gives it."""

    name = models.CharField(max_length=400, unique=True)
    dimension = models.PositiveIntegerField(null=True)
    """How many numbers its vectors have; learnt from the first of them."""
    ordered = models.BooleanField(default=False)
    """Whether an index finds neighbours without looking at every vector."""
    error = models.TextField(blank=True, default="")
    failures = models.PositiveSmallIntegerField(default=0)
    paused_until = models.DateTimeField(null=True)
    lease_until = models.DateTimeField(null=True)
    token = models.PositiveIntegerField(default=0)
    spent_on = models.DateField(null=True)
    spent = models.BigIntegerField(default=0)

    def __str__(self) -> str:
        return self.name


class MeaningMark(models.Model):
    """How far a tape was embedded."""

    pk = models.CompositePrimaryKey("tape_id", "space_id")
    tape_id = models.BigIntegerField()
    space = models.ForeignKey(MeaningSpace, models.CASCADE, db_index=False, related_name="marks")
    upto = models.BigIntegerField()

    def __str__(self) -> str:
        return f"tape {self.tape_id} up to {self.upto}"


class EntryVector(models.Model):
    """What a passage of an entry means.

    Beside it stand the columns of the entry that decide who may find it. They never change on an
    entry, so that permission is one condition on one table.
    """

    pk = models.CompositePrimaryKey("tape_id", "seq", "part", "space_id")
    tape_id = models.BigIntegerField()
    seq = models.BigIntegerField()
    part = models.IntegerField()
    space = models.ForeignKey(MeaningSpace, models.CASCADE, db_index=False, related_name="vectors")
    begins = models.IntegerField()
    """Where the passage begins in the entry's text."""
    kind = models.TextField()
    topic_id = models.BigIntegerField(null=True)
    fork_id = models.BigIntegerField(null=True)
    sources = ArrayField(models.BigIntegerField())
    embedding = HalfVectorField()

    class Meta:
        """Not by the space first: old statistics would make it look good for everything."""

        indexes: ClassVar = [
            models.Index(
                fields=["topic_id"],
                condition=models.Q(topic_id__isnull=False),
                name="tapes_entryvector_topic",
            )
        ]

    def __str__(self) -> str:
        return f"{self.tape_id}:{self.seq} part {self.part}"
