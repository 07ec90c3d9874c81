"""Price: what a model costs from a date on; a change is another row, so that earlier calls keep theirs."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now


class Price(models.Model):
    """Prices per million tokens in one currency, for a model or a pattern of models, from a date on."""

    objects: ClassVar[models.Manager[Price]] = models.Manager()

    endpoint = models.CharField(max_length=100, blank=True, default="")
    """The endpoint's name; empty: whichever serves the model."""

    model = models.CharField(max_length=200, blank=True, default="")
    """The model's name, with `*` for any characters; empty: every model of the endpoint."""

    currency = models.CharField(max_length=3)
    input = models.DecimalField(max_digits=14, decimal_places=6)
    cached = models.DecimalField(max_digits=14, decimal_places=6, null=True)
    """Empty: as input."""

    output = models.DecimalField(max_digits=14, decimal_places=6, null=True)
    """Empty: unknown; a model that only embeds needs none."""

    reasoning = models.DecimalField(max_digits=14, decimal_places=6, null=True)
    """Empty: as output."""

    valid_from = models.DateTimeField()
    valid_until = models.DateTimeField(null=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=~Q(endpoint="", model=""), name="price_is_of_something"
            ),
            models.CheckConstraint(
                condition=Q(valid_until=None) | Q(valid_until__gte=F("valid_from")),
                name="price_ends_after_it_begins",
            ),
            models.CheckConstraint(
                condition=Q(input__gte=0)
                & (Q(cached=None) | Q(cached__gte=0))
                & (Q(output=None) | Q(output__gte=0))
                & (Q(reasoning=None) | Q(reasoning__gte=0)),
                name="price_is_not_negative",
            ),
            models.CheckConstraint(
                condition=Q(currency__regex=r"^[A-Z]{3}$"), name="price_has_a_currency"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.model or self.endpoint} from {self.valid_from:%Y-%m-%d}"
