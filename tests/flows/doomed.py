"""A worker that kills itself at a chosen moment: `python -m tests.flows.doomed`.

Reads lines `TURN POINT NUMBER`, each worked on by a process of its own, forked from this one: the
worker's task runs the turn, and after the NUMBER-th commit (POINT is `commit`) or before the
NUMBER-th statement (`statement`) the process gets SIGKILL. `never` runs the turn to its end,
`here` does so without a fork, so that the forks that follow find everything loaded. Answers each
line with `killed` or `ended`.
"""

from __future__ import annotations

import os
import signal
import sys
from typing import TYPE_CHECKING, Any

import django

django.setup()

from django.db import connection  # noqa: E402

from kb_agent import tasks  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Callable

READING = ("SELECT", "SAVEPOINT", "RELEASE")
WRITING = ("tapes_append", "tapes_fork", "tapes_create")


class Countdown:
    """Kills the process at the given number of the given points, in the thread that runs the turn."""

    def __init__(self, point: str, number: int) -> None:
        """Nothing has happened yet."""
        self.point = point
        self.left = number

    def reached(self, point: str) -> None:
        """Note that such a point was reached."""
        if point != self.point:
            return
        self.left -= 1
        if self.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    def statement(self, execute: Callable[..., Any], sql: str, *how: Any) -> Any:
        """Count a statement, and its commit where it is its own transaction."""
        self.reached("statement")
        result = execute(sql, *how)
        if not connection.in_atomic_block and _writes(sql):
            self.reached("commit")
        return result

    def watch(self) -> None:
        """Count what this thread's connection does from now on."""
        watched: Any = connection
        commit = watched.commit

        def committed() -> None:
            commit()
            self.reached("commit")

        watched.commit = committed
        connection.execute_wrappers.append(self.statement)


def _writes(sql: str) -> bool:
    return not sql.lstrip().startswith(READING) or any(name in sql for name in WRITING)


def _work(turn_id: int) -> None:
    try:
        tasks.run_turn(turn_id)
    finally:
        connection.close()


def _forked(turn_id: int, countdown: Countdown) -> str:
    child = os.fork()
    if not child:
        countdown.watch()
        _work(turn_id)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    return "killed" if os.WIFSIGNALED(status) else "ended"


def main() -> None:
    """Do what each line says, and say what became of it."""
    for line in sys.stdin:
        turn_id, point, number = line.split()
        if point == "here":
            _work(int(turn_id))
        said = "ended" if point == "here" else _forked(int(turn_id), Countdown(point, int(number)))
        sys.stdout.write(f"{said}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
