"""A process that writes to a store: `python -m tests.tapes.contract.writer KIND PLACE TAPE TASK N`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import django
from django.conf import settings

if sys.argv[1] == "postgres":
    settings.configure(
        DATABASES={"default": json.loads(sys.argv[2])}, INSTALLED_APPS=["tapes"], USE_TZ=True
    )
    django.setup()

from tapes import entries
from tapes.errors import WrongHead

if TYPE_CHECKING:
    from tapes.stores.protocol import Store


def _store() -> Store:
    if sys.argv[1] == "postgres":
        from tapes.stores.postgres import PostgresStore  # noqa: PLC0415 — needs the settings

        return PostgresStore()
    from tapes.stores.folder import FolderStore  # noqa: PLC0415 — must work without any

    return FolderStore(Path(sys.argv[2]))


def append(store: Store, tape_id: int, count: int) -> None:
    """Append so many entries, a few at a time, saying each seq once it is durable."""
    for number in range(count):
        new = [entries.event("of one batch", {"n": number, "of": 1 + number % 3})]
        written = store.append(tape_id, new * (1 + number % 3))
        sys.stdout.write(f"{written[-1].seq}\n")
        sys.stdout.flush()


def expecting(store: Store, tape_id: int, count: int) -> None:
    """Append so many entries, each saying which head it saw."""
    done = 0
    head = 1
    while done < count:
        try:
            new = [entries.event("saw", {"head": head})]
            head = store.append(tape_id, new, expected_head=head)[0].seq
            done += 1
        except WrongHead as refusal:
            head = int(str(refusal).split(" at ")[1].split(",")[0])


if __name__ == "__main__":
    {"append": append, "expecting": expecting}[sys.argv[4]](
        _store(), int(sys.argv[3]), int(sys.argv[5])
    )
