"""`manage.py evaluate`: how well search finds the known places of a file of questions, or of a kept set (C9)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError

from kb_agent.management.commands.search_code import as_result
from kb_agent.repositories.evaluation import scoring
from kb_agent.usecases import measuring, people, refusals

if TYPE_CHECKING:
    from argparse import ArgumentParser

EVERY = 20


class Command(BaseCommand):
    """Measure search."""

    help = "Ask a file of questions with known places, and print how often they were found."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which questions, of which code, as whom."""
        parser.add_argument(
            "file", nargs="?", help="a line of JSON a question (docs/evaluation.md)"
        )
        parser.add_argument("--kept", metavar="NAME", help="run a set kept in the browser instead")
        parser.add_argument(
            "--repositories", nargs="+", default=[], metavar="NAME", help="search only these"
        )
        parser.add_argument("--as", dest="person", metavar="USER", help="search as this person")
        parser.add_argument("--json", action="store_true", help="print one JSON object")
        parser.add_argument(
            "--out", metavar="RESULTS", help="write the places found, a line a question"
        )

    def handle(self, *_: Any, **options: Any) -> None:
        """Measure and print."""
        if bool(options["file"]) == bool(options["kept"]):
            raise CommandError("Name a file of questions, or a set with --kept.")
        try:
            figures = self._kept(options) if options["kept"] else self._file(options)
        except refusals.Refusal as refused:
            raise CommandError(str(refused)) from refused
        said = (
            json.dumps(figures, ensure_ascii=False) if options["json"] else scoring.table(figures)
        )
        self.stdout.write(said)

    def _kept(self, options: dict[str, Any]) -> dict[str, scoring.Figures]:
        if options["repositories"] or options["person"] or options["out"]:
            raise CommandError("A kept set runs as its owner, over what they read.")
        ended = measuring.run_named(options["kept"])
        if ended.error:
            raise CommandError(ended.error)
        return scoring.ordered(ended.figures)

    def _file(self, options: dict[str, Any]) -> dict[str, scoring.Figures]:
        person = people.named(options["person"]) if options["person"] else people.operator()
        try:
            text = Path(options["file"]).read_text("utf-8")
        except (OSError, UnicodeDecodeError) as unreadable:
            raise CommandError(f"{options['file']} cannot be read: {unreadable}") from unreadable
        measured = measuring.measure(
            person, text, repositories=options["repositories"], on_progress=self._progress
        )
        if options["out"]:
            lines = [
                json.dumps(as_result(name, found), ensure_ascii=False)
                for name, found in measured.found
            ]
            Path(options["out"]).write_text("\n".join(lines) + "\n", "utf-8")
        return measured.figures

    def _progress(self, done: int, total: int) -> None:
        if done % EVERY == 0 or done == total:
            self.stderr.write(f"{done} of {total} questions")
