"""The long-running programs of the product, by name; used by `make run` and by containers alike."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

from kb_agent.launcher import address, place

THREADS = "8"


def web() -> list[str]:
    """The ASGI server: pages, API and streams."""
    return [
        *(sys.executable, "-m", "uvicorn", "kb_agent.asgi:application"),
        *("--host", address.host(), "--port", str(address.port())),
        # Open streams would otherwise hold up a restart for as long as their readers stay.
        *("--no-access-log", "--timeout-graceful-shutdown", "2", "--lifespan", "on"),
    ]


def turns() -> list[str]:
    """Answers questions: threads, since a turn mostly waits for a provider."""
    threads = os.environ.get("KB_AGENT_TURN_THREADS") or THREADS
    return _worker("turns", "--pool", "threads", "--concurrency", threads)


def indexing() -> list[str]:
    """Fetches and indexes repositories: a process, since it computes."""
    return _worker("indexing", "--pool", "prefork", "--concurrency", "1")


def upkeep() -> list[str]:
    """Sweeps, and beat inside: apart from both others, so that nothing ever delays a sweep."""
    schedule = str(place.here().var / "beat-schedule")
    return _worker("upkeep", "--pool", "prefork", "--concurrency", "1", "--beat", "-s", schedule)


BY_NAME: dict[str, Callable[[], list[str]]] = {
    "turns": turns,
    "indexing": indexing,
    "upkeep": upkeep,
    "web": web,
}


def _worker(queue: str, *more: str) -> list[str]:
    return [
        *(sys.executable, "-m", "celery", "-A", "kb_agent.celery:app", "worker"),
        *("--queues", queue, "--hostname", f"{queue}@%h", "--loglevel", "INFO"),
        *("--without-gossip", "--without-mingle", *more),
    ]


def environment() -> dict[str, str]:
    """SIGTERM gives a worker's tasks back after a few seconds instead of waiting for them."""
    return {**os.environ, "REMAP_SIGTERM": "SIGQUIT", "PYTHONUNBUFFERED": "1"}
