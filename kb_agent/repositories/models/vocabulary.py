"""The rows of the vocabulary: what repositories themselves say, and how people correct it."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from kb_agent.repositories.models.repositories import Repository

STATES = ("added", "suppressed")


class Vocabulary(models.Model):
    """A count that a repository's catalogues give: how often two words went together, or one stood there (see `vocabulary`)."""

    repository = models.ForeignKey(
        Repository, models.CASCADE, related_name="vocabulary", db_index=False
    )
    word = models.CharField(max_length=80)
    code = models.CharField(max_length=80)
    weight = models.FloatField()
    kind = models.CharField(max_length=20)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["word", "kind", "code", "repository"], name="vocabulary_once"
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["repository", "kind"], name="vocabulary_repository"),
            models.Index(fields=["code", "kind"], name="vocabulary_code"),
            models.Index(
                "repository",
                models.F("weight").desc(),
                models.F("id").desc(),
                name="vocabulary_page",
                condition=Q(kind__in=["catalogue", "label", "enum", "comment"]),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.word} = {self.code}"


class Correction(models.Model):
    """A pair of words that someone added or suppressed, for one repository or for all.

    `key` and `code_key` are the two words as search compares them (see `corrections`). `origin` names what a pair came
    from when no person typed it: `fact:12`.
    """

    word = models.CharField(max_length=80)
    key = models.CharField(max_length=160)
    code = models.CharField(max_length=80)
    code_key = models.CharField(max_length=160)
    repository = models.ForeignKey(
        "repositories.Repository", models.CASCADE, null=True, related_name="corrections"
    )
    state = models.CharField(max_length=10)
    note = models.CharField(max_length=500, blank=True, default="")
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="corrections"
    )
    origin = models.CharField(max_length=60, blank=True, default="")
    at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["key", "code_key", "repository"],
                name="correction_once",
                nulls_distinct=False,
            ),
            models.CheckConstraint(condition=Q(state__in=STATES), name="correction_state_is_known"),
        ]

    def __str__(self) -> str:
        return f"{self.word} = {self.code}: {self.state}"
