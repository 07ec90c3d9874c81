"""Endpoint: where a language model or an embedding model is reached, and what it costs."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from kb_agent.llm import keys

EVIDENCE = "evidence"


class Endpoint(models.Model):
    """An OpenAI-compatible endpoint and one model behind it: for chat, or for embeddings.

    Prices are per million tokens in `currency`; an empty price is unknown, never zero.
    """

    class Kind(models.TextChoices):
        """What the endpoint is asked for."""

        CHAT = "chat", "Chat Completions"
        EMBEDDING = "embedding", "Embeddings"

    class Inputs(models.TextChoices):
        """How an embedding model is told a question from a passage."""

        PLAIN = "plain", "not at all"
        INPUT_TYPE = "input_type", "by the parameter input_type"
        PREFIXED = "prefixed", "by the words `query: ` and `passage: ` before the text"

    class Tools(models.TextChoices):
        """How the model is told of tools."""

        NATIVE = "native", "Chat Completions tools"
        TEXT = "text", "a text protocol, for models without tool calling"

    name = models.CharField(max_length=100, unique=True)
    kind = models.CharField(max_length=10, choices=Kind, default=Kind.CHAT)
    base_url = models.CharField(max_length=500)
    key_encrypted = models.TextField(blank=True, default="")
    model = models.CharField(max_length=200)
    window = models.PositiveIntegerField(
        null=True, blank=True, help_text="Tokens the model can take; empty: unknown."
    )
    max_tokens = models.PositiveIntegerField(
        null=True, blank=True, help_text="Longest answer asked for; empty: the provider's default."
    )
    tools = models.CharField(max_length=10, choices=Tools, default=Tools.NATIVE)
    inputs = models.CharField(max_length=10, choices=Inputs, default=Inputs.PLAIN)
    position = models.PositiveIntegerField(
        default=100, help_text="Order of use; later ones are fallbacks."
    )
    enabled = models.BooleanField(default=True)
    idle_seconds = models.PositiveIntegerField(
        default=120, help_text="Silence after which a call counts as failed."
    )
    input_price = models.DecimalField(max_digits=12, decimal_places=6, null=True, blank=True)
    cached_price = models.DecimalField(max_digits=12, decimal_places=6, null=True, blank=True)
    output_price = models.DecimalField(max_digits=12, decimal_places=6, null=True, blank=True)
    currency = models.CharField(max_length=3, default="USD")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        """Fallback order."""

        ordering: ClassVar[list[str]] = ["position", "id"]

    def __str__(self) -> str:
        """The name people gave it."""
        return self.name

    @property
    def by_rule(self) -> bool:
        """True for the built-in evidence model, which calls no provider."""
        return not self.base_url and self.model == EVIDENCE

    @property
    def key(self) -> str:
        """The provider key in clear, for the client alone."""
        return keys.unseal(self.key_encrypted)


# Tables of their own files; Django looks for models here.
from kb_agent.llm.gauge_models import Gauge  # noqa: E402, F401
from kb_agent.llm.price_models import Price  # noqa: E402, F401
