"""Print a tape, or a part of it, a line per entry."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tapes import store, text, views
from tapes.views import View

if TYPE_CHECKING:
    from django.core.management.base import OutputWrapper

    from tapes.entries import Entry


def add_arguments(parser: ArgumentParser) -> None:
    """All of it with every fork when nothing is said; else what a view shows."""
    parser.add_argument("name")
    parser.add_argument("--from", type=int, dest="first", metavar="SEQ")
    parser.add_argument("--to", type=int, dest="until", metavar="SEQ")
    part = parser.add_mutually_exclusive_group()
    part.add_argument("--after", metavar="ANCHOR", help="after the latest anchor of this name")
    part.add_argument("--last", action="store_true", help="the default window")


def handle(options: Mapping[str, Any], out: OutputWrapper) -> None:
    """Print the entries."""
    tape = store.by_name(options["name"])
    view = _view(options)
    if options["json"]:
        found = views.read(tape.id, view or View.seqs())
        out.write(json.dumps([as_json(entry) for entry in found], ensure_ascii=False))
    elif view is None:
        out.write(text.tape_text(tape.id))
    else:
        out.write(text.of(views.read(tape.id, view)))


def _view(options: Mapping[str, Any]) -> View | None:
    if options["last"]:
        return View.last_anchor()
    if options["after"]:
        return View.after(options["after"])
    if options["first"] is None and options["until"] is None:
        return None
    return View.seqs(options["first"], options["until"])


def as_json(entry: Entry) -> dict[str, Any]:
    """An entry as `--json` prints it."""
    return {
        "seq": entry.seq,
        "kind": entry.kind,
        "payload": entry.payload,
        "meta": entry.meta,
        "date": entry.date.isoformat(),
        "fork": entry.fork_id,
        "topic": entry.topic_id,
        "turn": entry.turn_id,
        "actor": entry.actor,
        "why": entry.why,
    }
