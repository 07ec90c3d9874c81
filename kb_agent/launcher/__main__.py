"""`python -m kb_agent.launcher`: everything; with a name (web, turns, …): that program alone."""

from __future__ import annotations

import argparse
import os
import sys

from kb_agent.launcher import launch, programs


def main() -> int:
    """Translate arguments; one sentence and exit code 1 when it cannot run."""
    parser = argparse.ArgumentParser(prog="python -m kb_agent.launcher", description=__doc__)
    parser.add_argument("program", nargs="?", choices=sorted(programs.BY_NAME))
    parser.add_argument("--reload", action="store_true", help="restart when the code changes")
    options = parser.parse_args()
    if options.program:
        command = programs.BY_NAME[options.program]()
        os.execvpe(command[0], command, programs.environment())  # noqa: S606 — becomes that program
    try:
        launch.run(reload=options.reload)
    except launch.CannotRun as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
