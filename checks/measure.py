"""Measures what the README says: time until everything is ready, the first answer, idle memory."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil

ROOT = Path(__file__).resolve().parent.parent
SETTLE_SECONDS = 60
QUESTION = "退款失败后会自动重试吗？"


def main() -> int:
    """Print a table; data lives in a temporary folder."""
    with tempfile.TemporaryDirectory(prefix="kb-agent-measure-") as folder:
        Path(folder).chmod(0o711)
        environment = {**os.environ, "KB_AGENT_VAR": f"{folder}/var", "KB_AGENT_PORT": "18400"}
        first, launcher = _start(environment)
        print(f"first start until ready   {first:6.1f} s", flush=True)
        print(f"question to answer        {_ask(environment):6.1f} s", flush=True)
        time.sleep(SETTLE_SECONDS)
        _print_memory(launcher.pid, f"{folder}/var")
        print(f"stop                      {_stop(launcher):6.1f} s", flush=True)
        second, launcher = _start(environment)
        print(f"second start until ready  {second:6.1f} s", flush=True)
        _stop(launcher)
    return 0


def _start(environment: dict[str, str]) -> tuple[float, subprocess.Popen[str]]:
    started = time.monotonic()
    launcher = subprocess.Popen(
        [sys.executable, "-m", "kb_agent.launcher"],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert launcher.stdout is not None
    for line in launcher.stdout:
        if "is ready" in line:
            return time.monotonic() - started, launcher
    raise SystemExit("it did not start")


def _stop(launcher: subprocess.Popen[str]) -> float:
    started = time.monotonic()
    launcher.send_signal(signal.SIGTERM)
    launcher.communicate()
    return time.monotonic() - started


def _ask(environment: dict[str, str]) -> float:
    started = time.monotonic()
    said = subprocess.run(
        [sys.executable, "manage.py", "ask", QUESTION, "--as", "lin", "--json"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    answer = json.loads(said.stdout)
    assert answer["status"] == "done", answer
    return time.monotonic() - started


def _print_memory(launcher: int, var: str) -> None:
    """PSS: shared pages are counted once, split among those who share them."""
    groups: dict[str, float] = {}
    for process in psutil.process_iter():
        name = _group(process, launcher, var)
        if name:
            groups[name] = groups.get(name, 0) + process.memory_full_info().pss / 1e6
    for name, megabytes in sorted(groups.items()):
        print(f"  {name:22}  {megabytes:6.0f} MB")
    print(f"idle memory               {sum(groups.values()):6.0f} MB", flush=True)


MARKS = {
    "uvicorn": "web",
    "turns@": "turns",
    "indexing@": "indexing",
    "upkeep@": "upkeep",
    "valkey-server": "valkey",
    "launcher.keeper": "keeper",
    "bin/postgres": "postgres",
    "kb_agent.launcher": "launcher",
}


def _group(process: psutil.Process, launcher: int, var: str) -> str:
    """What a process of ours belongs to, by itself or its nearest parent; empty for the others."""
    chain = [process, *process.parents()]
    lines = [" ".join(each.cmdline()) for each in chain]
    ours = any(each.pid == launcher for each in chain) or any(var in line for line in lines)
    if not ours:
        return ""
    return next((name for line in lines for mark, name in MARKS.items() if mark in line), "")


if __name__ == "__main__":
    sys.exit(main())
