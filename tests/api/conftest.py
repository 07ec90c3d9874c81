"""A small company for the tests of this folder: people, a repository, a topic with an answer."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from tests.api import company
from tests.flows import harness

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.api.company import Company
    from tests.flows.harness import WebServer


@pytest.fixture
def small(db: None) -> Company:
    """The company, in a transaction that is rolled back."""
    return company.founded()


@pytest.fixture
def committed(committed_database: None) -> Company:
    """The company, for servers and workers to see."""
    return company.founded()


@pytest.fixture(scope="module")
def web_server(
    django_db_setup: None, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[WebServer]:
    """One web server for a whole file of tests: it keeps nothing that a test could trip over."""
    with serving(tmp_path_factory.mktemp("web")) as server:
        yield server


@pytest.fixture
def web_without_redis(committed_database: None, tmp_path: Path) -> Iterator[WebServer]:
    """The web server as it is when Redis does not answer."""
    with serving(tmp_path, REDIS_URL="redis://127.0.0.1:9/0") as server:
        yield server


@contextmanager
def serving(folder: Path, **environment: str) -> Iterator[WebServer]:
    """The real ASGI server, with these variables."""
    port = harness.free_port()
    command = [
        *(sys.executable, "-m", "uvicorn", "kb_agent.asgi:application", "--port", str(port)),
        *("--no-access-log", "--timeout-graceful-shutdown", "1"),
    ]
    with harness.running(
        command,
        folder / "web.log",
        ready=lambda process: any("running on" in line for line in process.lines()),
        **environment,
    ) as process:
        yield harness.WebServer(f"http://127.0.0.1:{port}", process)
