"""Hide a side line of a tape from all but an inspection; done twice, nothing changes."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from kb_agent.management import tape_writing
from kb_agent.usecases import tape_acts

if TYPE_CHECKING:
    from django.core.management.base import OutputWrapper


def add_arguments(parser: ArgumentParser) -> None:
    """The tape and its fork."""
    parser.add_argument("name")
    parser.add_argument("fork", type=int)
    parser.add_argument("--why", default="", metavar="TEXT")
    tape_writing.add_person(parser)


def handle(options: Mapping[str, Any], out: OutputWrapper) -> None:
    """Say how the fork stands."""
    with tape_writing.act(options) as (by, tape):
        found = tape_acts.discard(by, tape.id, options["fork"], why=options["why"])
    tape_writing.say(out, options, {"fork": found.id, "state": found.state})
