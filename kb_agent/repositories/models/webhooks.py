"""The rows of webhooks: where a server of code says that something was pushed, and what it has said."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models.functions import Now


class Webhook(models.Model):
    """A repository's address for pushes; the secret is sealed, the key in the address names the row."""

    repository = models.OneToOneField(
        "repositories.Repository", models.CASCADE, related_name="webhook"
    )
    key = models.CharField(max_length=64, unique=True)
    sealed = models.TextField()
    created_at = models.DateTimeField(db_default=Now())
    heard_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"webhook of {self.repository_id}"


class Delivery(models.Model):
    """A message that was taken, by the digest of what makes it one: it is taken once."""

    webhook = models.ForeignKey(Webhook, models.CASCADE, related_name="deliveries")
    digest = models.CharField(max_length=64)
    at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["webhook", "digest"], name="delivery_once"),
        ]

    def __str__(self) -> str:
        return f"{self.webhook_id}: {self.digest[:10]}"
