"""Write a tape to a file of JSON lines, as bub reads them."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.core.management.base import CommandError

from tapes import store, transfer

if TYPE_CHECKING:
    from django.core.management.base import OutputWrapper


def add_arguments(parser: ArgumentParser) -> None:
    """Which tape, whereto, and how much of it."""
    parser.add_argument("name")
    parser.add_argument("--out", required=True, metavar="FILE", help="`-` for standard output")
    parser.add_argument(
        "--all", action="store_true", dest="everything", help="forks that were not merged too"
    )


def handle(options: Mapping[str, Any], out: OutputWrapper) -> None:
    """Write the file whole, then say how many entries it has."""
    tape = store.by_name(options["name"])
    if options["out"] == "-":
        transfer.export(tape.id, sys.stdout.buffer, everything=options["everything"])
        return
    path = Path(options["out"])
    try:
        count = transfer.export_to(tape.id, path, everything=options["everything"])
    except OSError as error:
        raise CommandError(str(error)) from error
    if options["json"]:
        out.write(json.dumps({"tape": tape.name, "entries": count, "out": str(path)}))
    else:
        out.write(f"{count} entries of {tape.name} in {path}")
