"""`manage.py remove_repository`: its index and words leave at once; old answers and what they cite stay."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError

from kb_agent.usecases import refusals, upkeep

if TYPE_CHECKING:
    from argparse import ArgumentParser


class Command(BaseCommand):
    """Remove a repository."""

    help = (
        "Remove a repository. Old answers stay, and who could read it still opens what they cite."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which one."""
        parser.add_argument("name")

    def handle(self, *_: Any, **options: Any) -> None:
        """Remove it."""
        try:
            upkeep.remove(upkeep.named(options["name"]))
        except refusals.Refusal as refused:
            raise CommandError(str(refused)) from refused
        self.stdout.write(f"{options['name']} was removed.")
