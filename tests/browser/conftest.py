"""Fixtures of the browser tests: built pages, a real Chromium, people, and code to ask about."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Browser, sync_playwright

from kb_agent.usecases import people, upkeep
from tests.browser.visitor import Visitor
from tests.flows import harness

if TYPE_CHECKING:
    from pytest_django import Settings

    from kb_agent.repositories.models import Repository
    from tests.flows.harness import Process, StartWorker, WebServer

ROOT = Path(__file__).resolve().parent.parent.parent
FRONTEND = ROOT / "frontend"
PASSWORD = "a-long-enough-one"  # noqa: S105 - of people who live for one test
CHROMIUM_SWITCHES = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

Visit = Callable[..., Visitor]


@pytest.fixture(scope="session")
def built_pages() -> None:
    """The front end as `npm run build` makes it, anew when a source is younger than it."""
    index = FRONTEND / "dist" / "index.html"
    sources = [*(FRONTEND / "src").rglob("*"), *(FRONTEND / "public").rglob("*")]
    newest = max(path.stat().st_mtime for path in sources if path.is_file())
    if index.exists() and index.stat().st_mtime > newest:
        return
    if not (FRONTEND / "node_modules").exists():
        subprocess.run(["npm", "ci"], cwd=FRONTEND, check=True, capture_output=True)
    subprocess.run(["npm", "run", "build"], cwd=FRONTEND, check=True, capture_output=True)


def _chromium() -> str:
    found = (
        os.environ.get("KB_AGENT_CHROMIUM")
        or shutil.which("chromium")
        or shutil.which("chromium-browser")
    )
    assert found, (
        "No Chromium: install the system's package (Debian: apt-get install chromium fonts-noto-cjk)."
    )
    return found


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    """One browser for all tests of this folder; each visitor has a profile of their own.

    Playwright runs a loop in this thread: Django would take its callers for asynchronous ones, and no later test
    could start a loop of its own. So it ends with the folder.
    """
    with pytest.MonkeyPatch.context() as patch, sync_playwright() as playwright:
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        browser = playwright.chromium.launch(executable_path=_chromium(), args=CHROMIUM_SWITCHES)
        yield browser
        browser.close()


def _indexed(name: str, folder: Path) -> Repository:
    added = upkeep.add(name, str(folder), groups=["product"])
    (run,) = upkeep.index([name])
    assert run.status == "done", run.error
    return added


@pytest.fixture
def own_source(committed_database: None) -> Repository:
    """This project's own source, indexed, read by the group `product`."""
    return _indexed("kb-agent", ROOT)


@pytest.fixture
def shop(committed_database: None) -> Repository:
    """The demo's small shop, indexed, read by the group `product`."""
    return _indexed("shop", ROOT / "kb_agent" / "management" / "demo" / "shop")


def _hire() -> None:
    """The people of `visit`."""
    people.add("product", PASSWORD, display_name="林悦", groups=["product"], names=["member"])
    people.add("reviewer", PASSWORD, display_name="周然", groups=["product"], names=["reviewer"])
    people.add("admin", PASSWORD, display_name="陈默", names=["administrator"])
    people.add(
        "lead",
        PASSWORD,
        display_name="Ann Li",
        groups=["product"],
        names=["reviewer", "administrator"],
    )


@pytest.fixture
def keeper(start_worker: StartWorker) -> Process:
    """A worker that also looks, every few seconds, for what waits: an indexing, an evaluation."""
    return start_worker(beat=True)


@pytest.fixture(scope="module")
def web_server(
    django_db_setup: None, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[WebServer]:
    """One web server for a whole file of tests: it keeps nothing that a test could trip over."""
    with harness.serving(tmp_path_factory.mktemp("web")) as server:
        yield server


@pytest.fixture
def visit(
    chromium: Browser,
    built_pages: None,
    committed_database: None,
    web_server: WebServer,
    settings: Settings,
    request: pytest.FixtureRequest,
) -> Iterator[Visit]:
    """`visit("en", width=390, name="admin")`: someone signed in, in a browser of their own.

    By default the product manager; `reviewer` reads the same code and keeps its words, `admin` looks
    after repositories and reads none, `lead` does and reads all of these.
    """
    # The web server runs on the product's settings, which do not know the tests' quick hasher.
    settings.PASSWORD_HASHERS = ["tests.browser.passwords.HashedOnce"]
    _hire()
    stack = ExitStack()

    def start(
        language: str = "zh",
        *,
        name: str = "product",
        theme: str = "light",
        width: int = 1440,
        height: int = 960,
    ) -> Visitor:
        context = chromium.new_context(
            viewport={"width": width, "height": height},
            locale="zh-CN" if language == "zh" else "en-GB",
            color_scheme="dark" if theme == "dark" else "light",
            base_url=web_server.url,
        )
        stack.callback(context.close)
        visitor = Visitor(context.new_page(), test=request.node.name)
        visitor.sign_in(name, PASSWORD)
        return visitor

    with stack:
        yield start
