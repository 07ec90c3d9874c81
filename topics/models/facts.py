"""The rows of facts: what finished topics taught, with contributor, evidence and versions (P10).

All of them are folded from the events that `facts` appends, by `facts.folding`, and can be made anew.
"""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import Q


class FactStatus(models.TextChoices):
    """How a fact stands; only an accepted one that is not stale takes part in answering."""

    PROPOSED = "proposed"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    WITHDRAWN = "withdrawn"


class Fact(models.Model):
    """A business conclusion drawn from a finished topic."""

    contributor = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="facts")
    topic = models.ForeignKey("topics.Topic", models.PROTECT, related_name="facts")
    tape = models.ForeignKey("tapes.Tape", models.PROTECT, related_name="+")
    status = models.CharField(max_length=9, choices=FactStatus.choices, default=FactStatus.PROPOSED)
    stale = models.BooleanField(default=False)
    """Whether cited lines are no longer in the code as they were."""

    stale_since = models.DateTimeField(null=True)
    language = models.CharField(max_length=2)
    version = models.PositiveIntegerField(default=1)
    """The number of the current version."""

    text = models.TextField()
    """Of the current version."""

    sources = ArrayField(models.BigIntegerField(), default=list)
    """The repositories whose text was in view when any version was written (C7)."""

    repositories = ArrayField(models.BigIntegerField(), default=list)
    """Those that the current version cites."""

    words = ArrayField(models.TextField(), default=list, blank=True)
    """What it is found by; handed in by whoever keeps an index."""

    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )
    """Who accepted, rejected or withdrew it; empty for the operator at the command line."""

    decided_at = models.DateTimeField(null=True)
    reason = models.TextField(blank=True, default="")
    """Why it was rejected or withdrawn."""

    proposed_at = models.DateTimeField()
    changed_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(status__in=FactStatus.values), name="fact_status_is_known"
            ),
            models.CheckConstraint(
                condition=Q(status="proposed") | Q(decided_at__isnull=False),
                name="fact_decision_has_its_time",
            ),
            models.CheckConstraint(
                condition=~Q(status="rejected") | ~Q(reason=""), name="fact_rejection_has_a_reason"
            ),
            models.CheckConstraint(
                condition=Q(stale=True, stale_since__isnull=False)
                | Q(stale=False, stale_since=None),
                name="fact_stale_has_its_time",
            ),
            models.CheckConstraint(
                condition=Q(language__in=["zh", "en"]), name="fact_language_is_known"
            ),
            models.CheckConstraint(condition=~Q(text=""), name="fact_has_words"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["status", "-changed_at", "-id"], name="fact_by_status"),
            models.Index(fields=["contributor", "-changed_at"], name="fact_by_contributor"),
            GinIndex(
                fields=["words"],
                condition=Q(status="accepted", stale=False),
                name="fact_by_words",
            ),
        ]

    def __str__(self) -> str:
        return f"fact {self.pk}: {self.text}"


class FactVersion(models.Model):
    """The words of a fact as they were proposed or edited, with what they rest on."""

    fact = models.ForeignKey(Fact, models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    text = models.TextField()
    evidence = models.JSONField()
    """`[{repository, commit, branch, path, start_line, end_line, content_hash}]`, at least one."""

    sources = ArrayField(models.BigIntegerField(), default=list)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )
    """Who proposed or edited it; empty for the operator at the command line."""

    first_seq = models.BigIntegerField()
    last_seq = models.BigIntegerField()
    """The entries of the topic's tape that it was drawn from."""

    why = models.TextField(blank=True, default="")
    """Where it comes from: `model`, `evidence_model`, `correction`, `person`, or an editor's words."""

    created_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["fact", "number"], name="fact_version_once"),
            models.CheckConstraint(condition=Q(number__gte=1), name="fact_version_counts_from_one"),
            models.CheckConstraint(condition=~Q(text=""), name="fact_version_has_words"),
            models.CheckConstraint(condition=~Q(evidence=[]), name="fact_version_has_evidence"),
        ]

    def __str__(self) -> str:
        return f"fact {self.fact_id}, version {self.number}"


class FactPlace(models.Model):
    """A place that the current version cites, and where its lines stand now."""

    fact = models.ForeignKey(Fact, models.CASCADE, related_name="places")
    repository = models.BigIntegerField()
    branch = models.CharField(max_length=255)
    commit = models.CharField(max_length=64)
    path = models.TextField()
    start_line = models.PositiveIntegerField()
    end_line = models.PositiveIntegerField()
    content_hash = models.CharField(max_length=64)
    seen_commit = models.CharField(max_length=64, blank=True, default="")
    """Up to which commit of the branch its lines were looked for; empty for none yet, or no branch."""

    seen_blob = models.CharField(max_length=64, blank=True, default="")
    """The file's content then: while it is the same nothing needs to be read."""

    holds = models.BooleanField(default=True)
    """Whether the lines were still there, wherever in the file."""

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["repository", "branch"], name="fact_place_by_branch"),
            models.Index(fields=["content_hash"], name="fact_place_by_content"),
        ]

    def __str__(self) -> str:
        return f"{self.path}:{self.start_line}-{self.end_line} of fact {self.fact_id}"


class FactSource(models.Model):
    """A topic that a fact was drawn from: the first, and those that came to the same conclusion."""

    fact = models.ForeignKey(Fact, models.CASCADE, related_name="drawn_from")
    topic = models.ForeignKey("topics.Topic", models.PROTECT, related_name="+")
    tape = models.ForeignKey("tapes.Tape", models.PROTECT, related_name="+")
    first_seq = models.BigIntegerField()
    last_seq = models.BigIntegerField()
    at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["fact", "topic"], name="fact_source_once_a_topic"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["tape", "first_seq"], name="fact_source_by_tape"),
        ]

    def __str__(self) -> str:
        return f"topic {self.topic_id} of fact {self.fact_id}"


class FactUse(models.Model):
    """A turn before whose model a fact was put: what an erasure follows, and people like to know."""

    fact = models.ForeignKey(Fact, models.CASCADE, related_name="uses")
    topic = models.ForeignKey("topics.Topic", models.PROTECT, related_name="+")
    turn = models.ForeignKey("topics.Turn", models.PROTECT, related_name="+")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["fact", "turn"], name="fact_use_once_a_turn"),
        ]

    def __str__(self) -> str:
        return f"fact {self.fact_id} in turn {self.turn_id}"
