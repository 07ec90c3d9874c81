"""`manage.py topic`: builds the parser of every verb and calls the one that was asked for.

A verb is a module of `kb_agent.management.topic_commands` with `add_arguments(parser)` and
`handle(options, out)`; its help is the first line of its docstring, its name the module's.
"""

from __future__ import annotations

import importlib
import pkgutil
from argparse import ArgumentParser
from collections.abc import Mapping
from types import ModuleType
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from kb_agent.management import topic_commands
from tapes.errors import TapeError


class Command(BaseCommand):
    """Dispatches to a module a verb; every verb takes `--json`."""

    help = "Look at topics."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """One sub-command a module."""
        parsers = parser.add_subparsers(dest="verb", required=True)
        for verb, module in verbs().items():
            said = (module.__doc__ or "").splitlines()[0]
            one = parsers.add_parser(verb, help=said, description=said)
            one.add_argument("--json", action="store_true", help="answer in JSON")
            module.add_arguments(one)

    def handle(self, *_: Any, verb: str, **options: Any) -> None:
        """Call the verb; a refusal of a tape is said in one line, with exit code 1."""
        try:
            verbs()[verb].handle(options, self.stdout)
        except TapeError as error:
            raise CommandError(f"{error.code}: {error}") from error


def verbs() -> Mapping[str, ModuleType]:
    """Return the modules by verb."""
    names = sorted(found.name for found in pkgutil.iter_modules(topic_commands.__path__))
    return {name: importlib.import_module(f"{topic_commands.__name__}.{name}") for name in names}
