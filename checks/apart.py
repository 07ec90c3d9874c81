"""Runs a piece of work in a process of its own, so that the memory it needs can be told apart."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from django.db import connections

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

Result = TypeVar("Result")


def grown(work: Callable[[], Result]) -> tuple[Result, int]:
    """Return what the work returns, and by how many MB its process grew at most."""
    connections.close_all()
    here, there = multiprocessing.Pipe()
    process = multiprocessing.get_context("fork").Process(target=_measured, args=(work, there))
    process.start()
    there.close()
    result, grew = here.recv()
    process.join()
    return result, grew


def _measured(work: Callable[[], Result], there: Connection) -> None:
    Path("/proc/self/clear_refs").write_text("5")
    before = _kilobytes("VmRSS")
    result = work()
    there.send((result, (_kilobytes("VmHWM") - before) >> 10))
    connections.close_all()


def _kilobytes(field: str) -> int:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1])
    return 0
