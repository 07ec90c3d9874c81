"""What one look found: how bad it is, in words, and what to do."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Level(StrEnum):
    """How bad."""

    OK = "ok"
    WARNING = "warning"
    FAILED = "failed"


@dataclass(frozen=True)
class Finding:
    """One line of the doctor's report."""

    name: str
    level: Level
    said: str
    advice: str = ""
    """Empty when nothing needs doing."""


def ok(name: str, said: str) -> Finding:
    """Nothing to do."""
    return Finding(name, Level.OK, said)


def warning(name: str, said: str, advice: str) -> Finding:
    """Works, but not as well or as safely as it could."""
    return Finding(name, Level.WARNING, said, advice)


def failed(name: str, said: str, advice: str) -> Finding:
    """Something will not work until this is mended."""
    return Finding(name, Level.FAILED, said, advice)
