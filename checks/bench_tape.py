"""Measures tapes: appends beside bare INSERTs, windows, search, writers and verify, at growing lengths."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent
SIZES = (1_000, 100_000, 1_000_000)


def main() -> int:
    """Print tables in Markdown; data lives in a temporary folder of about 6 GB. Sizes may be named."""
    sizes = tuple(int(said) for said in sys.argv[1:]) or SIZES
    with database():
        import tape_figures  # noqa: PLC0415 - needs Django

        tape_figures.report(sizes)
    return 0


@contextmanager
def database() -> Iterator[None]:
    """A database of its own for the time of a measurement, migrated, with Django set up."""
    with tempfile.TemporaryDirectory(prefix="kb-agent-tapes-") as folder:
        Path(folder).chmod(0o711)
        os.environ |= {
            "KB_AGENT_VAR": f"{folder}/var",
            "KB_AGENT_LOG_LEVEL": "WARNING",
            # A pool would give one connection to several forked processes.
            "KB_AGENT_DATABASE_POOL": "0",
            "DJANGO_SETTINGS_MODULE": "kb_agent.settings",
        }
        sys.path.insert(0, str(ROOT))
        from kb_agent.launcher import place, servers  # noqa: PLC0415 - reads the folder

        held = servers.hold(place.here())
        try:
            subprocess.run(
                [sys.executable, "manage.py", "migrate"], cwd=ROOT, check=True, stdout=-3
            )
            import django  # noqa: PLC0415 - needs the environment above

            django.setup()
            yield
        finally:
            if held is not None:
                os.close(held)


if __name__ == "__main__":
    sys.exit(main())
