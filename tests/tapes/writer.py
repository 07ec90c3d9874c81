"""A process that writes to a tape: `python -m tests.tapes.writer DATABASE TAPE COUNT | hang`."""

from __future__ import annotations

import sys
import time

import django
from django.db import connections, transaction

django.setup()

from tapes import entries, store  # noqa: E402 — models can be imported only now


def main(database: str, tape_id: int, task: str) -> None:
    """Append COUNT entries one by one, or append one and hang before the commit."""
    connections["default"].settings_dict["NAME"] = database
    if task == "hang":
        with transaction.atomic():
            store.append(tape_id, [entries.message("user", "never committed")])
            sys.stdout.write("appended\n")
            sys.stdout.flush()
            time.sleep(60)
    for number in range(int(task)):
        store.append(tape_id, [entries.message("user", f"entry {number} of a process")])


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3])
