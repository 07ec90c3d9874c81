"""The connection of one call to a provider, which another thread can hang up at any moment."""

from __future__ import annotations

import contextlib
import socket
from typing import Any

_CONNECT_SECONDS = 10.0


class Line:
    """Makes the HTTP client of a call and remembers its sockets."""

    def __init__(self) -> None:
        """Begin without a connection."""
        self.hung_up = False
        self._sockets: list[socket.socket] = []

    def http(self, *, silence: float) -> Any:
        """An HTTP client that gives up after `silence` seconds without a byte."""
        import httpx2  # noqa: PLC0415 -- heavy, see failures

        def note(event: str, facts: dict[str, Any]) -> None:
            if event in {"connection.connect_tcp.complete", "connection.start_tls.complete"}:
                self._sockets.append(facts["return_value"].get_extra_info("socket"))
                if self.hung_up:
                    self.hang_up()

        def trace(http_request: httpx2.Request) -> None:
            http_request.extensions["trace"] = note

        return httpx2.Client(
            timeout=httpx2.Timeout(silence, connect=min(silence, _CONNECT_SECONDS)),
            event_hooks={"request": [trace]},
            follow_redirects=False,
        )

    def hang_up(self) -> None:
        """End the call, also on a provider that is silent: whoever reads it goes on at once."""
        self.hung_up = True
        for connection in self._sockets:
            with contextlib.suppress(OSError):
                socket.socket.shutdown(connection, socket.SHUT_RDWR)
