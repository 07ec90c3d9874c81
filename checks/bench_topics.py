"""Measures the list of topics: pages, filters and search beside `icontains`, at a hundred thousand topics."""

from __future__ import annotations

import sys

from bench_tape import database


def main() -> int:
    """Print tables in Markdown; data lives in a temporary folder of about 3 GB. A size may be named."""
    size = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    with database():
        import topic_figures  # noqa: PLC0415 - needs Django

        topic_figures.report(size)
    return 0


if __name__ == "__main__":
    sys.exit(main())
