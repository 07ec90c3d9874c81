"""Whether the archive of tapes takes, gives back and removes an object."""

from __future__ import annotations

import secrets
from collections.abc import Iterator

from django.conf import settings

from kb_agent.doctor.finding import Finding, failed, ok, warning
from tapes.archive import departed
from tapes.errors import TapeError

ADVICE = "Check KB_AGENT_ARCHIVE_URL and its neighbours; until then no tape can be archived."
CANNOT_DELETE = "Allow deleting there: erased words could not be removed from copies of tapes."


def look() -> Iterator[Finding]:
    """One finding; the object it tries is removed again."""
    key = f"doctor/{secrets.token_hex(8)}"
    url = settings.TAPES_ARCHIVE["url"]
    try:
        objects = departed.archive().objects
        objects.put(key, key.encode())
        if objects.get(key) != key.encode():
            yield failed("archive", f"{url} gives back something else", ADVICE)
            return
    except TapeError as error:
        yield failed("archive", str(error), ADVICE)
        return
    try:
        objects.delete(key)
    except TapeError as error:
        yield warning("archive", str(error), CANNOT_DELETE)
        return
    copies, left = departed.counts()
    yield ok("archive", f"{url}, {copies} tapes copied, {left} of them only there")
