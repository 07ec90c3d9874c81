"""Measures what 100 open streams cost everyone else: the median of other requests, connections, memory."""

from __future__ import annotations

import http.client
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT = Path(__file__).resolve().parent.parent
PORT = 18_410
PEOPLE, STREAMS_EACH = 20, 5
ROUNDS, REQUESTS = 5, 100
APPENDS_A_SECOND = 10


def main() -> int:
    """Print a table; data lives in a temporary folder."""
    with tempfile.TemporaryDirectory(prefix="kb-agent-streams-") as folder:
        Path(folder).chmod(0o711)
        os.environ |= {
            "KB_AGENT_VAR": f"{folder}/var",
            "KB_AGENT_PORT": str(PORT),
            "KB_AGENT_LOG_LEVEL": "WARNING",
            "DJANGO_SETTINGS_MODULE": "kb_agent.settings",
        }
        sys.path.insert(0, str(ROOT))
        from kb_agent.launcher import place, programs, servers  # noqa: PLC0415 - reads the folder

        held = servers.hold(place.here())
        subprocess.run([sys.executable, "manage.py", "migrate"], cwd=ROOT, check=True, stdout=-3)
        web = subprocess.Popen(programs.web(), cwd=ROOT, stdout=-3, stderr=-3)
        try:
            _measure(web.pid)
        finally:
            web.terminate()
            web.wait()
            if held is not None:
                os.close(held)
    return 0


def _measure(web: int) -> None:
    import django  # noqa: PLC0415 - needs the environment above

    django.setup()
    from tests.api import company  # noqa: PLC0415 - needs Django
    from tests.api.reader import Reader, cookie_of  # noqa: PLC0415 - needs Django

    url = f"http://127.0.0.1:{PORT}"
    topics = [company.opened(company.person(f"reader {n}")) for n in range(PEOPLE)]
    cookies = [cookie_of(topic.owner) for topic in topics]

    @contextmanager
    def streams() -> Iterator[None]:
        with ExitStack() as stack:
            for topic, cookie in zip(topics, cookies, strict=True):
                for _ in range(STREAMS_EACH):
                    reader = stack.enter_context(Reader(url, {topic.tape_id: 0}, cookie))
                    reader.until("ready", within=60)
            yield

    _wait_for(url)
    _times(cookies[0])
    _compare("100 quiet streams", web, cookies[0], streams)
    with _writing([(topic.tape_id, topic.pk) for topic in topics]):
        name = f"100 streams, {APPENDS_A_SECOND} appends a second either way"
        _compare(name, web, cookies[0], streams)


@contextmanager
def _writing(places: list[tuple[int, int]]) -> Iterator[None]:
    """Somebody's tape gets an entry ten times a second, and five streams are woken by each."""
    from kb_agent import live  # noqa: PLC0415 - needs Django
    from tapes import entries, store  # noqa: PLC0415 - needs Django

    live.listen()
    ended = threading.Event()

    def write() -> None:
        number = 0
        while not ended.wait(1 / APPENDS_A_SECOND):
            tape_id, topic_id = places[number % PEOPLE]
            store.append(tape_id, [entries.event("measured", topic_id=topic_id)])
            number += 1

    writer = threading.Thread(target=write)
    writer.start()
    try:
        yield
    finally:
        ended.set()
        writer.join()


def _compare(name: str, web: int, cookie: str, streams: Callable[[], Any]) -> None:
    """Alternate without and with streams, so that what else the machine does weighs on both."""
    without: list[float] = []
    during: list[float] = []
    connections = memory = 0.0
    for _ in range(ROUNDS):
        without += _times(cookie)
        with streams():
            time.sleep(1)
            connections = max(connections, _connections(web))
            memory = psutil.Process(web).memory_info().rss / 2**20
            during += _times(cookie)
        time.sleep(1)
    before, after = (statistics.median(times) * 1000 for times in (without, during))
    print(
        f"{name}: median {before:.1f} ms -> {after:.1f} ms ({after / before:.2f} x),"
        f" database connections of the web process {connections:.0f}, memory {memory:.0f} MB",
        flush=True,
    )


def _times(cookie: str) -> list[float]:
    connection = http.client.HTTPConnection("127.0.0.1", PORT, timeout=30)
    times = []
    for _ in range(REQUESTS):
        started = time.monotonic()
        connection.request("GET", "/api/topics", headers={"Cookie": cookie})
        response = connection.getresponse()
        response.read()
        assert response.status == 200
        times.append(time.monotonic() - started)
    connection.close()
    return times


def _connections(web: int) -> int:
    sockets = psutil.Process(web).net_connections(kind="unix")
    return sum(".s.PGSQL" in str(each.raddr) for each in sockets)


def _wait_for(url: str) -> None:
    for _ in range(300):
        try:
            connection = http.client.HTTPConnection(url.removeprefix("http://"), timeout=2)
            connection.request("GET", "/api/health")
            connection.getresponse().read()
        except OSError:
            time.sleep(0.2)
        else:
            return
    raise SystemExit("the web server did not start")


if __name__ == "__main__":
    sys.exit(main())
