"""`manage.py set_token`: sign in to a git server with another token."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError

from kb_agent.management.commands import add_repository
from kb_agent.usecases import refusals, upkeep

if TYPE_CHECKING:
    from argparse import ArgumentParser


class Command(BaseCommand):
    """Keep a token for a server, instead of the one kept so far."""

    help = "Keep a token, encrypted, for the https server of an address; every repository there is fetched with it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """An address on that server, and the token's variable."""
        parser.add_argument("address", help="https://… of any repository there")
        add_repository.add_login_arguments(parser)

    def handle(self, *_: Any, **options: Any) -> None:
        """Keep it, and say for which server."""
        login = add_repository.login(options)
        if login is None:
            raise CommandError("Name the token's environment variable with --token-env.")
        try:
            server = upkeep.set_login(options["address"], login)
        except refusals.Refusal as refused:
            raise CommandError(str(refused)) from refused
        self.stdout.write(f"The token for {server} is kept; the next fetch uses it.")
