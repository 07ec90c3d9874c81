#!/usr/bin/env python3
"""Django's command line; starts the embedded servers for the time of a command when they are down."""

from __future__ import annotations

import os
import sys

from django.core.management import execute_from_command_line

from kb_agent.launcher import servers


def main() -> int:
    """Run one command while holding the servers."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "kb_agent.settings")
    if len(sys.argv) < 2 or sys.argv[1] in {"help", "--help", "-h", "--version", "version"}:
        execute_from_command_line(sys.argv)
        return 0
    try:
        with servers.use():
            execute_from_command_line(sys.argv)
    except servers.Unavailable as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
