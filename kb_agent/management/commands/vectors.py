"""`manage.py vectors`: how far the vectors of search by meaning are; fill them now, or cancel."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError

from kb_agent.usecases import refusals, vectors

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from kb_agent.repositories.models.vectors import Space


class Command(BaseCommand):
    """Show, fill, cancel."""

    help = "Show the spaces of vectors; workers fill them by themselves."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Nothing, or one thing to do."""
        does = parser.add_mutually_exclusive_group()
        does.add_argument("--fill", action="store_true", help="embed here and now what is missing")
        does.add_argument(
            "--cancel", action="store_true", help="stop until --fill; what was embedded stays"
        )
        parser.add_argument("--json", action="store_true", help="print one JSON object a space")

    def handle(self, *_: Any, **options: Any) -> None:
        """Make the one call, and show."""
        try:
            if options["fill"]:
                vectors.fill(on_progress=self._progress)
            elif options["cancel"]:
                vectors.cancel()
        except refusals.Refusal as refused:
            raise CommandError(str(refused)) from refused
        shown = vectors.show()
        for space in shown:
            self.stdout.write(
                json.dumps(asdict(space), default=str) if options["json"] else _line(space)
            )
        for told in vectors.of_tapes():
            self.stdout.write(
                json.dumps({"of": "tapes", **told}, default=str)
                if options["json"]
                else _line_of_tapes(told)
            )
        if not shown and not options["json"]:
            self.stdout.write("none: search uses words alone")

    def _progress(self, space: Space) -> None:
        self.stderr.write(f"{space}: {space.done} of {space.total}")


def _line(space: vectors.SpaceShown) -> str:
    size = f"{space.dimension} numbers" if space.dimension else "size not known yet"
    stopped = ", cancelled" if space.cancelled else ""
    error = f", waiting: {space.error}" if space.error else ""
    return (
        f"{space.endpoint} {space.model} ({size}): {space.state},"
        f" {space.done} of {space.total} chunks{stopped}{error}"
    )


def _line_of_tapes(told: dict[str, Any]) -> str:
    error = f", waiting: {told['error']}" if told["error"] else ""
    return f"{told['name']}: {told['vectors']} vectors of {told['tapes']} tapes{error}"
