"""The names of a folder's tapes: one file, a line a tape, one writer at a time."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tapes import exact_text, files
from tapes.errors import NameTaken


class Registry:
    """Which ids have which names; a name is free again once its tape is closed."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._path = root / "tapes.jsonl"

    def names(self) -> dict[int, str]:
        """Return names by id, the oldest first; a line that a crash cut off names nothing."""
        if not self._path.exists():
            return {}
        lines = self._path.read_bytes().split(b"\n")[:-1]
        return {said["tape"]: said["name"] for said in map(json.loads, lines)}

    @contextmanager
    def adding(self, name: str, in_use: Callable[[int], bool]) -> Iterator[int]:
        """Hand out the next id; the name is written when the block went well. Raises `NameTaken`."""
        exact_text.check_name(name)
        with self._path.open("ab+") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            file.seek(0)
            file.truncate(file.read().rfind(b"\n") + 1)
            names = self.names()
            if any(known == name and in_use(tape_id) for tape_id, known in names.items()):
                raise NameTaken(f"a tape named {name!r} is in use")
            tape_id = max(names, default=0) + 1
            yield tape_id
            line = json.dumps({"tape": tape_id, "name": name}, ensure_ascii=False)
            file.write(line.encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())
            files.flush_folder(self.root)
