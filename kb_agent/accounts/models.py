"""The rows of people: who they are, what they may do, and what was done."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

LANGUAGES = (("zh", "中文"), ("en", "English"))


class RoleName(models.TextChoices):
    """What a person may do beside asking (C10); every active person is a member."""

    MEMBER = "member"
    REVIEWER = "reviewer"
    ADMINISTRATOR = "administrator"
    AUDITOR = "auditor"


class User(AbstractUser):
    """A person who signs in. People are deactivated, never deleted: tapes name them."""

    display_name = models.CharField(max_length=150, blank=True)
    """How other people see this person; empty means the user name is shown."""

    language = models.CharField(max_length=2, choices=LANGUAGES, default="zh")
    """The language of the pages and, where a question shows none, of the answers."""

    class Meta(AbstractUser.Meta):
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(language__in=["zh", "en"]), name="user_language_is_known"
            ),
        ]

    @property
    def shown_name(self) -> str:
        """The name other people see."""
        return self.display_name or self.username

    @property
    def reads_all(self) -> bool:
        """Whether this person reads every topic and repository (the auditor's role)."""
        return self.is_active and self.roles.filter(name=RoleName.AUDITOR).exists()


class Role(models.Model):
    """One role of one person."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="roles")
    name = models.CharField(max_length=20, choices=RoleName.choices)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "name"], name="role_once_a_person"),
            models.CheckConstraint(
                condition=Q(name__in=[name.value for name in RoleName]), name="role_is_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.name}"


class Audit(models.Model):
    """One line of what a person did to others, or read by right of a role."""

    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="audit_lines"
    )
    """Empty when the command line or the system did it."""

    action = models.CharField(max_length=100)
    """What was done: `role_granted`, `topic_read`, …"""

    object = models.CharField(max_length=200)
    """What it was done to: `user:7`, `topic:12`."""

    details = models.JSONField(default=dict, blank=True)
    at = models.DateTimeField(db_default=Now())

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["object", "at"], name="audit_by_object"),
            models.Index(fields=["actor", "at"], name="audit_by_actor"),
        ]

    def __str__(self) -> str:
        return f"{self.at} {self.actor_id} {self.action} {self.object}"


# Django finds rows of other modules here.
from kb_agent.accounts.budget_models import Budget, Reservation  # noqa: E402, F401
