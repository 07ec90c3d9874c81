"""`manage.py add_person`: someone who may sign in."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError

from kb_agent.accounts.models import RoleName
from kb_agent.usecases import people, refusals

if TYPE_CHECKING:
    from argparse import ArgumentParser


class Command(BaseCommand):
    """Add a person, and print the password when it was made here."""

    help = "Add a person who may sign in; groups are what repositories are granted to."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Who they are and what they may do."""
        parser.add_argument("username")
        parser.add_argument("--name", default="", help="the name others see")
        parser.add_argument("--password", default="", help="generated and printed when left out")
        parser.add_argument("--group", action="append", default=[], help="may be repeated")
        parser.add_argument(
            "--role", action="append", default=[], choices=RoleName.values, help="may be repeated"
        )

    def handle(self, *_: Any, **options: Any) -> None:
        """Add them, or say why not."""
        password = options["password"] or secrets.token_urlsafe(12)
        try:
            user = people.add(
                options["username"],
                password,
                display_name=options["name"],
                groups=options["group"],
                names=options["role"],
            )
        except refusals.Refusal as refused:
            raise CommandError(str(refused)) from refused
        made = "" if options["password"] else f" Password: {password}"
        self.stdout.write(f"Added {user.username}.{made}")
