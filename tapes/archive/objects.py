"""Where an archive keeps its objects: a folder, or whatever speaks the S3 protocol."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from tapes import files
from tapes.errors import TapeError


class ArchiveUnreachable(TapeError):
    """The place of the archive refuses, or does not answer."""

    code = "archive_unreachable"


class MissingObject(TapeError):
    """The archive lacks an object it should have."""

    code = "missing_object"


class Objects(Protocol):
    """Bytes by key; a key is a path of `/` without a leading one."""

    def put(self, key: str, data: bytes) -> None:
        """Store an object, whole or not at all, durably when this returns."""

    def get(self, key: str) -> bytes:
        """Return an object. Raises `MissingObject`."""

    def keys(self, prefix: str) -> Iterator[str]:
        """Yield the keys that start with a prefix, which ends in `/`."""

    def delete(self, key: str) -> None:
        """Remove an object, if it is there."""


@dataclass(frozen=True, slots=True)
class Folder:
    """Objects as files; on the disk, with their names, before `put` returns."""

    root: Path

    def put(self, key: str, data: bytes) -> None:
        """Write beside, flush, rename, and flush the folders."""
        path = self._path(key)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            files.write_whole(path, data)
            folder = path.parent
            while folder != self.root:
                folder = folder.parent
                files.flush_folder(folder)
        except OSError as error:
            raise ArchiveUnreachable(str(error)) from error

    def get(self, key: str) -> bytes:
        """Read the file."""
        try:
            return self._path(key).read_bytes()
        except FileNotFoundError as error:
            raise MissingObject(f"the archive has no {key}") from error
        except OSError as error:
            raise ArchiveUnreachable(str(error)) from error

    def keys(self, prefix: str) -> Iterator[str]:
        """Walk the folder."""
        for path in sorted(self._path(prefix).rglob("*")):
            if path.is_file() and not path.name.startswith("."):
                yield path.relative_to(self.root).as_posix()

    def delete(self, key: str) -> None:
        """Unlink the file; its folder stays."""
        try:
            self._path(key).unlink(missing_ok=True)
        except OSError as error:
            raise ArchiveUnreachable(str(error)) from error

    def _path(self, key: str) -> Path:
        path = self.root / key
        if ".." in path.parts:
            raise MissingObject(f"{key} is no key")
        return path
