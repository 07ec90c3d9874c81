"""The rows of indexing: each run of a repository, with its lease and what it came to."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models.functions import Now

from kb_agent.repositories.models.repositories import Repository


class IndexRun(models.Model):
    """One indexing of a repository: claimed with a lease, followed by its figures, cancelled by a flag."""

    class Status(models.TextChoices):
        WAITING = "waiting"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"
        CANCELLED = "cancelled"

    repository = models.ForeignKey(Repository, models.CASCADE, related_name="runs")
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.WAITING)
    phase = models.CharField(max_length=20, blank=True, default="")
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(db_default=Now())
    queued_at = models.DateTimeField(db_default=Now())
    """Since when it waits: a long run that lets others go first waits anew."""

    phase_at = models.DateTimeField(null=True)
    """When its phase began; what was done since tells how long the rest takes."""

    again = models.BooleanField(default=False)
    """Whether the source moved after it was fetched: another run follows."""

    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    lease_until = models.DateTimeField(null=True)
    token = models.PositiveIntegerField(default=0)
    cancel_requested = models.BooleanField(default=False)
    error = models.TextField(blank=True, default="")
    error_code = models.CharField(max_length=30, blank=True, default="")
    detail = models.TextField(blank=True, default="")
    files = models.PositiveIntegerField(default=0)
    chunks = models.PositiveIntegerField(default=0)
    symbols = models.PositiveIntegerField(default=0)
    skipped = models.PositiveIntegerField(default=0)
    seconds = models.FloatField(default=0)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["repository"],
                condition=models.Q(status__in=["waiting", "running"]),
                name="one_unfinished_run",
            ),
        ]

    def __str__(self) -> str:
        return f"run {self.pk}"
