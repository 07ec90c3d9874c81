"""The rows of evaluation (C9): a company's questions with known places, and what each run of them found."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now


class Evaluation(models.Model):
    """A set of questions with known places; measured with the grants of its owner.

    `measured` names the state of the index that was last measured, or is about to be: see `evaluation`.
    """

    name = models.CharField(max_length=100, unique=True)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="evaluations")
    created_at = models.DateTimeField(db_default=Now())
    measured = models.CharField(max_length=64, blank=True, default="")
    behind_since = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return self.name


class EvaluationQuestion(models.Model):
    """One question: `places` state the answer, `also` would be accepted by a careful reviewer.

    A place is {repo, path} and mostly start_line and end_line, both 1-based and inclusive.
    """

    evaluation = models.ForeignKey(Evaluation, models.CASCADE, related_name="questions")
    ordinal = models.PositiveIntegerField()
    name = models.CharField(max_length=100)
    language = models.CharField(max_length=10)
    text = models.TextField()
    places = models.JSONField()
    also = models.JSONField(default=list)
    line = models.TextField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["evaluation", "name"], name="evaluation_question_once"),
        ]

    def __str__(self) -> str:
        return self.name


class EvaluationRun(models.Model):
    """One measuring of a set: claimed with a lease, gone through in slices, its figures kept for the trend."""

    class Status(models.TextChoices):
        WAITING = "waiting"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"

    class Trigger(models.TextChoices):
        """What set it off: a person, an indexing that changed something, the command line."""

        PERSON = "person"
        INDEX = "index"
        COMMAND = "command"

    evaluation = models.ForeignKey(Evaluation, models.CASCADE, related_name="runs")
    trigger = models.CharField(max_length=10, choices=Trigger.choices)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.WAITING)
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="evaluation_runs"
    )
    at = models.DateTimeField(db_default=Now())
    ended_at = models.DateTimeField(null=True)
    lease_until = models.DateTimeField(null=True)
    token = models.PositiveIntegerField(default=0)
    attempts = models.PositiveIntegerField(default=0)
    seconds = models.FloatField(default=0)
    figures = models.JSONField(default=dict)
    error = models.TextField(blank=True, default="")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["evaluation"],
                condition=Q(status__in=["waiting", "running"]),
                name="one_unfinished_evaluation",
            ),
        ]
        indexes: ClassVar = [models.Index(fields=["evaluation", "-id"], name="evaluation_trend")]

    def __str__(self) -> str:
        return f"evaluation run {self.pk}"


class EvaluationOutcome(models.Model):
    """What one run found for one question; `first` is {repository_id, repository, path} of the first place."""

    run = models.ForeignKey(EvaluationRun, models.CASCADE, related_name="outcomes")
    question = models.ForeignKey(EvaluationQuestion, models.CASCADE, related_name="outcomes")
    right = ArrayField(models.BigIntegerField())
    repo_first = models.BooleanField()
    file_rank = models.PositiveIntegerField(null=True)
    span = models.BooleanField()
    whole = models.BooleanField()
    found = models.BooleanField()
    first = models.JSONField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["run", "question"], name="evaluation_outcome_once"),
        ]

    def __str__(self) -> str:
        return f"{self.question_id} in run {self.run_id}"
