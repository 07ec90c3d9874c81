"""A process that writes to a tape: `python -m tests.tapes.writer DATABASE TAPE COUNT | hang`.

DATABASE is the JSON of its settings: tapes need nothing else of the project, and eight such
processes start in the time of one that loads it all.
"""

from __future__ import annotations

import json
import sys
import time

import django
from django.conf import settings
from django.db import transaction

settings.configure(
    DATABASES={"default": json.loads(sys.argv[1])}, INSTALLED_APPS=["tapes"], USE_TZ=True
)
django.setup()

from tapes import entries, store  # noqa: E402 — models can be imported only now


def main(tape_id: int, task: str) -> None:
    """Append COUNT entries one by one, or append one and hang before the commit."""
    if task == "hang":
        with transaction.atomic():
            store.append(tape_id, [entries.message("user", "never committed")])
            sys.stdout.write("appended\n")
            sys.stdout.flush()
            time.sleep(60)
    for number in range(int(task)):
        store.append(tape_id, [entries.message("user", f"entry {number} of a process")])


if __name__ == "__main__":
    main(int(sys.argv[2]), sys.argv[3])
