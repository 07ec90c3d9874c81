"""The Django app of topics."""

from __future__ import annotations

from django.apps import AppConfig


class TopicsConfig(AppConfig):
    """Topics, turns and hook runs; knows tapes and no people beyond their ids."""

    name = "topics"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register the checks of the hook settings, what topics forget in an erasure, the ledger."""
        from topics import (  # noqa: PLC0415 — they need models, loaded by now
            checks,  # noqa: F401
            erasing,  # noqa: F401
            ledger,
            recalling,  # noqa: F401
        )
        from topics.ledger import erasing as ledger_erasing  # noqa: F401, PLC0415

        ledger.keep()
