"""Make a new tape of a file of JSON lines, whole or not at all."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.core.management.base import CommandError

from tapes import transfer

if TYPE_CHECKING:
    from django.core.management.base import OutputWrapper

    from tapes.jsonl import Report

_SHOWN = 20


def add_arguments(parser: ArgumentParser) -> None:
    """The file, the new tape's name, and whether bad lines stop it."""
    parser.add_argument("file", type=Path)
    parser.add_argument("--name", required=True, help="of the new tape")
    parser.add_argument("--skip-bad", action="store_true", help="report bad lines and go on")


def handle(options: Mapping[str, Any], out: OutputWrapper) -> None:
    """Import the file and say what was left out and renumbered."""
    try:
        with options["file"].open("rb") as file:
            tape, report = transfer.load(file, options["name"], skip_bad=options["skip_bad"])
    except OSError as error:
        raise CommandError(str(error)) from error
    if options["json"]:
        said = {"tape": tape.name, "id": tape.id} | report.as_dict()
        out.write(json.dumps(said, ensure_ascii=False))
    else:
        out.write("\n".join(_lines(tape.name, report)))


def _lines(name: str, report: Report) -> Iterator[str]:
    yield f"{report.entries} entries on the new tape {name}"
    if report.skipped_count:
        yield f"{report.skipped_count} lines skipped:"
        yield from (f"  line {one.line}: {one.why}" for one in report.skipped[:_SHOWN])
    if report.torn:
        yield f"the last line was torn and dropped: line {report.torn.line}: {report.torn.why}"
    runs = list(report.renumbered)
    if runs:
        yield f"ids that were not 1 to {report.entries} and became other seqs:"
        yield from (
            f"  {first}-{first + count - 1} became {seq}-{seq + count - 1}"
            for first, seq, count in runs
        )
