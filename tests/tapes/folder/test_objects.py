"""Objects of an archive in a folder: whole or not at all, and nothing beside them (T15, T19)."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from tapes.archive.objects import ArchiveUnreachable, Folder


def test_T19_a_full_disk_leaves_the_object_before_and_no_words_beside_it(root: Path) -> None:
    place = Folder(root)
    place.put("tapes/1/copy", b"before")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", _full)
        with pytest.raises(ArchiveUnreachable, match="no space left"):
            place.put("tapes/1/copy", b"hunter2")
    assert place.get("tapes/1/copy") == b"before"
    assert [path.name for path in root.rglob("*") if path.is_file()] == ["copy"]


def _full(_: int) -> None:
    raise OSError(errno.ENOSPC, "no space left")
