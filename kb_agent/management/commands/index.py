"""`manage.py index`: fetch and index repositories here and now, with a progress bar."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError

from kb_agent.usecases import refusals, upkeep

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from kb_agent.repositories.models import IndexRun

WIDTH = 24


class Command(BaseCommand):
    """Index repositories."""

    help = "Fetch and index the named repositories, or all. Ends with files, chunks and seconds."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which repositories."""
        parser.add_argument("names", nargs="*", metavar="NAME")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *_: Any, **options: Any) -> None:
        """Index, and end with an error when a repository could not be indexed."""
        quiet = options["json"] or options["verbosity"] == 0
        try:
            runs = upkeep.index(options["names"], on_progress=None if quiet else self._bar)
        except refusals.Refusal as refused:
            raise CommandError(str(refused)) from refused
        if options["json"]:
            self.stdout.write(
                json.dumps({"runs": [upkeep.as_json(run) for run in runs]}, default=str)
            )
        else:
            self._end(runs)
        if failed := [run for run in runs if run.status != "done"]:
            raise CommandError(
                "; ".join(f"{run.repository.name}: {upkeep.why(run)}" for run in failed)
            )

    def _bar(self, run: IndexRun) -> None:
        if not self.stdout.isatty():
            return
        share = run.done / run.total if run.total else 0
        bar = "█" * round(share * WIDTH)
        self.stdout.write(
            f"\r{run.repository.name:24.24} {run.phase or run.status:10} {bar:{WIDTH}} {run.done}/{run.total} ",
            ending="",
        )
        self.stdout.flush()

    def _end(self, runs: list[IndexRun]) -> None:
        clear = "\r\033[K" if self.stdout.isatty() else ""
        for run in runs:
            self.stdout.write(
                f"{clear}{run.repository.name}: {run.status}, {run.files} files, {run.chunks} chunks, {run.seconds:.1f} seconds"
            )
        if len(runs) > 1:
            files, chunks = sum(run.files for run in runs), sum(run.chunks for run in runs)
            self.stdout.write(
                f"all: {files} files, {chunks} chunks, {sum(run.seconds for run in runs):.1f} seconds"
            )
