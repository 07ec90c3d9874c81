"""Runs every check of `make check`, one line each, and shows what a failing one said."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BIN = ROOT / ".venv" / "bin"
PYTHON = str(BIN / "python")

CHECKS: dict[str, list[str]] = {
    "lint": [str(BIN / "ruff"), "check", "."],
    "format": [str(BIN / "ruff"), "format", "--check", "."],
    "types": [str(BIN / "mypy")],
    "layers": [str(BIN / "lint-imports")],
    "sizes": [PYTHON, "checks/sizes.py"],
    "locks": [PYTHON, "checks/locks.py"],
    "settings": [PYTHON, "manage.py", "check", "--fail-level", "WARNING"],
    "migrations": [PYTHON, "manage.py", "makemigrations", "--check", "--dry-run"],
    "schema": [PYTHON, "checks/schema.py"],
    "compose": [
        str(BIN / "check-jsonschema"),
        *("--builtin-schema", "vendor.compose-spec", "docker-compose.yml"),
    ],
    "Dockerfile": [str(BIN / "hadolint"), "Dockerfile"],
    "front end": ["npm", "run", "check", "--silent", "--prefix", "frontend"],
}


def main() -> int:
    """Run the checks named on the command line, or all of them."""
    chosen = sys.argv[1:] or list(CHECKS)
    failed = [name for name in chosen if not _passes(name)]
    if failed:
        print(f"\nfailed: {', '.join(failed)}")
    return 1 if failed else 0


def _passes(name: str) -> bool:
    environment = {
        **os.environ,
        "KB_AGENT_VAR": os.environ.get("KB_AGENT_VAR", str(ROOT / "var/test")),
    }
    done = subprocess.run(
        CHECKS[name], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    print(f"{'ok' if done.returncode == 0 else 'FAILED':8}{name}", flush=True)
    if done.returncode or name == "sizes":
        print(done.stdout + done.stderr, flush=True)
    return done.returncode == 0


if __name__ == "__main__":
    sys.exit(main())
