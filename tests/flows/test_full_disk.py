"""A disk that takes no more fails an index run in a clear sentence, and the next run succeeds (C3)."""

from __future__ import annotations

import random
import subprocess
from typing import TYPE_CHECKING

import pytest
from django.core.management import CommandError, call_command

from kb_agent.repositories.mirror import registry
from tests.agent import shops

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_django import Settings

    from kb_agent.repositories.models import Repository

SMALL, LARGE = 400_000, 50_000_000


class Disk:
    """Where mirrors are kept: a small file system; where none may be mounted, a place that fails."""

    def __init__(self, place: Path) -> None:
        """Mount it."""
        self.place = place
        self.mounted = self._mount(f"size={SMALL}")

    def is_full(self) -> None:
        """Take no more than a little."""
        if not self.mounted:
            self._is_broken()

    def is_read_only(self) -> None:
        """Take nothing."""
        if not (self.mounted and self._mount("remount,ro")):
            self._is_broken()

    def is_mended(self) -> None:
        """Take everything."""
        if self.mounted:
            assert self._mount(f"remount,rw,size={LARGE}")
        elif self.place.is_file():
            self.place.unlink()

    def is_taken_away(self) -> None:
        """Unmount it."""
        self.is_mended()
        if self.mounted:
            subprocess.run(["umount", self.place], check=True)

    def _is_broken(self) -> None:
        self.place.rmdir()
        self.place.write_text("no folder")

    def _mount(self, options: str) -> bool:
        command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(self.place)]
        return subprocess.run(command, check=False, capture_output=True).returncode == 0


@pytest.fixture
def disk(committed_database: None, settings: Settings, tmp_path: Path) -> Iterator[Disk]:
    """The disk of the mirrors, in a data folder of its own."""
    settings.VAR = tmp_path / "var"
    mirrors = tmp_path / "var" / "mirrors"
    mirrors.mkdir(parents=True)
    disk = Disk(mirrors)
    yield disk
    disk.is_taken_away()


@pytest.fixture(params=["a git directory", "a plain folder"])
def large(request: pytest.FixtureRequest, tmp_path: Path) -> Repository:
    """A repository of a megabyte that no compression makes smaller."""
    noise = random.Random(1)  # noqa: S311 — no secret
    lines = [f"row_{number} = {noise.getrandbits(800):x}\n" for number in range(5_000)]
    place = tmp_path / "large"
    place.mkdir()
    (place / "rows.py").write_text("".join(lines))
    if request.param == "a git directory":
        for command in (["init", "-q", "-b", "main"], ["add", "."], ["commit", "-qm", "First."]):
            subprocess.run(["git", *shops.IDENTITY, *command], cwd=place, check=True)
    return registry.add("large", str(place))


def test_a_full_disk_is_named_and_room_on_it_is_enough_to_go_on(
    disk: Disk, large: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    disk.is_full()
    with pytest.raises(CommandError, match="The server could not store the code: "):
        call_command("index", "large")
    large.refresh_from_db()
    why = "no space left on device" if disk.mounted else "file exists"
    assert large.status == "failed"
    assert large.error == f"The server could not store the code: {why}."
    disk.is_mended()
    call_command("index", "large")
    assert "large: done, 1 files" in capsys.readouterr().out
    large.refresh_from_db()
    assert (large.status, large.error) == ("fresh", "")


def test_a_read_only_disk_is_named_and_write_access_is_enough_to_go_on(
    disk: Disk, large: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    disk.is_read_only()
    with pytest.raises(CommandError, match="The server could not store the code: "):
        call_command("index", "large")
    large.refresh_from_db()
    why = "read-only file system" if disk.mounted else "file exists"
    assert large.status == "failed"
    assert large.error == f"The server could not store the code: {why}."
    disk.is_mended()
    call_command("index", "large")
    assert "large: done, 1 files" in capsys.readouterr().out
