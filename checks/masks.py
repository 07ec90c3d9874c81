"""Counts what is masked as a secret in bare repositories, and lists each place with the line in clear, for people to judge.

    python checks/masks.py FOLDER_OF_BARE_REPOSITORIES [most places listed]

The lines are printed as they are: run it on code whose secrets are nobody's.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "kb_agent.settings")

from kb_agent.repositories import catalogues, secrets, text  # noqa: E402 - by the path above
from kb_agent.repositories.structure import skipping  # noqa: E402


def main(folder: str, most: str = "200") -> int:
    """Print the places, then masks a million lines."""
    masks = lines = 0
    places: list[str] = []
    for repository in sorted(Path(folder).glob("*.git")):
        for path, decoded in _texts(repository):
            lines += decoded.count("\n")
            masked = secrets.mask(decoded)
            masks += masked.count
            pairs = zip(decoded.split("\n"), masked.text.split("\n"), strict=True)
            places += [
                f"{repository.stem} {path}:{number}  {clear.strip()[:160]}"
                for number, (clear, hidden) in enumerate(pairs, 1)
                if clear != hidden
            ]
    print("\n".join(places[: int(most)]))
    print(f"{masks} masks in {lines:,} lines: {masks / max(lines, 1) * 1e6:.0f} a million lines")
    return 0


def _texts(repository: Path) -> Iterator[tuple[str, str]]:
    """(path, text) of the files at HEAD that would be read."""
    for entry in _git(repository, "ls-tree", "-r", "-l", "-z", "HEAD").split(b"\0"):
        if not entry:
            continue
        head, _, raw = entry.partition(b"\t")
        mode, _, sha, size = head.decode().split()
        path = raw.decode(errors="replace")
        form, language = catalogues.reader(path)
        kept = bool(form) and language != "other"
        length = int(size) if size.isdigit() else 0
        if skipping.by_entry(mode, path, length, catalogue=kept) or (form and not kept):
            continue
        data = _git(repository, "cat-file", "blob", sha)
        try:
            decoded = text.decode(data)
        except text.Binary:
            continue
        if kept or not skipping.by_content(data, decoded):
            yield path, decoded


def _git(repository: Path, *arguments: str) -> bytes:
    return subprocess.run(
        ["git", "-C", str(repository), *arguments], check=True, capture_output=True
    ).stdout


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
