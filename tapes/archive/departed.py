"""Tapes whose rows have left the database: found by their copy's row, read from the archive."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from django.conf import settings

from tapes import models
from tapes.archive.copies import Archive, ArchivedTape
from tapes.archive.objects import Folder
from tapes.archive.s3 import S3
from tapes.errors import TapeError

if TYPE_CHECKING:
    from tapes.archive.objects import Objects

_OPENED_AT_MOST = 64


class BadArchive(TapeError):
    """The setting that names the archive's place cannot be read."""

    code = "bad_archive"


def archive() -> Archive:
    """Return the archive of the settings (`TAPES_ARCHIVE`). Raises `BadArchive`."""
    return _archive(tuple(sorted(settings.TAPES_ARCHIVE.items())))


def source(tape_id: int) -> ArchivedTape | None:
    """Return the copy of a tape whose rows have left, or None while they are in the database."""
    copy = models.ArchiveCopy.objects.filter(tape_id=tape_id, left_at__isnull=False).first()
    if copy is None:
        return None
    return _opened(archive(), copy.folder, copy.digest)


def counts() -> tuple[int, int]:
    """Return how many tapes have a copy, and how many of them only that."""
    copies = models.ArchiveCopy.objects
    return copies.count(), copies.filter(left_at__isnull=False).count()


@lru_cache(maxsize=4)
def _archive(said: tuple[tuple[str, str], ...]) -> Archive:
    return Archive(_objects(dict(said)))


@lru_cache(maxsize=_OPENED_AT_MOST)
def _opened(place: Archive, folder: str, digest: str) -> ArchivedTape:
    """A manifest never changes under its digest."""
    return place.open(folder, digest)


def _objects(said: Mapping[str, str]) -> Objects:
    url = urlsplit(said["url"])
    if url.scheme == "file" and not url.netloc and url.path:
        return Folder(Path(unquote(url.path)))
    if url.scheme == "s3" and url.netloc:
        return S3(
            url.netloc,
            url.path.strip("/"),
            endpoint=said["endpoint"],
            region=said["region"],
            key=said["key"],
            secret=said["secret"],
        )
    raise BadArchive(f"{said['url']!r} is neither file:///folder nor s3://bucket/prefix")
