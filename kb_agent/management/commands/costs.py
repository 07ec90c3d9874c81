"""`manage.py costs`: makes the ledger anew from tapes, and prices past calls whose price was unknown."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from kb_agent.usecases import ledger


class Command(BaseCommand):
    """One verb of two."""

    help = "Keep the ledger of model calls."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """`rebuild`, or `reprice [--model NAME]`."""
        verbs = parser.add_subparsers(dest="verb", required=True)
        verbs.add_parser("rebuild", help="write every call and every sum again from the tapes")
        priced = verbs.add_parser(
            "reprice",
            help="price calls of unknown price by the prices that held then, as events on their tapes",
        )
        priced.add_argument("--model", default="", help="only calls of this model")

    def handle(self, *_: Any, verb: str, **options: Any) -> None:
        """Do it and say in JSON what was done."""
        done = ledger.rebuild() if verb == "rebuild" else ledger.reprice(options["model"])
        self.stdout.write(json.dumps(done))
