"""The rows of hooks beside their runs: HookSwitch (written by `switches`), PreHookRun (`pipeline`)."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now


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
