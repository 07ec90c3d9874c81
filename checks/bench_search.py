"""Measures search on the benchmark company: builds it, indexes it, asks, prints the tables of docs/bench/score.py."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BENCH = ROOT / "docs" / "bench"
VAR = ROOT / "var" / "bench"
MANAGE = [sys.executable, str(ROOT / "manage.py")]
QUESTIONS = BENCH / "questions.jsonl"
SETS = (QUESTIONS, BENCH / "questions.own.jsonl", BENCH / "questions.fresh.jsonl")
DESCRIBE = """
from kb_agent.repositories.models import Repository
for name, line in {lines!r}.items():
    Repository.objects.filter(name=name).update(
        description_en=line, description_zh="", description_drafted=False
    )
"""
sys.path.insert(0, str(ROOT))

from kb_agent.repositories.measuring import SIGNALS  # noqa: E402 - found by the path above


def main() -> int:
    """Build and index what is missing, then print a table a variant."""
    VAR.mkdir(parents=True, exist_ok=True)
    _run([sys.executable, str(BENCH / "make_repositories.py"), str(VAR / "repositories")])
    _manage("migrate")
    described = json.loads((BENCH / "descriptions.json").read_text("utf-8"))
    marker = VAR / "added"
    if not marker.exists():
        for name in sorted(described):
            _manage(
                "add_repository", name, str(VAR / "repositories" / f"{name}.git"), "--group", "all"
            )
        marker.touch()
    started, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    _manage("index")
    seconds = time.monotonic() - started
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    core = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    said = f"indexed in {seconds:.0f} s, {core:.0f} s of a core besides PostgreSQL"
    print(f"{said}, at most {after.ru_maxrss >> 10} MB", flush=True)
    for file in SETS:
        _table(f"{file.name}, the product", file)
    _describe(described)
    for file in SETS:
        _table(f"{file.name}, with a line about each repository", file)
    _describe(dict.fromkeys(described, ""))
    for signal in SIGNALS:
        _table(f"without {signal}", QUESTIONS, "--without", signal)
    for variant in ("bm25", "counting"):
        out = VAR / f"{variant}.jsonl"
        _run(
            [
                sys.executable,
                str(BENCH / "baselines.py"),
                variant,
                str(VAR / "repositories"),
                str(QUESTIONS),
                str(out),
            ]
        )
        _score(f"{variant}, over windows of 50 lines", QUESTIONS, out)
    return 0


def _describe(lines: dict[str, str]) -> None:
    """Give each repository its one-line description, both languages in one text."""
    _manage("shell", "-c", DESCRIBE.format(lines=lines))


def _table(title: str, questions: Path, *options: str) -> None:
    out = VAR / "results.jsonl"
    started = time.monotonic()
    _manage("search_code", "--questions", str(questions), "--out", str(out), *options)
    _score(f"{title} ({time.monotonic() - started:.0f} s)", questions, out)


def _score(title: str, questions: Path, out: Path) -> None:
    print(f"\n{title}", flush=True)
    _run([sys.executable, str(BENCH / "score.py"), str(questions), str(out)])


def _manage(*arguments: str) -> None:
    _run([*MANAGE, *arguments], quiet=True)


def _run(command: list[str], *, quiet: bool = False) -> None:
    environment = {**os.environ, "KB_AGENT_VAR": str(VAR / "var")}
    subprocess.run(
        command, check=True, env=environment, stdout=subprocess.DEVNULL if quiet else None
    )


if __name__ == "__main__":
    sys.exit(main())
