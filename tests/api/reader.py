"""A browser's reader of the stream: a real HTTP connection, its events as they come."""

from __future__ import annotations

import json
import queue
import socket
import threading
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from django.test import Client

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

    from kb_agent.accounts.models import User


@dataclass
class Event:
    """One server-sent event."""

    name: str
    data: Any
    position: str = ""


def cookie_of(user: User | None) -> str:
    """What a browser sends in which this person is signed in."""
    if user is None:
        return ""
    client = Client()
    client.force_login(user)
    return f"sessionid={client.cookies['sessionid'].value}"


@dataclass
class Reader:
    """An open stream; `until` collects its events."""

    url: str
    tapes: dict[int, int]
    cookie: str = ""
    last_event_id: str = ""
    status: int = 0
    body: bytes = b""
    comments: int = 0
    _events: queue.Queue[Event | None] = field(default_factory=queue.Queue)

    def __enter__(self) -> Reader:
        address = urlsplit(self.url)
        self._socket = socket.create_connection((address.hostname, address.port), timeout=30)
        asked = ",".join(f"{tape}:{seq}" for tape, seq in self.tapes.items())
        lines = [
            f"GET /api/stream?tapes={asked} HTTP/1.1",
            f"Host: {address.netloc}",
            *([f"Cookie: {self.cookie}"] if self.cookie else []),
            *([f"Last-Event-ID: {self.last_event_id}"] if self.last_event_id else []),
        ]
        self._socket.sendall("\r\n".join([*lines, "", ""]).encode())
        self._file = self._socket.makefile("rb")
        self.status = int(self._file.readline().split()[1])
        headers = list(iter(self._file.readline, b"\r\n"))
        self._chunked = any(b"chunked" in header.lower() for header in headers)
        if self.status != 200:
            self.body = self._chunk()
        else:
            self._thread = threading.Thread(target=self._read, daemon=True)
            self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._socket.shutdown(socket.SHUT_RDWR)
        if self.status == 200:
            self._thread.join(5)
        self._file.close()
        self._socket.close()

    def until(self, name: str, *, within: float = 30, **data: Any) -> list[Event]:
        """Every event up to the first of this name whose data has these values."""
        seen = []
        while True:
            event = self._events.get(timeout=within)
            assert event is not None, f"the stream ended after {seen}"
            seen.append(event)
            if event.name == name and data.items() <= event.data.items():
                return seen

    def ended(self, *, within: float = 30) -> list[Event]:
        """What came before the server ended the stream."""
        seen = []
        while (event := self._events.get(timeout=within)) is not None:
            seen.append(event)
        return seen

    def more(self, *, within: float) -> list[Event]:
        """Whatever comes in that time."""
        seen: list[Event] = []
        deadline = time.monotonic() + within
        while (left := deadline - time.monotonic()) > 0:
            try:
                event = self._events.get(timeout=left)
            except queue.Empty:
                break
            assert event is not None, f"the stream ended after {seen}"
            seen.append(event)
        return seen

    def _chunk(self) -> bytes:
        size = int(self._file.readline() or b"0", 16) if self._chunked else 0
        data = self._file.read(size)
        self._file.readline()
        return data

    def _read(self) -> None:
        text = b""
        try:
            while chunk := self._chunk():
                *whole, text = (text + chunk).split(b"\n\n")
                for block in whole:
                    self._take(block.decode())
        except (OSError, ValueError):
            pass
        self._events.put(None)

    def _take(self, block: str) -> None:
        if block.startswith(":"):
            self.comments += 1
            return
        lines = dict(line.split(": ", 1) for line in block.split("\n"))
        self._events.put(Event(lines["event"], json.loads(lines["data"]), lines.get("id", "")))


def seqs(events: list[Event]) -> list[int]:
    """The seqs of the entries among these events."""
    return [event.data["seq"] for event in events if event.name == "entry"]


def within(seconds: float, holds: Callable[[], bool]) -> bool:
    """Whether this holds before the time is over."""
    deadline = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True
