"""`migrate`, as the tables' owner unless told otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.management.base import CommandError
from django.core.management.commands import migrate

from kb_agent import privileges

if TYPE_CHECKING:
    from django.core.management.base import CommandParser


class Command(migrate.Command):
    """Only the owner's role may create tables; the application's role must exist before."""

    def add_arguments(self, parser: CommandParser) -> None:
        """Django's arguments, with the owner as the default database."""
        super().add_arguments(parser)
        parser.set_defaults(database="owner")

    def handle(self, *args: Any, **options: Any) -> None:
        """Make the application's role where it is missing, migrate, then say what it may do."""
        if options["database"] != "owner":
            raise CommandError("Only the owner's role migrates: leave --database out.")
        privileges.ensure_application_role()
        super().handle(*args, **options)
        privileges.apply()
