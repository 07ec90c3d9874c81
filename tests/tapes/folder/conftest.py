"""A folder of tapes, which needs no database."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _real_commits() -> None:
    """There is no database here."""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Where the tapes lie."""
    return tmp_path / "store"
