"""A real git server over TLS on loopback: git's own smart protocol behind Python's web server."""

from __future__ import annotations

import os
import ssl
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar, NamedTuple

Answer = tuple[int, dict[str, str], bytes]


class Asked(NamedTuple):
    """One request."""

    path: str
    authorization: str
    body: bytes


@dataclass
class GitServer:
    """What the server serves, and what it was asked; a test changes it while it runs."""

    root: Path
    port: int = 0
    refuse: Callable[[Asked], Answer | None] = lambda _asked: None
    requests: list[Asked] = field(default_factory=list)

    def url(self, repository: str, host: str = "127.0.0.1") -> str:
        """The https address of a folder below the root."""
        return f"https://{host}:{self.port}/{repository}"


@contextmanager
def serving(root: Path, certificate: Path) -> Iterator[GitServer]:
    """Serve every repository below `root`."""
    state = GitServer(root)
    handler = type("Serving", (_Handler,), {"state": state})
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    with _Server(("127.0.0.1", 0), handler) as server:
        server.socket = context.wrap_socket(
            server.socket, server_side=True, do_handshake_on_connect=False
        )
        state.port = server.server_address[1]
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield state
        finally:
            server.shutdown()
            thread.join()


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: object, client_address: object) -> None:
        """Clients that do not trust the certificate go away; that is what is tested."""


class _Handler(BaseHTTPRequestHandler):
    state: ClassVar[GitServer]
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self._answer()

    def do_POST(self) -> None:
        self._answer()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is inherited
        """Say nothing."""

    def _answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        asked = Asked(self.path, self.headers.get("Authorization", ""), body)
        self.state.requests.append(asked)
        self._send(*(self.state.refuse(asked) or self._backend(body)))

    def _send(self, status: int, headers: dict[str, str], content: bytes) -> None:
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(content))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def _backend(self, body: bytes) -> Answer:
        path, _, query = self.path.partition("?")
        done = subprocess.run(
            ["git", "http-backend"],
            input=body,
            capture_output=True,
            check=True,
            env={
                "PATH": os.environ["PATH"],
                "GIT_PROJECT_ROOT": str(self.state.root),
                "GIT_HTTP_EXPORT_ALL": "1",
                "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
                "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
                "PATH_INFO": path,
                "QUERY_STRING": query,
                "REQUEST_METHOD": self.command,
                "CONTENT_TYPE": self.headers.get("Content-Type", ""),
                "CONTENT_LENGTH": str(len(body)),
            },
        )
        head, _, content = done.stdout.partition(b"\r\n\r\n")
        headers = dict(line.split(": ", 1) for line in head.decode().split("\r\n"))
        return int(headers.pop("Status", "200 OK").split()[0]), headers, content
