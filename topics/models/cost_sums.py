"""Sums of ended calls by day and by what a dashboard tells apart; written by `ledger.rolling` alone (P11).

A table for each question, so that none is answered from more rows than it needs. Those with a `span` hold
each call three times, so that a long period is read from few rows: whole months, then thirds, then days.
"""

from __future__ import annotations

from typing import Any, ClassVar, Self

from django.conf import settings
from django.db import models
from django.db.models import Q

from topics.models.ledger import AMOUNT_DIGITS, AMOUNT_PLACES, Sums


class Span(models.IntegerChoices):
    """How many days a row stands for, at most; `day` is the first of them."""

    DAY = 1
    TEN_DAYS = 10
    """A third of a month: from the 1st, the 11th, or the 21st to its end."""

    MONTH = 31


def _payer(*, db_index: bool = True) -> models.ForeignKey[Any, Any]:
    """Who paid; empty for the company."""
    return models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+", db_index=db_index
    )


def _once(name: str, *fields: str) -> models.UniqueConstraint:
    """A row a key, in a table where the company's payer is no value."""
    return models.UniqueConstraint(
        fields=[*fields, "currency"], nulls_distinct=False, name=f"{name}_once"
    )


class DaySums(Sums):
    """What is added up of the calls of a span of days."""

    span = models.SmallIntegerField(choices=Span.choices, default=Span.DAY.value)
    day = models.DateField()

    class Meta:
        abstract = True


class CostDay(DaySums):
    """One payer, model and purpose."""

    payer = _payer(db_index=False)
    model = models.CharField(max_length=200)
    purpose = models.CharField(max_length=40)

    class Meta:
        constraints: ClassVar = [_once("cost_day", "span", "day", "payer", "model", "purpose")]
        indexes: ClassVar = [
            models.Index(fields=["payer", "span", "day"], name="cost_day_by_payer"),
            models.Index(
                fields=["day"], condition=Q(span=Span.DAY, unpriced__gt=0), name="cost_day_unpriced"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.day}: {self.amount} {self.currency}"


class CostModelDay(DaySums):
    """One model and purpose, whoever paid: what a dashboard without filters reads."""

    model = models.CharField(max_length=200)
    purpose = models.CharField(max_length=40)

    class Meta:
        constraints: ClassVar = [_once("cost_model_day", "span", "day", "model", "purpose")]

    def __str__(self) -> str:
        return f"{self.day}, {self.model}: {self.amount} {self.currency}"


class CostPayerDay(DaySums):
    """One payer, whatever for."""

    payer = _payer()

    class Meta:
        constraints: ClassVar = [_once("cost_payer_day", "span", "day", "payer")]

    def __str__(self) -> str:
        return f"{self.day}, payer {self.payer_id}: {self.amount} {self.currency}"


class CostCodeDay(DaySums):
    """One repository in view, whoever paid for what. A call with several in view stands at each."""

    repository = models.BigIntegerField()

    class Meta:
        constraints: ClassVar = [_once("cost_code_day", "span", "day", "repository")]

    def __str__(self) -> str:
        return f"{self.day}, repository {self.repository}: {self.amount} {self.currency}"


class CostCodeModelDay(DaySums):
    """The same by model and purpose, whoever paid."""

    repository = models.BigIntegerField()
    model = models.CharField(max_length=200)
    purpose = models.CharField(max_length=40)

    class Meta:
        constraints: ClassVar = [
            _once("cost_code_model_day", "span", "day", "repository", "model", "purpose")
        ]

    def __str__(self) -> str:
        return f"{self.day}, repository {self.repository}, {self.model}: {self.amount}"


class CostCodePayerDay(DaySums):
    """The same by payer, whatever for."""

    repository = models.BigIntegerField()
    payer = _payer(db_index=False)

    class Meta:
        constraints: ClassVar = [
            _once("cost_code_payer_day", "repository", "span", "day", "payer"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["payer", "span", "day"], name="cost_code_payer_day_by_payer"),
        ]

    def __str__(self) -> str:
        return f"{self.day}, repository {self.repository}, payer {self.payer_id}: {self.amount}"


class CostRepositoryDay(Sums):
    """The same by payer, model and purpose, day by day: what several filters at once read."""

    day = models.DateField()
    repository = models.BigIntegerField()
    payer = _payer()
    model = models.CharField(max_length=200)
    purpose = models.CharField(max_length=40)

    class Meta:
        constraints: ClassVar = [
            _once("cost_repository_day", "day", "repository", "payer", "model", "purpose"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["repository", "day"], name="cost_repository_day_by_code"),
        ]

    def __str__(self) -> str:
        return f"{self.day}, repository {self.repository}: {self.amount} {self.currency}"


class CostTopicDay(Sums):
    """A day of one topic and payer."""

    day = models.DateField()
    topic = models.ForeignKey("topics.Topic", models.PROTECT, related_name="+")
    payer = _payer()

    class Meta:
        constraints: ClassVar = [_once("cost_topic_day", "day", "topic", "payer")]

    def __str__(self) -> str:
        return f"{self.day}, topic {self.topic_id}: {self.amount} {self.currency}"


class CostMonth(Sums):
    """A month of one payer and model: what budgets are held against."""

    day = models.DateField()
    """The first of the month."""

    payer = _payer()
    model = models.CharField(max_length=200)

    class Meta:
        constraints: ClassVar = [_once("cost_month", "day", "payer", "model")]

    def __str__(self) -> str:
        return f"{self.day:%Y-%m}: {self.amount} {self.currency}"


class Ranks(models.Model):
    """What topics are ranked by, and no more: what the first of them cost is read from their calls."""

    day = models.DateField()
    payer = _payer(db_index=False)
    currency = models.CharField(max_length=3, blank=True, default="")
    calls = models.BigIntegerField(default=0)
    tokens = models.BigIntegerField(default=0)
    amount = models.DecimalField(max_digits=AMOUNT_DIGITS, decimal_places=AMOUNT_PLACES, default=0)

    objects: ClassVar[models.Manager[Self]] = models.Manager()

    class Meta:
        abstract = True


class TopicUseDay(Ranks):
    """A day of one topic, payer, model and purpose."""

    purpose = models.CharField(max_length=40)
    model = models.CharField(max_length=200)
    topic = models.BigIntegerField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["purpose", "model", "day", "topic", "payer", "currency"],
                include=["amount", "tokens", "calls"],
                nulls_distinct=False,
                name="topic_use_day_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.day}, topic {self.topic}, {self.purpose}: {self.amount} {self.currency}"


class TopicCodeDay(Ranks):
    """A day of one topic and payer with one repository in view."""

    repository = models.BigIntegerField()
    topic = models.BigIntegerField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["repository", "day", "topic", "payer", "currency"],
                include=["amount", "tokens", "calls"],
                nulls_distinct=False,
                name="topic_code_day_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.day}, topic {self.topic}, repository {self.repository}: {self.amount}"


SUMS: tuple[type[Sums], ...] = (
    *(CostDay, CostModelDay, CostPayerDay, CostCodeDay, CostCodeModelDay, CostCodePayerDay),
    *(CostRepositoryDay, CostTopicDay, CostMonth),
)
RANKS: tuple[type[Ranks], ...] = (TopicUseDay, TopicCodeDay)
"""Together every table that `ledger.rolling` adds calls up in."""
