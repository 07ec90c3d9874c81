"""The key that signs sessions: made once, whole, however many processes start at the same moment."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from kb_agent import settings
from kb_agent.environment import Environment

if TYPE_CHECKING:
    from pathlib import Path


def test_processes_that_start_together_share_one_whole_key(tmp_path: Path) -> None:
    def starts(_: int) -> str:
        return settings._secret_key(Environment(var=tmp_path / "var", secret_key=None))

    with ThreadPoolExecutor(16) as pool:
        keys = set(pool.map(starts, range(64)))
    assert len(keys) == 1
    assert len(keys.pop()) > 60
    made = tmp_path / "var" / "secret-key"
    assert made.stat().st_mode & 0o077 == 0
    assert [path.name for path in made.parent.iterdir()] == ["secret-key"]
