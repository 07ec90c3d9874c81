"""`manage.py add_repository`: follow a code base."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError

from kb_agent.repositories.credentials import Login
from kb_agent.repositories.registry import About
from kb_agent.usecases import refusals, upkeep

if TYPE_CHECKING:
    from argparse import ArgumentParser


class Command(BaseCommand):
    """Add a repository."""

    help = "Follow a git repository (https, ssh or a local folder) or a plain folder; index it with `index`."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Name, source, and what is optional."""
        parser.add_argument("name")
        parser.add_argument("source", help="https://…, ssh://…, or a folder")
        parser.add_argument(
            "--branch", action="append", default=[], help="branch or tag; may be repeated"
        )
        parser.add_argument(
            "--group", action="append", default=[], help="a group that reads it; may be repeated"
        )
        parser.add_argument(
            "--description", action="append", default=[], help="LANGUAGE=one line, as staff call it"
        )
        add_login_arguments(parser)

    def handle(self, *_: Any, **options: Any) -> None:
        """Add it, and say who reads it."""
        try:
            added = upkeep.add(
                options["name"],
                options["source"],
                branches=options["branch"],
                groups=options["group"],
                about=_about(options["description"]),
                login=login(options),
            )
        except refusals.Refusal as refused:
            raise CommandError(str(refused)) from refused
        readers = ", ".join(options["group"]) or "nobody yet (give a group with --group)"
        self.stdout.write(
            f"{added.name} was added; read by {readers}. Index it: manage.py index {added.name}"
        )


def add_login_arguments(parser: ArgumentParser) -> None:
    """How an https server is signed in to."""
    parser.add_argument(
        "--token-env",
        metavar="VAR",
        help="environment variable that holds the token of an https server; it is kept encrypted, for all of that server",
    )
    parser.add_argument("--username", default="", help="the account, where a token alone won't do")


def login(options: dict[str, Any]) -> Login | None:
    """The token from where it was said to be: never an argument, which other users could read."""
    name = options["token_env"]
    if name is None:
        if options["username"]:
            raise CommandError("--username goes with --token-env.")
        return None
    if name not in os.environ:
        raise CommandError(f"There is no environment variable {name}.")
    return Login(options["username"], os.environ[name].strip())


def _about(descriptions: list[str]) -> About:
    lines = {each.partition("=")[0]: each.partition("=")[2] for each in descriptions}
    if unknown := lines.keys() - {"zh", "en"}:
        raise CommandError(f"A description is zh=… or en=…, not {', '.join(sorted(unknown))}.")
    return About(zh=lines.get("zh", ""), en=lines.get("en", ""))
