"""`manage.py grant`: more groups or roles for a person."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError

from kb_agent.accounts.models import RoleName
from kb_agent.usecases import people, refusals

if TYPE_CHECKING:
    from argparse import ArgumentParser


class Command(BaseCommand):
    """Put a person into groups and roles."""

    help = "Put a person into groups (which read repositories) and give them roles."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Who gets what."""
        parser.add_argument("username")
        parser.add_argument("--group", action="append", default=[], help="may be repeated")
        parser.add_argument(
            "--role", action="append", default=[], choices=RoleName.values, help="may be repeated"
        )

    def handle(self, *_: Any, **options: Any) -> None:
        """Grant, and say what the person has now."""
        try:
            user = people.grant(options["username"], groups=options["group"], names=options["role"])
        except refusals.Refusal as refused:
            raise CommandError(str(refused)) from refused
        groups = ", ".join(sorted(group.name for group in user.groups.all())) or "no group"
        self.stdout.write(f"{user.username} is in {groups}.")
