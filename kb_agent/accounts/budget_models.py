"""Budget: what a person, a group, a model or the company may spend in a month. Reservation: what a call is thought to cost."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.contrib.auth.models import Group
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

TOKENS = "tokens"


class Scope(models.TextChoices):
    """Whose calls a budget limits."""

    COMPANY = "company"
    PERSON = "person"
    GROUP = "group"
    MODEL = "model"


class Budget(models.Model):
    """A limit for each month, in one currency or in tokens."""

    scope = models.CharField(max_length=7, choices=Scope.choices)
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="budgets"
    )
    group = models.ForeignKey(Group, models.CASCADE, null=True, related_name="budgets")
    model = models.CharField(max_length=200, blank=True, default="")
    unit = models.CharField(max_length=6)
    """`tokens`, or a currency."""

    limit = models.DecimalField(max_digits=20, decimal_places=6)
    warn_at = models.DecimalField(max_digits=4, decimal_places=3)
    """The share of the limit from which people are warned."""

    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )
    created_at = models.DateTimeField(db_default=Now())
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(scope="company", person=None, group=None, model="")
                | Q(scope="person", person__isnull=False, group=None, model="")
                | Q(scope="group", person=None, group__isnull=False, model="")
                | (Q(scope="model", person=None, group=None) & ~Q(model="")),
                name="budget_has_what_it_limits",
            ),
            models.CheckConstraint(
                condition=Q(unit=TOKENS) | Q(unit__regex=r"^[A-Z]{3}$"), name="budget_has_a_unit"
            ),
            models.CheckConstraint(
                condition=Q(limit__gte=0, warn_at__gt=0, warn_at__lte=1),
                name="budget_has_a_limit",
            ),
            models.UniqueConstraint(
                fields=["scope", "person", "group", "model", "unit"],
                condition=Q(ended_at=None),
                nulls_distinct=False,
                name="budget_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.scope} budget {self.pk}: {self.limit} {self.unit}"


class Reservation(models.Model):
    """What a call under way is thought to cost: gone when it ends, or at last when it expires.

    It stays where the provider told no usage: then nothing better is known of what the call used.
    """

    call = models.CharField(max_length=64, primary_key=True)
    payer = models.BigIntegerField(null=True)
    model = models.CharField(max_length=200)
    tokens = models.BigIntegerField()
    amount = models.DecimalField(max_digits=30, decimal_places=12, null=True)
    """Empty where the model has no price."""

    currency = models.CharField(max_length=3, blank=True, default="")
    expires_at = models.DateTimeField()
    month = models.DateField(null=True)
    """The first day of the month that it counts in for good; empty while the call is under way."""

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["expires_at"], name="reservation_by_expiry"),
            models.Index(
                fields=["month"], condition=Q(month__isnull=False), name="reservation_that_stays"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tokens} tokens for call {self.call}"
