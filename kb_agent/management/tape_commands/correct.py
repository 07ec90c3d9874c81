"""Say what is right where an entry of a tape was wrong; the entry stays as it was."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from kb_agent.management import tape_writing
from kb_agent.usecases import tape_acts

if TYPE_CHECKING:
    from django.core.management.base import OutputWrapper


def add_arguments(parser: ArgumentParser) -> None:
    """The tape, the entry and what is right."""
    parser.add_argument("name")
    parser.add_argument("seq", type=int)
    parser.add_argument("text")
    tape_writing.add_person(parser)


def handle(options: Mapping[str, Any], out: OutputWrapper) -> None:
    """Say where the correction stands."""
    with tape_writing.act(options) as (by, tape):
        new = tape_acts.correct(by, tape.id, corrects=options["seq"], text=options["text"])
    tape_writing.say(out, options, {"seq": new.seq, "corrects": options["seq"]})
