"""Measures the ledger: adding calls up, the dashboard and budgets, over a million calls."""

from __future__ import annotations

import sys

from bench_tape import database


def main() -> int:
    """Print a table in Markdown; data lives in a temporary folder of about 2 GB. A size may be named."""
    size = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    with database():
        import cost_figures  # noqa: PLC0415 - needs Django

        cost_figures.report(size)
    return 0


if __name__ == "__main__":
    sys.exit(main())
