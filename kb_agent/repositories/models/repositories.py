"""The rows of repositories: what is followed, who reads it, and what it is read with; a steward is a group."""

from __future__ import annotations

from typing import ClassVar

from django.contrib.auth.models import Group
from django.db import models
from django.db.models.functions import Now


class Repository(models.Model):
    """One code base that questions can land in."""

    class Kind(models.TextChoices):
        GIT_LOCAL = "git_local"
        GIT_REMOTE = "git_remote"
        DIRECTORY = "directory"

    class Status(models.TextChoices):
        NEW = "new"
        INDEXING = "indexing"
        FRESH = "fresh"
        FAILED = "failed"

    class Answers(models.TextChoices):
        """Who may read prose drawn from this code (C7): its readers, or the whole company."""

        READERS = "readers"
        COMPANY = "company"

    name = models.CharField(max_length=100)
    source = models.TextField()
    kind = models.CharField(max_length=20, choices=Kind.choices)
    description_zh = models.TextField(blank=True, default="")
    description_en = models.TextField(blank=True, default="")
    description_drafted = models.BooleanField(default=False)
    """Whether the descriptions were drafted from the code and nobody has edited them (see `describing`)."""

    default_branch = models.CharField(max_length=250, blank=True, default="")
    follows_default = models.BooleanField(default=True)
    """Whether the default branch is whatever the source says it is, and not one that a person named."""

    answers = models.CharField(max_length=10, choices=Answers.choices, default=Answers.READERS)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.NEW)
    error = models.TextField(blank=True, default="")
    error_code = models.CharField(max_length=30, blank=True, default="")
    sample_questions = models.JSONField(default=list, blank=True)
    mined = models.JSONField(default=dict, blank=True)
    schedule_minutes = models.PositiveIntegerField(null=True)
    """How often it is fetched; null is as often as the installation says, 0 never by itself."""

    next_fetch_at = models.DateTimeField(db_default=Now())
    created_at = models.DateTimeField(db_default=Now())
    removed_at = models.DateTimeField(null=True)
    """When a person removed it: no row of its index is left, cited commits stay (`registry.remove`)."""

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["name"],
                condition=models.Q(removed_at=None),
                name="repository_name_once",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Branch(models.Model):
    """A branch or tag that is followed, where it stands now and where it stood when indexed."""

    repository = models.ForeignKey(Repository, models.CASCADE, related_name="branches")
    name = models.CharField(max_length=250)
    commit = models.CharField(max_length=64, blank=True, default="")
    committed_at = models.DateTimeField(null=True)
    indexed_commit = models.CharField(max_length=64, blank=True, default="")
    indexed_at = models.DateTimeField(null=True)
    missing = models.BooleanField(default=False)
    """Whether the source had no such branch or tag when it was last fetched; its index stays."""

    analyser = models.PositiveSmallIntegerField(default=0)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["repository", "name"], name="branch_once"),
        ]

    def __str__(self) -> str:
        return f"{self.repository_id}:{self.name}"


class Grant(models.Model):
    """A group whose members read a repository (C7)."""

    repository = models.ForeignKey(Repository, models.CASCADE, related_name="grants")
    group = models.ForeignKey(Group, models.CASCADE, related_name="repository_grants")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["repository", "group"], name="grant_once"),
        ]

    def __str__(self) -> str:
        return f"{self.repository_id} to {self.group_id}"


class Credential(models.Model):
    """How this installation signs in to one git server over https; the token is sealed."""

    host = models.CharField(max_length=260, unique=True)
    username = models.CharField(max_length=200)
    sealed = models.TextField()

    def __str__(self) -> str:
        return self.host
