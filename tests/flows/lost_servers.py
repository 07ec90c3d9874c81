"""Takes the embedded servers away while tests run, and brings them back as an administrator would."""

from __future__ import annotations

import os
import shutil
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import redis
from django.conf import settings
from django.db import OperationalError, connections

from kb_agent.launcher import processes, server


@contextmanager
def redis_gone(*, emptied: bool = True) -> Iterator[None]:
    """Redis is killed and stays away until the block ends; then it comes back, with nothing in it."""
    with _kept_down():
        kill_redis()
        try:
            yield
        finally:
            if emptied:
                shutil.rmtree(settings.PLACE.valkey_data / "appendonlydir")
    _await_redis()


@contextmanager
def redis_hung() -> Iterator[None]:
    """Redis takes connections and answers nothing until the block ends."""
    os.kill(_redis_pid(), signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(_redis_pid(), signal.SIGCONT)
    _await_redis()


def kill_redis() -> None:
    """End Redis as a crash does."""
    pid = _redis_pid()
    os.kill(pid, signal.SIGKILL)
    assert processes.await_gone(pid, str(settings.PLACE.valkey_socket), seconds=10)


def crash_postgres() -> None:
    """End PostgreSQL as a crash does, and wait until its keeper has brought it back."""
    pid_file = settings.PLACE.postgres_data.resolve() / "postmaster.pid"
    first = pid_file.read_text()
    os.kill(int(first.split()[0]), signal.SIGQUIT)
    deadline = time.monotonic() + 60
    while _read(pid_file) in {"", first} or not _postgres_answers():
        assert time.monotonic() < deadline, "PostgreSQL does not come back"
        time.sleep(0.1)


@contextmanager
def _kept_down() -> Iterator[None]:
    """The keeper stands still, and so restarts nothing."""
    keeper = int((settings.PLACE.locks / "keeper.pid").read_text())
    os.kill(keeper, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(keeper, signal.SIGCONT)


def _read(file: Path) -> str:
    """What a file holds that may be taken away at any moment."""
    try:
        return file.read_text()
    except FileNotFoundError:
        return ""


def _redis_pid() -> int:
    return int((settings.PLACE.locks / "valkey.pid").read_text())


def _await_redis() -> None:
    deadline = time.monotonic() + 60
    while not server.answers(settings.PLACE.valkey_socket) or not _pings():
        assert time.monotonic() < deadline, "Redis does not come back"
        time.sleep(0.05)


def _pings() -> bool:
    try:
        with redis.Redis.from_url(settings.REDIS_URL, socket_timeout=2) as client:
            return bool(client.ping())
    except redis.RedisError:
        return False


def _postgres_answers() -> bool:
    connections.close_all()
    try:
        connections["default"].ensure_connection()
    except OperationalError:
        return False
    return True
