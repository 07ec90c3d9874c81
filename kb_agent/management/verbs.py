"""A command whose sub-commands are modules: `manage.py tape …`, `manage.py topic …`.

A verb is a module of the command's package with `add_arguments(parser)` and `handle(options, out)`;
its help is the first line of its docstring, its name the module's.
"""

from __future__ import annotations

import importlib
import pkgutil
from argparse import ArgumentParser
from collections.abc import Mapping
from types import ModuleType
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tapes.errors import TapeError


class VerbCommand(BaseCommand):
    """Dispatches to a module a verb; every verb takes `--json`."""

    package: ModuleType
    """Where the verbs are."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """One sub-command a module."""
        parsers = parser.add_subparsers(dest="verb", required=True)
        for verb, module in self.verbs().items():
            said = (module.__doc__ or "").splitlines()[0]
            one = parsers.add_parser(verb, help=said, description=said)
            one.add_argument("--json", action="store_true", help="answer in JSON")
            module.add_arguments(one)

    def handle(self, *_: Any, verb: str, **options: Any) -> None:
        """Call the verb; a refusal of a tape is said in one line, with exit code 1."""
        try:
            self.verbs()[verb].handle(options, self.stdout)
        except TapeError as error:
            raise CommandError(f"{error.code}: {error}") from error

    def verbs(self) -> Mapping[str, ModuleType]:
        """Return the modules by verb; `import_` is named so because `import` is Python's own word."""
        names = sorted(found.name for found in pkgutil.iter_modules(self.package.__path__))
        return {
            name.rstrip("_"): importlib.import_module(f"{self.package.__name__}.{name}")
            for name in names
        }
