"""Long texts of a folder's tapes, stored once under their digest: `spilled/<SHA-256>.txt` (T17)."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection
from typing import TYPE_CHECKING

from tapes import exact_text, files
from tapes.errors import UnknownSpill

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

_DIGEST = re.compile(r"[0-9a-f]{64}")


class Spills:
    """The texts of one folder; those that several entries name are there once."""

    def __init__(self, root: Path) -> None:
        self._folder = root / "spilled"

    def keep(self, text: str) -> str:
        """Store a text, on the disk when this returns, and return its digest. Raises `InvalidEntry`."""
        data = exact_text.check_plain(text).encode()
        digest = hashlib.sha256(data).hexdigest()
        path = self._path(digest)
        if not path.exists():
            self._folder.mkdir(exist_ok=True)
            files.write_whole(path, data)
            files.flush_folder(self._folder.parent)
        return digest

    def read(self, digest: str) -> str:
        """Return a text. Raises `UnknownSpill`."""
        try:
            return self._path(digest).read_bytes().decode()
        except FileNotFoundError:
            raise UnknownSpill(f"no text is stored under {digest}") from None

    def there(self, digests: Iterable[str]) -> set[str]:
        """Those of some digests that a text is stored under."""
        return {each for each in digests if _DIGEST.fullmatch(each) and self._path(each).exists()}

    def forget(self, digests: Collection[str]) -> int:
        """Delete texts; return how many."""
        for digest in digests:
            self._path(digest).unlink(missing_ok=True)
        if digests:
            files.flush_folder(self._folder)
        return len(digests)

    def _path(self, digest: str) -> Path:
        if not _DIGEST.fullmatch(digest):
            raise UnknownSpill(f"{digest!r} is no digest")
        return self._folder / f"{digest}.txt"
