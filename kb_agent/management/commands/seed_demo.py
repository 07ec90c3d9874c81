"""`manage.py seed_demo`: people, repositories and questions to start with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand

from kb_agent.usecases import demo

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from kb_agent.repositories.models import IndexRun


class Command(BaseCommand):
    """Seed, and say how indexing ended."""

    help = "Add the demo's people and repositories; what is there already stays as it is."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """When to do nothing."""
        parser.add_argument(
            "--first-start", action="store_true", help="do nothing once other people were added"
        )

    def handle(self, *_: Any, **options: Any) -> None:
        """Seed with a line a phase; a repository that fails to index does not stop the start."""
        if options["first_start"] and not demo.wanted():
            return
        for run in demo.seed(on_progress=self._say):
            said = run.error or f"{run.files} files, {run.chunks} chunks, {run.seconds:.1f} s"
            self.stdout.write(f"  {run.repository.name}: {run.status}, {said}")

    def _say(self, run: IndexRun) -> None:
        if self.stdout.isatty():
            self.stdout.write(
                f"\r  indexing {run.repository.name} {run.done}/{run.total}\033[K\r", ending=""
            )
