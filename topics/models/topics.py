"""The rows of topics: Topic (written by `lifecycle`), Turn (`asking`, `turns` and `turn_rows`)."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now


class TopicStatus(models.TextChoices):
    """How a topic stands. Aborted means closed by the system (P1, P6)."""

    OPEN = "open"
    FINALIZED = "finalized"
    ABORTED = "aborted"


class FinalizeReason(models.TextChoices):
    """Why a topic ended."""

    OWNER = "owner"
    SUPERSEDED = "superseded"
    IDLE = "idle"
    RESET = "reset"
    ADMINISTRATOR = "administrator"


class TurnStatus(models.TextChoices):
    """How a turn stands (A1)."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    STOPPED = "stopped"
    FAILED = "failed"


UNFINISHED = (TurnStatus.WAITING, TurnStatus.RUNNING)
LANGUAGES = (("zh", "中文"), ("en", "English"))


class Topic(models.Model):
    """The stretch of a tape from `topic_initial` to `topic_finalized`; rebuilt from the tape."""

    tape = models.ForeignKey("tapes.Tape", models.PROTECT, related_name="+")
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="topics")
    title = models.CharField(max_length=200)
    summary = models.TextField(blank=True, default="")
    status = models.CharField(max_length=10, choices=TopicStatus.choices, default=TopicStatus.OPEN)
    reason = models.CharField(max_length=13, choices=FinalizeReason.choices, blank=True, default="")
    """Why it ended; empty while it is open."""

    initial_seq = models.BigIntegerField()
    finalized_seq = models.BigIntegerField(null=True)
    sources = ArrayField(models.BigIntegerField(), default=list, blank=True)
    """The repositories whose text was in view when title and summary were written (C7)."""

    started_at = models.DateTimeField(db_default=Now())
    finalized_at = models.DateTimeField(null=True)
    last_activity_at = models.DateTimeField(db_default=Now())
    finalize_requested = models.CharField(
        max_length=13, choices=FinalizeReason.choices, blank=True, default=""
    )
    """The reason of a finalize that waits for a running turn; empty when none waits (P6)."""

    finalize_actor = models.CharField(max_length=200, blank=True, default="")
    """Who asked for it, as an actor string."""

    continues = models.ForeignKey("self", models.PROTECT, null=True, related_name="continued_by")
    """The finalized topic this one continues (P5)."""

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["tape"], condition=Q(status="open"), name="topic_one_open_on_a_tape"
            ),
            models.UniqueConstraint(fields=["tape", "initial_seq"], name="topic_starts_once"),
            models.CheckConstraint(
                condition=(
                    Q(status="open", reason="", finalized_seq=None, finalized_at=None)
                    | Q(status="finalized", reason__in=["owner", "administrator"])
                    | Q(status="aborted", reason__in=["superseded", "idle", "reset"])
                ),
                name="topic_status_has_its_reason",
            ),
            models.CheckConstraint(
                condition=Q(status="open")
                | Q(finalized_seq__gt=F("initial_seq"), finalized_at__isnull=False),
                name="topic_ends_after_it_starts",
            ),
            models.CheckConstraint(
                condition=Q(finalize_requested__in=["", *FinalizeReason.values])
                & (Q(finalize_requested="") | Q(status="open")),
                name="topic_finalize_is_asked_of_an_open_topic",
            ),
            models.CheckConstraint(condition=~Q(title=""), name="topic_has_a_title"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["owner", "-last_activity_at", "-id"], name="topic_by_owner"),
            models.Index(fields=["-last_activity_at", "-id"], name="topic_by_activity"),
            models.Index(
                fields=["last_activity_at"], condition=Q(status="open"), name="topic_open_by_age"
            ),
        ]

    def __str__(self) -> str:
        return f"topic {self.pk}: {self.title}"


class Turn(models.Model):
    """A question and everything that answers it. The row is the truth, messages only wake (R2)."""

    topic = models.ForeignKey(Topic, models.PROTECT, related_name="turns")
    tape = models.ForeignKey("tapes.Tape", models.PROTECT, related_name="+")
    asker = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="turns")
    question_seq = models.BigIntegerField()
    """Where the question stands; its words are read from the tape."""

    experiment = models.BooleanField(default=False)
    """Its fork, question included, is discarded when it ends: no later question knows of it (T11)."""

    fork = models.ForeignKey("tapes.Fork", models.PROTECT, null=True, related_name="+")
    """Opened by the first claim."""

    status = models.CharField(max_length=8, choices=TurnStatus.choices, default=TurnStatus.WAITING)
    reason = models.CharField(max_length=40, blank=True, default="")
    """Why it ended as it did: a limit, `stopped`, `taken_up`, …; empty for a plain answer."""

    attempts = models.PositiveSmallIntegerField(default=0)
    lease_until = models.DateTimeField(null=True)
    worker = models.CharField(max_length=200, blank=True, default="")
    stop_requested_at = models.DateTimeField(null=True)
    joins = models.ForeignKey("self", models.PROTECT, null=True, related_name="joined")
    """The running turn this question was added to (A8)."""

    taken_by = models.ForeignKey("self", models.PROTECT, null=True, related_name="taken")
    """The turn that took this question up."""

    repositories = ArrayField(models.BigIntegerField(), default=list, blank=True)
    """The repositories the question is limited to; empty means all the asker may read."""

    branch = models.CharField(max_length=255, blank=True, default="")
    language = models.CharField(max_length=2, choices=LANGUAGES, default="zh")
    idempotency_key = models.CharField(max_length=100)
    answer_seq = models.BigIntegerField(null=True)
    created_at = models.DateTimeField(db_default=Now())
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["asker", "idempotency_key"], name="turn_once_a_key"),
            models.UniqueConstraint(fields=["tape", "question_seq"], name="turn_once_a_question"),
            models.UniqueConstraint(
                fields=["tape"], condition=Q(status="running"), name="turn_one_running_on_a_tape"
            ),
            models.CheckConstraint(
                condition=(
                    Q(status="waiting", attempts=0, lease_until=None, ended_at=None)
                    | Q(
                        status="running",
                        attempts__gt=0,
                        lease_until__isnull=False,
                        ended_at=None,
                    )
                    | Q(status__in=["done", "stopped", "failed"], ended_at__isnull=False)
                ),
                name="turn_status_has_its_times",
            ),
            models.CheckConstraint(
                condition=Q(language__in=["zh", "en"]), name="turn_language_is_known"
            ),
            models.CheckConstraint(
                condition=Q(taken_by=None) | Q(status="done"), name="turn_taken_up_is_done"
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["tape", "id"],
                condition=Q(status__in=["waiting", "running"]),
                name="turn_unfinished_by_tape",
            ),
            models.Index(fields=["topic", "id"], name="turn_by_topic"),
        ]

    def __str__(self) -> str:
        return f"turn {self.pk} ({self.status})"
