"""Fails when docs/openapi.json is not what the code says; `make schema` writes it."""

from __future__ import annotations

import difflib
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SPECTACULAR = [
    "manage.py",
    "spectacular",
    "--format",
    "openapi-json",
    "--validate",
    "--fail-on-warn",
]


def main() -> int:
    """Show the difference."""
    made = subprocess.run(
        [sys.executable, *SPECTACULAR], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if made.returncode:
        print(made.stderr)
        return 1
    kept, now = (ROOT / "docs/openapi.json").read_text().strip(), made.stdout.strip()
    if kept == now:
        return 0
    print("docs/openapi.json is out of date; run `make schema`:")
    print("\n".join(difflib.unified_diff(kept.split("\n"), now.split("\n"), "kept", "now", n=1)))
    return 1


if __name__ == "__main__":
    sys.exit(main())
