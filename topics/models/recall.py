"""Rows by which finished topics are recalled: words and places of each, and its vector in a space (P7)."""

from __future__ import annotations

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models.functions import Now
from pgvector.django import HalfVectorField


class Recollection(models.Model):
    """What a finished topic is recalled by; made anew whenever its title or summary changes."""

    topic = models.OneToOneField(
        "topics.Topic", models.PROTECT, primary_key=True, related_name="recollection"
    )
    language = models.CharField(max_length=2)
    """Of its first question: vectors of one language lie nearer to one another than they mean."""

    words = ArrayField(models.TextField(), default=list)
    """Terms of title, summary, questions and first sentences of answers."""

    landed = models.JSONField(default=list)
    """Where its questions landed in code: `[[key, weight], …]`, best first."""

    cited = models.JSONField(default=list)
    """The places its answers cite: `[[repository, path, first line, last line], …]`."""

    text = models.TextField(blank=True, default="")
    """What is embedded."""

    sources = ArrayField(models.BigIntegerField(), default=list)
    """The repositories any of it rests on: who may not read them all does not recall it (C7)."""

    made_at = models.DateTimeField(db_default=Now())

    class Meta:
        indexes: ClassVar = [GinIndex(fields=["words"], name="recollection_by_words")]

    def __str__(self) -> str:
        return f"what topic {self.pk} is recalled by"


class RecallSpace(models.Model):
    """The vectors of one embedding model; a new one is filled beside the one that serves."""

    endpoint = models.CharField(max_length=100)
    model = models.CharField(max_length=200)
    inputs = models.CharField(max_length=10)
    dimension = models.PositiveIntegerField(null=True)
    serves = models.BooleanField(default=False)
    ordered = models.BooleanField(default=False)
    """Whether it has an index of neighbours."""

    paused_until = models.DateTimeField(null=True)
    error = models.TextField(blank=True, default="")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["endpoint", "model", "inputs"], name="recall_space_once"
            ),
            models.UniqueConstraint(
                fields=["serves"], condition=models.Q(serves=True), name="one_recall_space_serves"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.endpoint} {self.model}"


class RecallVector(models.Model):
    """What a topic means in a space; none where the endpoint refuses its text."""

    space = models.ForeignKey(RecallSpace, models.CASCADE, related_name="vectors", db_index=False)
    recollection = models.ForeignKey(Recollection, models.CASCADE, related_name="vectors")
    embedding = HalfVectorField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["space", "recollection"], name="recall_vector_once"),
        ]

    def __str__(self) -> str:
        return f"{self.space_id}: {self.recollection_id}"
