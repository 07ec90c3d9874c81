"""What a newcomer reads when something only they can install is missing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from kb_agent.launcher.place import BASE_DIR

PROGRAMS = ("git", "node", "npm")


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    """A PATH with nothing but stand-ins for the three programs that are asked for a version."""
    for name in PROGRAMS:
        _program(tmp_path / name, "echo v20.1.0")
    return tmp_path


def _program(path: Path, body: str) -> None:
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)


def install(programs: Path, python: str = sys.executable) -> subprocess.CompletedProcess[str]:
    """`checks/install.py` with nothing to install: only the machine is looked at."""
    return subprocess.run(
        [python, "checks/install.py"],
        cwd=BASE_DIR,
        env={**os.environ, "PATH": str(programs)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_complete_machine_passes(programs: Path) -> None:
    assert install(programs).returncode == 0


@pytest.mark.parametrize(
    ("missing", "sentence"),
    [
        ("git", "git, which is not installed: install git."),
        ("node", "Node 20 or newer, which is not installed: install it."),
        ("npm", "Node 20 or newer, which is not installed: install it."),
    ],
)
def test_R1_a_missing_program_is_one_clear_sentence(
    programs: Path, missing: str, sentence: str
) -> None:
    (programs / missing).unlink()
    said = install(programs)
    assert said.returncode == 1
    assert said.stderr.rstrip().endswith(sentence)
    assert len(said.stderr.splitlines()) == 1


def test_R1_an_old_node_is_one_clear_sentence(programs: Path) -> None:
    _program(programs / "node", "echo v18.19.0")
    said = install(programs)
    assert said.returncode == 1
    assert said.stderr == (
        "The pages are built with Node 20 or newer, which is version 18: install it.\n"
    )


def test_R1_another_python_is_one_clear_sentence(programs: Path, tmp_path: Path) -> None:
    """Python's own version is changed before the script runs, as another interpreter's would be."""
    code = (
        "import runpy, sys; sys.version_info = (3, 9, 2, 'final', 0);"
        " sys.argv = ['install.py']; runpy.run_path('checks/install.py', run_name='__main__')"
    )
    said = subprocess.run(
        [sys.executable, "-c", code], cwd=BASE_DIR, capture_output=True, text=True, check=False
    )
    assert said.returncode == 1
    assert said.stderr.startswith("KB Agent needs Python 3.11, and ")
    assert "is 3.9: install it, or name it with" in said.stderr


def test_R1_no_python_at_all_is_one_clear_sentence() -> None:
    said = subprocess.run(
        ["make", "run", "PYTHON=python-that-is-not-there"],
        cwd=BASE_DIR,
        capture_output=True,
        text=True,
        check=False,
    )
    assert said.returncode == 2
    assert said.stderr.startswith("KB Agent needs Python 3.11, which is not installed")


def test_every_make_target_is_listed_by_help_and_documented() -> None:
    makefile = (BASE_DIR / "Makefile").read_text()
    (phony,) = [line for line in makefile.splitlines() if line.startswith(".PHONY: help")]
    listed = subprocess.run(
        ["make", "help"], cwd=BASE_DIR, capture_output=True, text=True, check=True
    ).stdout
    handbook = (BASE_DIR / "docs" / "running.md").read_text()
    for target in phony.split()[1:]:
        assert f"  make {target} " in listed, target
        assert f"`make {target}`" in handbook, target
