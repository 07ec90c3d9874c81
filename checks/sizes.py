"""Lists long files and functions, and fails on those nobody would want to step through."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FILE_LISTED, FILE_FAILS = 300, 400
FUNCTION_LISTED, FUNCTION_FAILS = 40, 60
FOLDERS = ("kb_agent", "topics", "tapes", "tests", "checks", "frontend/src")
# Written by machines, or written to be read as an example repository.
LEFT_OUT = ("migrations", "generated", "demo", "data", "node_modules")


def main() -> int:
    """One line for each; exit code 1 when one is too long."""
    failed = False
    for size, limit, name in sorted(_findings(), reverse=True):
        failed |= size > limit
        print(f"{'FAILED' if size > limit else 'long':8}{size:5} lines  {name}")
    return 1 if failed else 0


def _findings() -> Iterator[tuple[int, int, str]]:
    for path in _files():
        text = path.read_text()
        lines, name = text.count("\n"), str(path.relative_to(ROOT))
        if lines > FILE_LISTED:
            yield lines, FILE_FAILS, name
        if path.suffix == ".py":
            yield from _functions(text, name)


def _functions(text: str, name: str) -> Iterator[tuple[int, int, str]]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            if lines > FUNCTION_LISTED:
                yield lines, FUNCTION_FAILS, f"{name}:{node.lineno} {node.name}"


def _files() -> Iterator[Path]:
    for folder in FOLDERS:
        for path in (ROOT / folder).rglob("*"):
            parts = path.relative_to(ROOT).parts
            if path.suffix in {".py", ".ts", ".tsx", ".css"} and not set(LEFT_OUT) & set(parts):
                yield path


if __name__ == "__main__":
    sys.exit(main())
