"""Make partitions for the entries of tapes to come, as the owner's role."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from tapes import partitions

if TYPE_CHECKING:
    from django.core.management.base import OutputWrapper


def add_arguments(parser: ArgumentParser) -> None:
    """How many are to be free."""
    parser.add_argument(
        "--ahead",
        type=int,
        default=partitions.AHEAD,
        metavar="N",
        help="partitions without any tape that should be there",
    )


def handle(options: Mapping[str, Any], out: OutputWrapper) -> None:
    """Say what was made, and what there is."""
    made = partitions.make_ahead(options["ahead"])
    now = partitions.state()
    if options["json"]:
        said = {
            "made": [asdict(one) for one in made],
            "partitions": [asdict(one) for one in now.partitions],
            "free": now.free,
            "overflowed": now.overflowed,
        }
        out.write(json.dumps(said))
        return
    for one in made:
        out.write(f"{one.table}: tapes {one.first} to {one.end - 1}")
    out.write(f"{len(now.partitions)} partitions, {now.free} of them without any tape yet")
