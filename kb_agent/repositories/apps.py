"""Django's entry to the app that owns code and its index."""

from __future__ import annotations

from django.apps import AppConfig


class RepositoriesConfig(AppConfig):
    """Repositories, blobs, postings, vocabulary and evidence."""

    name = "kb_agent.repositories"
    label = "repositories"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Hear of facts: their words join the vocabulary."""
        from kb_agent.repositories.facts import words  # noqa: F401, PLC0415 — it needs models, loaded by now
