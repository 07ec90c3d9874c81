"""A program that runs turns and dies on purpose: right after its n-th commit, as kill -9 would have it.

Reads `turn n` lines and answers each with the child's exit code; n = 0 lets the child live.
"""
# ruff: noqa: PLC0415 - what needs Django is imported once it is set up

from __future__ import annotations

import os
import signal
import sys
import threading
from itertools import count
from typing import TYPE_CHECKING, Any

import django

if TYPE_CHECKING:
    from collections.abc import Callable


def die_after(commits: int) -> None:
    """Kill this process when its main thread has committed so often."""
    from django.db.backends.base.base import BaseDatabaseWrapper
    from django.db.backends.signals import connection_created

    numbers = count(1)

    def committed() -> None:
        if threading.current_thread() is threading.main_thread() and next(numbers) == commits:
            os.kill(os.getpid(), signal.SIGKILL)

    commit = BaseDatabaseWrapper.commit

    def commit_and_count(self: BaseDatabaseWrapper) -> None:
        commit(self)
        committed()

    def executed(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        result = execute(sql, *rest)
        if rest[-1]["connection"].get_autocommit() and _writes(sql):
            committed()
        return result

    BaseDatabaseWrapper.commit = commit_and_count  # type: ignore[method-assign]
    connection_created.connect(
        lambda connection, **_: connection.execute_wrappers.append(executed), weak=False
    )


def _writes(sql: str) -> bool:
    return "tapes_" in sql or sql.lstrip().startswith(("INSERT", "UPDATE", "DELETE"))


def main() -> None:
    """Load everything once, then fork for each turn."""
    django.setup()
    from kb_agent import tasks

    for line in sys.stdin:
        turn_id, commits = map(int, line.split())
        child = os.fork()
        if child == 0:
            die_after(commits)
            os._exit(0 if tasks.run_turn(turn_id) else 1)
        _, status = os.waitpid(child, 0)
        sys.stdout.write(f"{os.waitstatus_to_exitcode(status)}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
