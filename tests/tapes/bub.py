"""Tapes written by the public bub package, imported as they are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tapes import transfer

DATA = Path(__file__).parent / "data"


def recorded(name: str, file: str) -> int:
    """Import a bub file as a new tape and return the tape's id; ids become the same seqs."""
    with (DATA / file).open("rb") as opened:
        tape, _ = transfer.load(opened, name)
    return tape.id


def lines(file: str) -> list[dict[str, Any]]:
    """Return the objects of a JSONL file; a line separator inside a string is no end of line."""
    return [json.loads(line) for line in (DATA / file).read_text().split("\n") if line]


def windows() -> dict[str, dict[str, Any]]:
    """What bub's own queries return for the tape of version 0.5.1."""
    found: dict[str, dict[str, Any]] = json.loads((DATA / "bub-0.5.1.windows.json").read_text())
    return found
