"""The rows of evidence."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models.functions import Now

from kb_agent.repositories.models.repositories import Repository


class Evidence(models.Model):
    """A place in code that a topic rests on; `number` is what the model cites as `[e<number>]`."""

    topic_id = models.BigIntegerField()
    turn_id = models.BigIntegerField()
    number = models.PositiveIntegerField()
    repository = models.ForeignKey(Repository, models.PROTECT, related_name="evidence")
    commit = models.CharField(max_length=64)
    branch = models.CharField(max_length=250)
    path = models.TextField()
    start_line = models.PositiveIntegerField()
    end_line = models.PositiveIntegerField()
    content_hash = models.CharField(max_length=64)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["topic_id", "number"], name="evidence_number_once"),
            models.UniqueConstraint(
                fields=["topic_id", "repository", "commit", "path", "start_line", "end_line"],
                name="evidence_place_once",
            ),
        ]

    def __str__(self) -> str:
        return f"e{self.number}"
