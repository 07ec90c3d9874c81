"""Begin a new phase of a tape: an anchor that the default window starts after."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from kb_agent.management import tape_writing
from kb_agent.usecases import tape_acts

if TYPE_CHECKING:
    from django.core.management.base import OutputWrapper


def add_arguments(parser: ArgumentParser) -> None:
    """The tape, the anchor and what to keep with it."""
    parser.add_argument("name")
    parser.add_argument("anchor")
    parser.add_argument("--state", type=tape_writing.state, metavar="JSON", help="an object")
    parser.add_argument("--why", default="", metavar="TEXT")
    tape_writing.add_person(parser)


def handle(options: Mapping[str, Any], out: OutputWrapper) -> None:
    """Say where the anchor stands."""
    with tape_writing.act(options) as (by, tape):
        anchor, _ = tape_acts.handoff(
            by, tape.id, options["anchor"], state=options["state"], why=options["why"]
        )
    tape_writing.say(out, options, {"seq": anchor.seq, "name": anchor.payload["name"]})
