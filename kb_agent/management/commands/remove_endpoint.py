"""`manage.py remove_endpoint`: use a model no longer; what its calls cost stays in the ledger."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError

from kb_agent.llm import endpoints

if TYPE_CHECKING:
    from argparse import ArgumentParser


class Command(BaseCommand):
    """Take an endpoint out of use."""

    help = (
        "Use a language model or an embedding model no longer, and forget its key. What its calls"
        " cost stays in the ledger; add_endpoint connects it again."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which one."""
        parser.add_argument("name", help="what add_endpoint was told")

    def handle(self, *_: Any, **options: Any) -> None:
        """Take it out, and say what answers from now on."""
        try:
            endpoints.retire(options["name"])
        except endpoints.BadEndpoint as error:
            raise CommandError(str(error)) from error
        left = ", ".join(endpoint.name for endpoint in endpoints.chosen())
        self.stdout.write(f"{options['name']} is used no longer. Questions go to: {left}.")
