"""`manage.py prepare`: what `make run` does before it starts anything, in one process."""

from __future__ import annotations

from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand


class Command(BaseCommand):
    """Migrate, then seed a first start."""

    help = "Bring the database up to date, and fill it on the first start."

    def handle(self, *_: Any, **options: Any) -> None:
        """Both change nothing when there is nothing to do."""
        call_command("migrate", interactive=False, verbosity=0)
        call_command("seed_demo", first_start=True, stdout=self.stdout)
