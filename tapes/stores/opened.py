"""The strips of a folder that this process has looked at; one whose file was replaced is learned anew."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, TypeVar

from tapes.errors import TapeArchived, UnknownTape
from tapes.stores.strips import Replaced, Strip

if TYPE_CHECKING:
    from pathlib import Path
    from typing import BinaryIO

    from tapes.stores.registry import Registry

T = TypeVar("T")


class Opened:
    """Hands out strips that know all that stands in their files now."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._strips: dict[int, Strip] = {}
        self._guard = threading.Lock()

    def read(self, tape_id: int) -> Strip:
        """A tape's strip. Raises `UnknownTape`, `BrokenTape`."""
        return self.told(tape_id, lambda strip: strip)

    def told(self, tape_id: int, tells: Callable[[Strip], T]) -> T:
        """What a strip tells, of one file from start to end."""
        while True:
            strip = self._strip(tape_id)
            try:
                with strip.reading():
                    return tells(strip)
            except Replaced:
                self._forget(tape_id)

    @contextmanager
    def writing(self, tape_id: int, *, closed: bool = False) -> Iterator[tuple[Strip, BinaryIO]]:
        """Hold the lock of a tape, which is in use unless `closed` ones will do. Raises `TapeArchived`."""
        with ExitStack() as stack:
            strip, file = self._held(tape_id, stack)
            if strip.closed_at is not None and not closed:
                raise TapeArchived(f"tape {tape_id} is archived")
            yield strip, file

    def new(self, tape_id: int) -> Strip:
        """An empty file; one that a crash left without a name is emptied."""
        path = self._path(tape_id)
        path.write_bytes(b"")
        for suffix in (".forks", ".erased"):
            path.with_suffix(suffix).unlink(missing_ok=True)
        return Strip(path, tape_id)

    def _held(self, tape_id: int, stack: ExitStack) -> tuple[Strip, BinaryIO]:
        while True:
            strip = self._strip(tape_id)
            try:
                return strip, stack.enter_context(strip.writing())
            except Replaced:
                self._forget(tape_id)

    def _path(self, tape_id: int) -> Path:
        return self._registry.root / f"{tape_id}.jsonl"

    def _strip(self, tape_id: int) -> Strip:
        with self._guard:
            strip = self._strips.get(tape_id)
            if strip is None:
                if tape_id not in self._registry.names():
                    raise UnknownTape(f"there is no tape {tape_id}")
                strip = self._strips[tape_id] = Strip(self._path(tape_id), tape_id)
            return strip

    def _forget(self, tape_id: int) -> None:
        """Learn a tape anew at the next look."""
        with self._guard:
            self._strips.pop(tape_id, None)
