"""List the segments of a topic that grew past its model's window, or replay one.

A segment is replayed as it stands on the tape, a line per entry; `tape saw TURN` shows what the
model saw in each call.
"""

from __future__ import annotations

import dataclasses
import json
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from django.core.management.base import CommandError

from kb_agent.usecases import refusals, segments
from tapes import text

if TYPE_CHECKING:
    from django.core.management.base import OutputWrapper

    from kb_agent.usecases.segments import ShownSegment


def add_arguments(parser: ArgumentParser) -> None:
    """The topic, and which segment to replay."""
    parser.add_argument("topic", type=int)
    parser.add_argument("--replay", type=int, metavar="NUMBER", help="print this segment's entries")


def handle(options: Mapping[str, Any], out: OutputWrapper) -> None:
    """Print the list, or one segment."""
    try:
        if options["replay"] is not None:
            out.write(text.of(segments.replayed(options["topic"], options["replay"])))
            return
        found = segments.at_command_line(options["topic"])
    except refusals.Refusal as refused:
        raise CommandError(f"{refused.code}: {refused}") from refused
    if options["json"]:
        out.write(json.dumps([dataclasses.asdict(one) for one in found], ensure_ascii=False))
    else:
        out.write("\n".join(line for one in found for line in _lines(one)))


def _lines(one: ShownSegment) -> Iterator[str]:
    ending = f"closed at {one.overload_seq}" if one.overload_seq else "open"
    tokens = f", about {one.tokens} tokens" if one.tokens is not None else ""
    yield (
        f"{one.number}: entries {one.first_seq}-{one.last_seq} ({one.entries} of the topic{tokens}),"
        f" {ending}"
    )
    if one.summary:
        yield f"   summed up by {one.summary.by}"
        for said in one.summary.statements:
            yield f"   - {said['kind']}: {said['text']} ({', '.join(map(str, said['seqs']))})"
