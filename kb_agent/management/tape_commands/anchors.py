"""List the anchors and marks of a tape: seq, name, whether it moves the window, who and why."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tapes import store, views

if TYPE_CHECKING:
    from django.core.management.base import OutputWrapper


def add_arguments(parser: ArgumentParser) -> None:
    """The tape."""
    parser.add_argument("name")


def handle(options: Mapping[str, Any], out: OutputWrapper) -> None:
    """Print a line an anchor."""
    tape = store.by_name(options["name"])
    places = views.anchors(tape.id)
    beside = {entry.seq: entry for entry in views.at((tape.id, place.seq) for place in places)}
    found = [
        {
            "seq": place.seq,
            "name": place.name,
            "state": place.state,
            "moves_window": place.moves_window,
            "actor": beside[place.seq].actor,
            "why": beside[place.seq].why,
        }
        for place in places
    ]
    if options["json"]:
        out.write(json.dumps(found, ensure_ascii=False))
        return
    for one in found:
        moves = "" if one["moves_window"] else " (stays)"
        why = f": {one['why']}" if one["why"] else ""
        out.write(f"{one['seq']} {one['name']}{moves} by {one['actor']}{why}")
