"""List the tapes: id, name, head, when begun, when closed."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tapes import store

if TYPE_CHECKING:
    from django.core.management.base import OutputWrapper


def add_arguments(parser: ArgumentParser) -> None:
    """Tapes in use, or all."""
    parser.add_argument("--closed", action="store_true", help="those that were closed, too")


def handle(options: Mapping[str, Any], out: OutputWrapper) -> None:
    """Print a line a tape, oldest first."""
    found = [
        {
            "id": tape.pk,
            "name": tape.name,
            "head": tape.head,
            "created_at": tape.created_at.isoformat(),
            "archived_at": tape.archived_at.isoformat() if tape.archived_at else None,
        }
        for tape in store.every()
        if options["closed"] or tape.archived_at is None
    ]
    if options["json"]:
        out.write(json.dumps(found, ensure_ascii=False))
        return
    for one in found:
        closed = f", closed {one['archived_at']}" if one["archived_at"] else ""
        out.write(
            f"{one['id']} {one['name']}: {one['head']} entries, since {one['created_at']}{closed}"
        )
