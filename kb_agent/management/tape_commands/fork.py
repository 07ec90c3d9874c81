"""Open a side line on a tape, for a try that no default view shows until it is merged."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from kb_agent.management import tape_writing
from kb_agent.usecases import tape_acts

if TYPE_CHECKING:
    from django.core.management.base import OutputWrapper


def add_arguments(parser: ArgumentParser) -> None:
    """The tape; with --on, a note on a side line that is open."""
    parser.add_argument("name")
    parser.add_argument("--note", default="", metavar="TEXT", help="what it is for, or found")
    parser.add_argument("--on", type=int, metavar="FORK", help="write the note there instead")
    tape_writing.add_person(parser)


def handle(options: Mapping[str, Any], out: OutputWrapper) -> None:
    """Say the fork's number, or where the note stands."""
    with tape_writing.act(options) as (by, tape):
        if options["on"] is None:
            said = {"fork": tape_acts.fork(by, tape.id, note=options["note"]).id}
        else:
            new = tape_acts.note(by, tape.id, options["on"], options["note"])
            said = {"fork": options["on"], "seq": new.seq}
    tape_writing.say(out, options, said)
