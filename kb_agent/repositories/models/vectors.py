"""The rows of vectors: a space for each embedding model, and in it a vector a chunk."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models.functions import Now
from pgvector.django import HalfVectorField


class Space(models.Model):
    """The vectors of one endpoint and model: filled in the shadow of the one that serves, then switched to.

    `dimension` is learnt from the first answer. `seen` names the state of the index that was embedded whole.
    """

    class State(models.TextChoices):
        FILLING = "filling"
        ACTIVE = "active"
        RETIRED = "retired"

    endpoint = models.CharField(max_length=100)
    model = models.CharField(max_length=200)
    inputs = models.CharField(max_length=10)
    dimension = models.PositiveIntegerField(null=True)
    state = models.CharField(max_length=10, choices=State.choices, default=State.FILLING)
    ordered = models.BooleanField(default=False)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    seen = models.CharField(max_length=64, blank=True, default="")
    error = models.TextField(blank=True, default="")
    failures = models.PositiveSmallIntegerField(default=0)
    paused_until = models.DateTimeField(null=True)
    lease_until = models.DateTimeField(null=True)
    token = models.PositiveIntegerField(default=0)
    cancelled = models.BooleanField(default=False)
    spent_on = models.DateField(null=True)
    spent = models.BigIntegerField(default=0)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["endpoint", "model", "inputs"], name="space_once"),
            models.UniqueConstraint(
                fields=["state"],
                condition=models.Q(state__in=["filling", "active"]),
                name="one_space_a_state",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.endpoint} {self.model}"


class Vector(models.Model):
    """What a chunk means in a space; none for a chunk that the endpoint refuses to embed.

    `key` is a digest of the text that was embedded: the same text is embedded once, whatever blob it stands in. A vector
    whose blob is gone stays until every chunk has its own, for the blob may only have been read anew.
    """

    space = models.ForeignKey(Space, models.CASCADE, related_name="vectors", db_index=False)
    blob = models.ForeignKey("repositories.Blob", models.SET_NULL, null=True, related_name="+")
    ordinal = models.PositiveIntegerField()
    key = models.BinaryField(max_length=16)
    embedding = HalfVectorField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["space", "blob", "ordinal"], name="vector_once"),
        ]
        # Not by the space first: old statistics would make it look good for finding a blob's vectors.
        indexes: ClassVar = [models.Index(fields=["key", "space"], name="vector_key")]

    def __str__(self) -> str:
        return f"{self.space_id}: {self.blob_id}#{self.ordinal}"
