"""`manage.py add_repository`: follow a code base."""

from __future__ import annotations

import os
from argparse import ArgumentTypeError
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError

from kb_agent.repositories.mirror import schedule
from kb_agent.repositories.mirror.credentials import Login
from kb_agent.repositories.mirror.registry import About, Change
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
        add_about_arguments(parser)
        add_login_arguments(parser)

    def handle(self, *_: Any, **options: Any) -> None:
        """Add it, and say who reads it."""
        try:
            added = upkeep.add(
                options["name"],
                options["source"],
                branches=options["branch"],
                groups=options["group"],
                about=about(options),
                login=login(options),
            )
            if options["schedule"] is not None:
                upkeep.change(added, Change(schedule_minutes=options["schedule"]))
        except refusals.Refusal as refused:
            raise CommandError(str(refused)) from refused
        readers = ", ".join(options["group"]) or "nobody yet (give a group with --group)"
        self.stdout.write(
            f"{added.name} was added; read by {readers}. Index it: manage.py index {added.name}"
        )


def add_about_arguments(parser: ArgumentParser) -> None:
    """What staff call it, and how often it is fetched."""
    parser.add_argument(
        "--description",
        action="append",
        default=[],
        help="zh=… or en=…; one line, as staff call it",
    )
    parser.add_argument("--description-zh", help="the same for Chinese")
    parser.add_argument("--description-en", help="the same for English")
    parser.add_argument(
        "--schedule",
        type=minutes,
        metavar="MINUTES",
        help="how often it is fetched by itself; 0 is never",
    )


def minutes(text: str) -> int:
    """Minutes between two fetches, up to a week."""
    if not text.isdecimal() or int(text) > schedule.LONGEST_MINUTES:
        raise ArgumentTypeError(f"minutes are 0 to {schedule.LONGEST_MINUTES}")
    return int(text)


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


def about(options: dict[str, Any]) -> About:
    """The descriptions, however they were given."""
    lines = dict(each.partition("=")[::2] for each in options["description"])
    if unknown := lines.keys() - {"zh", "en"}:
        raise CommandError(f"A description is zh=… or en=…, not {', '.join(sorted(unknown))}.")
    given = {name: options[f"description_{name}"] for name in ("zh", "en")}
    lines |= {name: line for name, line in given.items() if line is not None}
    return About(zh=lines.get("zh", ""), en=lines.get("en", ""))
