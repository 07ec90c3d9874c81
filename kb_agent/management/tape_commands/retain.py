"""Take the words of topics that ended long ago away, as the nightly task does."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from django.core.management.base import CommandError

from kb_agent.usecases import erasing

if TYPE_CHECKING:
    from django.core.management.base import OutputWrapper


def add_arguments(parser: ArgumentParser) -> None:
    """How long words stay."""
    parser.add_argument(
        "--days", type=int, help="instead of KB_AGENT_RETENTION_DAYS", metavar="DAYS"
    )


def handle(options: Mapping[str, Any], out: OutputWrapper) -> None:
    """Say how much was erased."""
    done = erasing.retain(options["days"])
    if done is None:
        raise CommandError("no retention is set: say --days, or set KB_AGENT_RETENTION_DAYS")
    if options["json"]:
        out.write(json.dumps(done.as_dict()))
        return
    out.write(
        f"{done.topics} topics with {done.entries} entries lost their words,"
        f" {done.waiting} wait for another time"
    )
