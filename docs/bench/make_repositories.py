#!/usr/bin/env python3
"""Build the benchmark company: one bare git repository per pinned wheel in repositories.txt.

    python make_repositories.py OUT_DIR [NAME ...]

OUT_DIR/<name>.git is written for every pin (or just the NAMEs given); one that stands is left alone. The wheels come
from the package index that pip is set up with. The commit is the same on every machine: fixed author, date and content.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
DATE = "2026-11-30T00:00:00+0000"
IDENTITY = {
    f"GIT_{role}_{field}": value
    for role in ("AUTHOR", "COMMITTER")
    for field, value in (("NAME", "Benchmark"), ("EMAIL", "benchmark@example.com"), ("DATE", DATE))
}


def pins() -> dict[str, str]:
    """Repository name -> requirement, in the order of repositories.txt."""
    lines = (HERE / "repositories.txt").read_text().splitlines()
    requirements = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    return {
        requirement.split("==")[0].replace("-", "_"): requirement for requirement in requirements
    }


def build(requirement: str, target: Path) -> None:
    """Download one wheel, commit its content without the dist-info, keep the bare repository at `target`."""
    with tempfile.TemporaryDirectory() as scratch:
        pip = [
            sys.executable,
            "-m",
            "pip",
            "download",
            "--quiet",
            "--no-deps",
            "--ignore-requires-python",
        ]
        subprocess.run([*pip, "--only-binary=:all:", "--dest", scratch, requirement], check=True)
        (wheel,) = Path(scratch).glob("*.whl")
        tree = Path(scratch) / "tree"
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(tree, [n for n in archive.namelist() if ".dist-info/" not in n])

        def git(*arguments: str) -> None:
            subprocess.run(
                ["git", "-C", str(tree), *arguments], check=True, env={**os.environ, **IDENTITY}
            )

        git("init", "--quiet", "--initial-branch=main")
        git("-c", "core.autocrlf=false", "add", "--all", "--force")
        git("-c", "commit.gpgsign=false", "commit", "--quiet", "--message", requirement)
        clone = ["git", "clone", "--quiet", "--bare", str(tree), str(target) + ".part"]
        subprocess.run(clone, check=True)
        shutil.move(str(target) + ".part", target)


def main() -> None:
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    out = Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    chosen = sys.argv[2:] or list(pins())
    for name in chosen:
        target = out / f"{name}.git"
        if not target.exists():
            build(pins()[name], target)
        head = subprocess.run(
            ["git", "-C", str(target), "rev-parse", "HEAD"],
            capture_output=True,
            text=True,
            check=True,
        )
        print(f"{name:28} {head.stdout.strip()}")


if __name__ == "__main__":
    main()
