"""The rows of the ledger: Call, what a topic cost, and what every sum of calls holds; projections of tapes (P11)."""

from __future__ import annotations

from typing import ClassVar, Self

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

AMOUNT_DIGITS, AMOUNT_PLACES = 30, 12


class CallStatus(models.TextChoices):
    """How a model call stands."""

    STARTED = "started"
    OK = "ok"
    FAILED = "failed"
    CUT = "cut"
    STOPPED = "stopped"
    UNKNOWN = "unknown"
    """It began and nobody saw it end."""


class Call(models.Model):
    """One call of a model: what its two events say. Written by `ledger`, made anew by `ledger.rebuild`."""

    id = models.CharField(max_length=64, primary_key=True)
    """The id in both events."""

    tape = models.ForeignKey("tapes.Tape", models.PROTECT, related_name="+")
    topic = models.ForeignKey("topics.Topic", models.PROTECT, null=True, related_name="calls")
    turn = models.ForeignKey("topics.Turn", models.PROTECT, null=True, related_name="calls")
    started_seq = models.BigIntegerField()
    ended_seq = models.BigIntegerField(null=True)
    purpose = models.CharField(max_length=40)
    payer = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="calls_paid"
    )
    """Empty when the company pays: no person asked."""

    asker = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="calls_asked"
    )
    endpoint = models.CharField(max_length=100, blank=True, default="")
    model = models.CharField(max_length=200)
    """As it was asked for: what prices and budgets go by. Some providers answer under another name."""

    repositories = ArrayField(models.BigIntegerField(), default=list, blank=True)
    """Those whose text was in view."""

    attempt = models.PositiveSmallIntegerField(default=1)
    """Above 1 it is a retry, or another model after one that failed."""

    opens_turn = models.BooleanField(default=False)
    """The first call of a turn: counting these counts turns."""

    input = models.BigIntegerField(null=True)
    cached = models.BigIntegerField(null=True)
    output = models.BigIntegerField(null=True)
    reasoning = models.BigIntegerField(null=True)
    """Disjoint counts; empty when the provider told none."""

    amount = models.DecimalField(
        max_digits=AMOUNT_DIGITS, decimal_places=AMOUNT_PLACES, null=True, blank=True
    )
    currency = models.CharField(max_length=3, blank=True, default="")
    unpriced = models.BooleanField(default=False)
    """It ended and what it cost is not known; never zero (P11)."""

    status = models.CharField(
        max_length=7, choices=CallStatus.choices, default=CallStatus.STARTED.value
    )
    error = models.CharField(max_length=60, blank=True, default="")
    """The code of what went wrong."""

    seconds = models.FloatField(null=True)
    day = models.DateField()
    """The day it began, where the company is (KB_AGENT_COST_TIME_ZONE)."""

    started_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)
    spilled = ArrayField(models.CharField(max_length=64), default=list, blank=True)
    """Digests of stored messages and answers, deleted with what they were made from (T19)."""

    of_topics = ArrayField(models.BigIntegerField(), default=list, blank=True)
    """Other topics whose words were in the question."""

    rolled = models.BooleanField(default=False)
    """Whether the sums by day hold it."""

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(ended_seq__isnull=False) | Q(rolled=False, status="started"),
                name="call_is_summed_once_ended",
            ),
            models.CheckConstraint(
                condition=Q(unpriced=False) | Q(amount=None), name="call_unpriced_has_no_amount"
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["topic", "started_seq"], name="call_by_topic"),
            models.Index(fields=["day", "model"], name="call_by_day"),
            models.Index(
                fields=["id"], condition=Q(rolled=False, ended_seq__isnull=False), name="call_left"
            ),
            models.Index(
                fields=["started_at"], condition=Q(status="started"), name="call_not_ended"
            ),
            models.Index(fields=["model", "day"], condition=Q(unpriced=True), name="call_unpriced"),
        ]

    def __str__(self) -> str:
        return f"{self.purpose} by {self.model} ({self.status})"


class Sums(models.Model):
    """What is added up of calls that have ended."""

    currency = models.CharField(max_length=3, blank=True, default="")
    """Empty for what is free, and for calls without a known price."""

    calls = models.BigIntegerField(default=0)
    turns = models.BigIntegerField(default=0)
    failed = models.BigIntegerField(default=0)
    retries = models.BigIntegerField(default=0)
    unpriced = models.BigIntegerField(default=0)
    input = models.BigIntegerField(default=0)
    cached = models.BigIntegerField(default=0)
    output = models.BigIntegerField(default=0)
    reasoning = models.BigIntegerField(default=0)
    amount = models.DecimalField(max_digits=AMOUNT_DIGITS, decimal_places=AMOUNT_PLACES, default=0)

    objects: ClassVar[models.Manager[Self]] = models.Manager()

    class Meta:
        abstract = True


class TopicCost(Sums):
    """What a topic's calls cost, a row a currency; kept in the transaction of each call's end."""

    topic = models.ForeignKey("topics.Topic", models.PROTECT, related_name="costs")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["topic", "currency"], name="topic_cost_once"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["currency", "amount"], name="topic_cost_by_amount"),
        ]

    def __str__(self) -> str:
        return f"topic {self.topic_id}: {self.amount} {self.currency}"
