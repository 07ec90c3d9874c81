"""`manage.py hooks`: who runs when topics start and end, how it went lately; switch one off or on."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError

from kb_agent.usecases import hooks, refusals

if TYPE_CHECKING:
    from argparse import ArgumentParser


class Command(BaseCommand):
    """Show and switch."""

    help = "Show the hooks of topics in their order; switch off one that is not essential."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Nothing, or one hook to switch."""
        does = parser.add_mutually_exclusive_group()
        does.add_argument("--off", metavar="PATH", help="skip this hook from now on")
        does.add_argument("--on", metavar="PATH", help="run it again")
        parser.add_argument("--json", action="store_true", help="print one JSON object a hook")

    def handle(self, *_: Any, **options: Any) -> None:
        """Make the one call, and show."""
        path = options["off"] or options["on"]
        try:
            if path:
                hooks.switch(path, on=bool(options["on"]))
        except refusals.Refusal as refused:
            raise CommandError(str(refused)) from refused
        for each in hooks.every():
            shown = json.dumps(asdict(each), default=str, ensure_ascii=False)
            self.stdout.write(shown if options["json"] else _line(each))


def _line(each: hooks.HookShown) -> str:
    state = "essential" if each.essential else ("on" if each.on else "off")
    figures = each.figures
    went = ", ".join(f"{count} {outcome}" for outcome, count in figures.outcomes.items())
    took = "" if figures.median_seconds is None else f", median {figures.median_seconds:.3f} s"
    told = each.problem or each.does_en
    return f"{each.stage} {each.order}. {each.hook} ({state}): {told} [{went or 'no runs'}{took}]"
