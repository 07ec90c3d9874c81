"""Mark entries of a tape with a note; the window stays where it is."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from kb_agent.management import tape_writing
from kb_agent.usecases import tape_acts

if TYPE_CHECKING:
    from django.core.management.base import OutputWrapper


def add_arguments(parser: ArgumentParser) -> None:
    """The tape, the entries and what is said of them."""
    parser.add_argument("name")
    parser.add_argument("seqs", nargs="+", type=int, metavar="SEQ")
    parser.add_argument("--note", required=True)
    parser.add_argument("--mark", default="lesson", metavar="NAME", help="the mark's own name")
    tape_writing.add_person(parser)


def handle(options: Mapping[str, Any], out: OutputWrapper) -> None:
    """Say where the mark stands."""
    with tape_writing.act(options) as (by, tape):
        new = tape_acts.mark(
            by, tape.id, options["mark"], seqs=options["seqs"], note=options["note"]
        )
    tape_writing.say(out, options, {"seq": new.seq, "name": new.payload["name"]})
