"""Small git repositories that a test commits to."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

IDENTITY = ("-c", "user.name=周然", "-c", "user.email=zhou@example.com")


def git(place: Path, *command: str) -> None:
    """Run one git command there, as somebody with a name."""
    subprocess.run(["git", *IDENTITY, *command], cwd=place, check=True, capture_output=True)


def commit(place: Path, files: dict[str, str | None], *, summary: str) -> None:
    """Write files (None: take it away) and commit them; the first commit makes the repository."""
    if not place.exists():
        place.mkdir(parents=True)
        git(place, "init", "-q", "-b", "main")
    for path, text in files.items():
        file = place / path
        if text is None:
            file.unlink()
            continue
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    git(place, "add", "--all")
    git(place, "commit", "-q", "-m", summary)
