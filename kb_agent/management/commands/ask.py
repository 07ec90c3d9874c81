"""`manage.py ask`: a question from the command line, answered as in the browser."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError

from kb_agent.usecases import answers, people, questions, refusals
from kb_agent.usecases.placement import Place

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from kb_agent.usecases.answers import Answer


class Command(BaseCommand):
    """Ask, wait, print."""

    help = "Ask a question and print the answer with its citations."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """What to ask, as whom, where."""
        parser.add_argument("question")
        parser.add_argument("--as", dest="person", metavar="USER", help="ask as this person")
        parser.add_argument("--topic", type=int, help="follow up in this topic")
        parser.add_argument(
            "--after",
            default="",
            metavar="ANCHOR",
            help="show the model what follows this anchor: a name (its latest), or a seq",
        )
        parser.add_argument(
            "--experiment",
            action="store_true",
            help="discard question and answer when it ends: no later question knows of them",
        )
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *_: Any, **options: Any) -> None:
        """Ask and print; ends with an error when the turn did not end with an answer."""
        try:
            person = people.named(options["person"]) if options["person"] else people.operator()
            place = Place(
                options["topic"], after_anchor=options["after"], experiment=options["experiment"]
            )
            asked = questions.ask(person, options["question"], place=place)
            answer = answers.wait(person, asked.turn.id)
        except refusals.Refusal as refused:
            raise CommandError(str(refused)) from refused
        self.stdout.write(as_json(answer) if options["json"] else as_text(answer))
        if answer.turn.status != "done":
            raise CommandError(
                f"The turn {answer.turn.status}: {answer.turn.reason or 'no reason'}."
            )


def as_json(answer: Answer) -> str:
    """The answer as one JSON object."""
    turn = answer.turn
    said = {
        "topic": turn.topic,
        "turn": turn.id,
        "status": turn.status,
        "experiment": turn.experiment,
        "reason": turn.reason,
        "answer": answer.text,
        "verified": answer.verified,
        "citations": [asdict(each) for each in answer.citations],
        "usage": turn.usage,
    }
    return json.dumps(said, ensure_ascii=False, indent=2)


def as_text(answer: Answer) -> str:
    """The answer for a terminal."""
    turn = answer.turn
    lines = [answer.text or "", ""]
    lines += [
        f"{each.repository} {each.path}:{each.start_line}-{each.end_line} @ {each.commit[:10]}"
        f"{'' if each.valid else ' (not valid)'}"
        for each in answer.citations
    ]
    lines.append(
        f"topic {turn.topic}, turn {turn.id}: {turn.status}{f' ({turn.reason})' if turn.reason else ''}"
    )
    return "\n".join(lines).strip()
