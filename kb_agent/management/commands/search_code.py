"""`manage.py search_code`: find places in code without asking a question."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError

from kb_agent.usecases import people, refusals, search

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from kb_agent.repositories.search import Hit, Results


class Command(BaseCommand):
    """Search code."""

    help = "Find the places in code that a question is about, as its asker may read them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """What to find, as whom, how many."""
        parser.add_argument("question")
        parser.add_argument("--as", dest="person", metavar="USER", help="search as this person")
        parser.add_argument(
            "--repository", action="append", default=[], help="only this one; may be repeated"
        )
        parser.add_argument("--branch", default="")
        parser.add_argument("--limit", type=int, default=10)
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *_: Any, **options: Any) -> None:
        """Search and print."""
        try:
            person = people.named(options["person"]) if options["person"] else people.operator()
            found = search.find(
                person,
                options["question"],
                repositories=options["repository"],
                branch=options["branch"],
                limit=options["limit"],
            )
        except refusals.Refusal as refused:
            raise CommandError(str(refused)) from refused
        self.stdout.write(as_json(found) if options["json"] else as_text(found))


def as_json(found: Results) -> str:
    """The results as one JSON object."""
    return json.dumps(asdict(found), ensure_ascii=False, indent=2)


def as_text(found: Results) -> str:
    """The results for a terminal."""
    if not found.hits:
        return "Nothing was found." + (f" Tried: {', '.join(found.tried)}" if found.tried else "")
    head = []
    if found.routing:
        also = f", next {found.routing.runner_up}" if found.routing.runner_up else ""
        head.append(f"{found.routing.repository} (certainty {found.routing.certainty}{also})")
    return "\n".join([*head, *(_line(number, hit) for number, hit in enumerate(found.hits, 1))])


def _line(number: int, hit: Hit) -> str:
    why = ", ".join(f"{match.query}={match.code}" for match in hit.why)
    place = f"{hit.repository} {hit.path}:{hit.start_line}-{hit.end_line}"
    return f"{number:2}. {place}{f' {hit.symbol}' if hit.symbol else ''}  [{hit.score:.2f}] {why}"
