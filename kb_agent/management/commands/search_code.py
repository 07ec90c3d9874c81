"""`manage.py search_code`: find places in code without asking a question, or for a file of questions."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError

from kb_agent.usecases import people, refusals, search

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from kb_agent.accounts.models import User
    from kb_agent.repositories.search import Hit, Results

# A file of questions is measured by its first ten files, and a file may hold many places.
PLACES_A_QUESTION = 100


class Command(BaseCommand):
    """Search code."""

    help = "Find the places in code that a question is about, as its asker may read them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """What to find, as whom, how many."""
        parser.add_argument("question", nargs="?", default="")
        parser.add_argument("--as", dest="person", metavar="USER", help="search as this person")
        parser.add_argument(
            "--repository", action="append", default=[], help="only this one; may be repeated"
        )
        parser.add_argument("--branch", default="")
        parser.add_argument(
            "--without",
            action="append",
            default=[],
            choices=search.SIGNALS,
            help="leave a signal out, to measure what it brings; may be repeated",
        )
        parser.add_argument("--limit", type=int, default=None)
        parser.add_argument("--json", action="store_true", help="print one JSON object")
        parser.add_argument(
            "--questions",
            metavar="FILE",
            help="a line of JSON a question; only id and question are read",
        )
        parser.add_argument(
            "--out", metavar="RESULTS", help="where the places are written, a line a question"
        )

    def handle(self, *_: Any, **options: Any) -> None:
        """Search and print, or write."""
        if bool(options["questions"]) != bool(options["out"]):
            raise CommandError("--questions and --out go together.")
        try:
            person = people.named(options["person"]) if options["person"] else people.operator()
            if options["questions"]:
                self._answer_file(person, options)
                return
            found = _find(person, options["question"], options, limit=10)
        except refusals.Refusal as refused:
            raise CommandError(str(refused)) from refused
        self.stdout.write(as_json(found) if options["json"] else as_text(found))

    def _answer_file(self, person: User, options: dict[str, Any]) -> None:
        asked = [
            json.loads(line)
            for line in Path(options["questions"]).read_text("utf-8").splitlines()
            if line.strip()
        ]
        with Path(options["out"]).open("w", encoding="utf-8") as out:
            for row in asked:
                found = _find(person, row["question"], options, limit=PLACES_A_QUESTION)
                out.write(json.dumps(as_result(row["id"], found), ensure_ascii=False) + "\n")
        self.stdout.write(f"{len(asked)} questions, places in {options['out']}")


def _find(person: User, question: str, options: dict[str, Any], *, limit: int) -> Results:
    return search.find(
        person,
        question,
        repositories=options["repository"],
        branch=options["branch"],
        without=options["without"],
        limit=limit if options["limit"] is None else options["limit"],
    )


def as_result(name: str, found: Results) -> dict[str, Any]:
    """The places of one question, in the form that `docs/bench/score.py` reads."""
    places = [
        {
            "repo": hit.repository,
            "path": hit.path,
            "start_line": hit.start_line,
            "end_line": hit.end_line,
        }
        for hit in found.hits
    ]
    return {"id": name, "results": places}


def as_json(found: Results) -> str:
    """The results as one JSON object."""
    return json.dumps(asdict(found), ensure_ascii=False, indent=2)


def as_text(found: Results) -> str:
    """The results for a terminal."""
    if not found.hits:
        return "Nothing was found." + (f" Tried: {', '.join(found.tried)}" if found.tried else "")
    head = [] if found.found else ["Not found here, it seems. The nearest places:"]
    if found.routing:
        also = f", next {found.routing.runner_up}" if found.routing.runner_up else ""
        head.append(f"{found.routing.repository} (certainty {found.routing.certainty}{also})")
    return "\n".join([*head, *(_line(number, hit) for number, hit in enumerate(found.hits, 1))])


def _line(number: int, hit: Hit) -> str:
    why = ", ".join(f"{match.query}={match.code}" for match in hit.why)
    place = f"{hit.repository} {hit.path}:{hit.start_line}-{hit.end_line}"
    return f"{number:2}. {place}{f' {hit.symbol}' if hit.symbol else ''}  [{hit.score:.2f}] {why}"
