"""Notices that the product's Python files changed, for `make dev`."""

from __future__ import annotations

from kb_agent.launcher.place import BASE_DIR

FOLDERS = ("kb_agent", "topics", "tapes")


class SourceWatch:
    """Compares modification times; a few hundred files take a millisecond or two."""

    def __init__(self) -> None:
        self._seen = _times()

    def changed(self) -> bool:
        """Whether any file was added, removed or written since the last call."""
        now = _times()
        changed, self._seen = now != self._seen, now
        return changed


def _times() -> dict[str, int]:
    files = (path for folder in FOLDERS for path in (BASE_DIR / folder).rglob("*.py"))
    return {str(path): path.stat().st_mtime_ns for path in files}
