"""Gauge: what calls have taught about a model at an address, beyond what was set up."""

from __future__ import annotations

from typing import ClassVar

from django.db import models


class Gauge(models.Model):
    """How a model counts tokens, and where it refused; only learnt, so it can be thrown away."""

    base_url = models.CharField(max_length=500)
    model = models.CharField(max_length=200)
    ratio = models.FloatField()
    """Tokens of the model for each one of our estimate."""
    window = models.PositiveIntegerField(null=True)
    """What the newest refusal for length taught."""
    refused_at = models.DateTimeField(null=True)

    class Meta:
        """One row a model and address."""

        constraints: ClassVar = [
            models.UniqueConstraint(fields=["base_url", "model"], name="gauge_once_a_model")
        ]

    def __str__(self) -> str:
        """The model, and where it is."""
        return f"{self.model} at {self.base_url}"
