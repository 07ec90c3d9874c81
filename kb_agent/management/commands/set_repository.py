"""`manage.py set_repository`: change what is followed, where it comes from, who reads it, and how it is called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError

from kb_agent.management.commands import add_repository
from kb_agent.repositories.mirror.registry import Change
from kb_agent.repositories.models import Repository
from kb_agent.usecases import refusals, upkeep

if TYPE_CHECKING:
    from argparse import ArgumentParser


class Command(BaseCommand):
    """Change a repository."""

    help = (
        "Change a repository; what is not named stays. The next indexing brings what it asks for."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which one, and what to change."""
        parser.add_argument("name")
        parser.add_argument("--name", dest="new_name", help="another name")
        parser.add_argument("--source", help="another https://…, ssh://…, or folder")
        parser.add_argument(
            "--branch", action="append", help="every branch or tag to follow; may be repeated"
        )
        parser.add_argument("--default-branch", help="the branch questions are about")
        parser.add_argument(
            "--group", action="append", default=[], help="one more group that reads it"
        )
        parser.add_argument(
            "--answers",
            choices=Repository.Answers.values,
            help="who may read prose drawn from its code: its readers, or the whole company",
        )
        add_repository.add_about_arguments(parser)
        add_repository.add_login_arguments(parser)

    def handle(self, *_: Any, **options: Any) -> None:
        """Change it, and say what is different."""
        try:
            repository = upkeep.named(options["name"])
            changed = upkeep.change(repository, _change(options))
            changed += upkeep.grant_more(repository, options["group"])
        except refusals.Refusal as refused:
            raise CommandError(str(refused)) from refused
        said = ", ".join(changed) or "nothing"
        self.stdout.write(f"{repository.name}: {said} changed.")


def _change(options: dict[str, Any]) -> Change:
    about = add_repository.about(options)
    return Change(
        name=options["new_name"],
        source=options["source"],
        zh=about.zh or None,
        en=about.en or None,
        answers=options["answers"],
        schedule_minutes=options["schedule"],
        branches=options["branch"],
        default_branch=options["default_branch"],
        login=add_repository.login(options),
    )
