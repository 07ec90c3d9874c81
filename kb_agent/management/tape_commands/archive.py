"""Copy closed tapes to the archive, verified, and let whole partitions leave the database."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.management.base import CommandError

from kb_agent.usecases import archiving

if TYPE_CHECKING:
    from django.core.management.base import OutputWrapper


def add_arguments(parser: ArgumentParser) -> None:
    """One tape, or those that are due."""
    parser.add_argument("name", nargs="?")
    parser.add_argument(
        "--close", action="store_true", help="close the tape before, for good; needs --why"
    )
    parser.add_argument("--why", default="", metavar="TEXT")
    parser.add_argument(
        "--due", action="store_true", help="every closed tape, and those still for so many days"
    )
    parser.add_argument("--still-days", type=int, default=settings.ARCHIVE_STILL_DAYS or 90)
    parser.add_argument(
        "--leave", action="store_true", help="then drop partitions whose tapes are all archived"
    )


def handle(options: Mapping[str, Any], out: OutputWrapper) -> None:
    """Say what was copied and what left."""
    if not options["name"] and not options["due"] and not options["leave"]:
        raise CommandError("name a tape, or say --due or --leave")
    if options["close"] and not options["why"]:
        raise CommandError("--close needs --why")
    copied = []
    if options["name"]:
        close, why = options["close"], options["why"]
        copied.append(archiving.archive(options["name"], close=close, why=why))
    if options["due"]:
        copied += archiving.archive_due(options["still_days"])
    left = archiving.leave() if options["leave"] else []
    if options["json"]:
        out.write(json.dumps({"copied": [one.as_dict() for one in copied], "left": left}))
        return
    for one in copied:
        out.write(f"{one.name}: {one.entries} entries, {one.bytes} bytes in {one.folder}")
    out.write(f"partitions that left the database: {', '.join(left) or 'none'}")
