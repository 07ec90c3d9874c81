"""What the archive holds of a tape whose words are erased: brought back before, written anew after."""

from __future__ import annotations

from tapes import models, store
from tapes.archive import departed
from tapes.erasure import OWNER
from tapes.stores import archiving

_OUTDATED = ""
"""Stands as a copy's digest from an erasure until the copy is written anew: no copy has it."""


def bring_back(tape_id: int) -> None:
    """Put rows that have left back into the database; only there can they be erased."""
    archiving.restore(tape_id)


def outdate(tape_id: int) -> None:
    """Inside an erasure's transaction: note that the copy, if there is one, holds erased words."""
    copies = models.ArchiveCopy.objects.using(OWNER).filter(tape_id=tape_id)
    copies.update(digest=_OUTDATED)


def outdated() -> list[int]:
    """Tapes whose copy still holds erased words, because the archive did not answer."""
    rows = models.ArchiveCopy.objects.filter(digest=_OUTDATED).order_by("tape_id")
    return list(rows.values_list("tape_id", flat=True))


def rewrite(tape_id: int) -> bool:
    """Write an outdated copy anew, and remove whatever else the archive holds of the tape.

    That is also what copying left behind when it was interrupted. Says whether there was anything.
    """
    if store.get(tape_id).archived_at is None:
        return False
    copy = models.ArchiveCopy.objects.filter(tape_id=tape_id).first()
    if copy is not None and copy.digest == _OUTDATED:
        copy = archiving.recopy(tape_id)
    leftover = departed.archive().clear(tape_id, kept="" if copy is None else copy.folder)
    return copy is not None or bool(leftover)
