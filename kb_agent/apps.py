"""The project's own Django app: it has commands, and no tables."""

from __future__ import annotations

from django.apps import AppConfig


class KbAgentConfig(AppConfig):
    """Names the app, so that its label is not taken by chance."""

    name = "kb_agent"
    label = "kb_agent"
