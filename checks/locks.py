"""Pins are exact, and lock files name no registry: they install from wherever a company mirrors."""

from __future__ import annotations

import json
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main() -> int:
    """One line for each finding."""
    findings = [*_loose_pins(), *_python_hosts(), *_npm_hosts()]
    for finding in findings:
        print(finding)
    return 1 if findings else 0


def _loose_pins() -> Iterator[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    groups = project["dependency-groups"].values()
    for pin in [*project["project"]["dependencies"], *(pin for group in groups for pin in group)]:
        if not re.fullmatch(r"[A-Za-z0-9._-]+(\[[a-z0-9,-]+\])?==[0-9][^,;]*", pin):
            yield f"pyproject.toml: {pin} is not one exact version"
    package = json.loads((ROOT / "frontend/package.json").read_text())
    for kind in ("dependencies", "devDependencies"):
        for name, version in package.get(kind, {}).items():
            if not version[0].isdigit():
                yield f"frontend/package.json: {name} {version} is not one exact version"


def _python_hosts() -> Iterator[str]:
    for path in sorted((ROOT / "requirements").glob("*.txt")):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if "://" in line or re.match(r"\s*(-i|--(extra-)?index|-f|--find)", line):
                yield f"requirements/{path.name}:{number} names a host"


def _npm_hosts() -> Iterator[str]:
    lock = json.loads((ROOT / "frontend/package-lock.json").read_text())
    for name, package in lock["packages"].items():
        if "://" in str(package.get("resolved", "")):
            yield f"frontend/package-lock.json: {name} names a host"
        if name and not package.get("link") and "integrity" not in package:
            yield f"frontend/package-lock.json: {name} has no integrity"


if __name__ == "__main__":
    sys.exit(main())
