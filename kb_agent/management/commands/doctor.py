"""`manage.py doctor`: what is there, what is missing, what to do."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand

from kb_agent import doctor

if TYPE_CHECKING:
    from argparse import ArgumentParser

MARKS = {doctor.Level.OK: "ok", doctor.Level.WARNING: "!", doctor.Level.FAILED: "FAILED"}


class Command(BaseCommand):
    """Examine and print; exit code 1 when something failed."""

    help = "Check every dependency, setting, version, extension, locale and permission."
    # A broken setting is to be reported here, not to prevent the report.
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """How to print."""
        parser.add_argument("--json", action="store_true", help="print a JSON list")

    def handle(self, *_: Any, **options: Any) -> None:
        """Print a line for each finding, with what to do under it."""
        findings = doctor.examine()
        if options["json"]:
            self.stdout.write(json.dumps([asdict(finding) for finding in findings], indent=2))
        else:
            for finding in findings:
                self.stdout.write(f"{MARKS[finding.level]:8}{finding.name}: {finding.said}")
                if finding.advice:
                    self.stdout.write(f"        → {finding.advice}")
        if any(finding.level is doctor.Level.FAILED for finding in findings):
            sys.exit(1)
