"""The rows of hooks: HookRun (written by `hooks.runner`), HookSwitch (`hooks.switches`), PreHookRun (`pipeline`)."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from topics.models.topics import Topic, Turn


class HookStatus(models.TextChoices):
    """How one run of a post-hook stands."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


class HookRun(models.Model):
    """One post-hook to run for one topic: exactly once in effect (P4)."""

    topic = models.ForeignKey(Topic, models.PROTECT, related_name="hook_runs")
    turn = models.ForeignKey(Turn, models.PROTECT, null=True, related_name="hook_runs")
    """The turn at whose head it ran; empty when a worker ran it apart."""

    stage = models.CharField(max_length=20)
    hook = models.CharField(max_length=200)
    """Dotted path."""

    essential = models.BooleanField(default=False)
    status = models.CharField(max_length=7, choices=HookStatus.choices, default=HookStatus.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    due_at = models.DateTimeField(db_default=Now())
    lease_until = models.DateTimeField(null=True)
    token = models.BigIntegerField(default=0)
    """Counts the claims; an older claim's effect is refused."""

    seconds = models.FloatField(null=True)
    outcome = models.TextField(blank=True, default="")
    """One line for people: what it did, or why it failed."""

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["topic", "stage", "hook"], name="hook_once_a_topic"),
            models.CheckConstraint(
                condition=Q(stage__in=["post_topic_initial", "post_topic_finalized"]),
                name="hook_run_stage_is_known",
            ),
            models.CheckConstraint(
                condition=Q(status__in=["waiting", "done", "failed"])
                | Q(status="running", lease_until__isnull=False),
                name="hook_run_status_is_known",
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["due_at"],
                condition=Q(status__in=["waiting", "running"]),
                name="hook_run_due",
            ),
            models.Index(fields=["stage", "hook", "-id"], name="hook_run_newest"),
        ]

    def __str__(self) -> str:
        return f"{self.hook} for topic {self.topic_id} ({self.status})"


class HookSwitch(models.Model):
    """A hook that somebody switched off, or on again (P4); without a row it is on."""

    hook = models.CharField(max_length=200, unique=True)
    """Dotted path."""

    off = models.BooleanField(default=True)
    changed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )
    """Empty when the command line did it."""

    changed_at = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return f"{self.hook} is {'off' if self.off else 'on'}"


class PreHookRun(models.Model):
    """How one run of a pre-hook went, without its words, so that a page need not read tapes.

    A row of its own and no running figure: two topics that start at once wait for no common row.
    """

    stage = models.CharField(max_length=20)
    hook = models.CharField(max_length=200)
    outcome = models.CharField(max_length=20)
    """`done`, `failed`, `refused`, `not heeded`, `left out`, `switched off`."""

    seconds = models.FloatField()
    at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(stage__in=["pre_topic_initial", "pre_topic_finalized"]),
                name="pre_hook_run_stage_is_known",
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["stage", "hook", "-id"], name="pre_hook_run_newest"),
        ]

    def __str__(self) -> str:
        return f"{self.hook} ({self.outcome})"
