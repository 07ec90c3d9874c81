"""Close a tape for good, with its open topic, and start anew under its name; nothing is destroyed."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from kb_agent.management import tape_writing
from kb_agent.usecases import tape_acts

if TYPE_CHECKING:
    from django.core.management.base import OutputWrapper


def add_arguments(parser: ArgumentParser) -> None:
    """The tape and why."""
    parser.add_argument("name")
    parser.add_argument("--why", default="", metavar="TEXT")
    tape_writing.add_person(parser)


def handle(options: Mapping[str, Any], out: OutputWrapper) -> None:
    """Name the new tape."""
    with tape_writing.act(options) as (by, tape):
        new = tape_acts.reset(by, tape.id, why=options["why"])
    tape_writing.say(out, options, {"id": new.id, "name": new.name, "closed": tape.id})
