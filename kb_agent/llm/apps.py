"""The llm application's place in Django."""

from __future__ import annotations

from django.apps import AppConfig


class LlmConfig(AppConfig):
    """Owns Endpoint and Price."""

    name = "kb_agent.llm"
    label = "llm"
    default_auto_field = "django.db.models.BigAutoField"
