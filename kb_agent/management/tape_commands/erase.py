"""Take the words of a range of entries away for good, with what repeats them."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from django.core.management.base import CommandError

from kb_agent.usecases import erasing, refusals

if TYPE_CHECKING:
    from django.core.management.base import OutputWrapper

    from kb_agent.usecases.erasing import Done


def add_arguments(parser: ArgumentParser) -> None:
    """Which entries, why, and for whom."""
    parser.add_argument("name")
    parser.add_argument("--from", type=int, dest="first", metavar="SEQ", required=True)
    parser.add_argument("--to", type=int, dest="last", metavar="SEQ", required=True)
    parser.add_argument(
        "--reason", required=True, metavar="TEXT", help="stays on the tape for good: name no secret"
    )
    parser.add_argument("--by", default="", metavar="USERNAME", help="who asked for it")


def handle(options: Mapping[str, Any], out: OutputWrapper) -> None:
    """Erase, then say what was erased, where else, and what is left to look at."""
    wanted = options["name"], options["first"], options["last"]
    try:
        done = erasing.erase(*wanted, reason=options["reason"], by=options["by"])
    except refusals.Refusal as refusal:
        raise CommandError(f"{refusal.code}: {refusal}") from refusal
    out.write(json.dumps(done.as_dict()) if options["json"] else "\n".join(_lines(done)))


def _lines(done: Done) -> Iterator[str]:
    report = done.report
    yield f"{report.entries} entries lost their words"
    for tape_id, first, last in report.elsewhere:
        yield f"  also on tape {tape_id}: {first}-{last}"
    if report.topics:
        yield f"titles and summaries of topics {', '.join(map(str, report.topics))}"
    if report.spilled:
        yield f"{report.spilled} spilled texts deleted"
    if report.archived:
        yield f"copies in the archive written anew: tapes {', '.join(map(str, report.archived))}"
    if report.shown_to:
        yield (
            f"turns {', '.join(map(str, report.shown_to))} were shown these words and may have"
            " repeated them: look at their entries"
        )
    if not done.live:
        yield "Redis did not answer: run this again, or wait an hour for its live text to lapse"
