"""The rows of named views."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now


class NamedView(models.Model):
    """A view under a name: its definition only, so that it is read with the rights of today (T8)."""

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="named_views")
    name = models.CharField(max_length=100)
    definition = models.JSONField()
    """`{"parts": [{tape, first?, last?} | {tape, after, before?} | {topic}]}`."""
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["owner", "name"], name="named_view_once_a_person"),
            models.CheckConstraint(condition=~Q(name=""), name="named_view_has_a_name"),
        ]

    def __str__(self) -> str:
        return f"view {self.name!r} of person {self.owner_id}"
