"""The project's own Django app: its commands, and privileges after every migrate."""

from __future__ import annotations

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class KbAgentConfig(AppConfig):
    """Listens for its own `post_migrate`, which is sent after the last migration of all apps."""

    name = "kb_agent"
    label = "kb_agent"

    def ready(self) -> None:
        """Connect once."""
        from kb_agent import privileges  # noqa: PLC0415 — its imports need the app registry

        post_migrate.connect(privileges.apply, sender=self, dispatch_uid="privileges")
