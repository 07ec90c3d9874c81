"""A real local server of `/v1/embeddings`: a text's vector counts its words, so likeness is words in common."""

from __future__ import annotations

import contextlib
import json
import re
import threading
import time
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

Answer = dict[str, Any]
WORD = re.compile(r"[a-z]+|[\u4e00-\u9fff]")


class EmbeddingServer:
    """Remembers what it was asked; `failing` are (status, message, headers) that come first."""

    def __init__(self, dimension: int) -> None:
        self.dimension = dimension
        self.seconds = 0.0
        self.failing: list[tuple[int, str, dict[str, str]]] = []
        self.instead: Answer | None = None
        self.requests: list[dict[str, Any]] = []
        self.synonyms: dict[str, str] = {}
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._http.daemon_threads = True

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    @property
    def texts(self) -> list[str]:
        """Every text that was ever sent."""
        return [text for request in self.requests for text in request["input"]]

    def vector(self, text: str) -> list[float]:
        found = [0.001] * self.dimension
        for word in WORD.findall(text.lower()):
            meant = self.synonyms.get(word, word)
            found[zlib.crc32(meant.encode()) % self.dimension] += 1.0
        return found

    def answer(self, request: dict[str, Any]) -> Answer:
        """Rows in reverse order: only their index tells which text they belong to."""
        if self.instead is not None:
            return self.instead
        rows = [
            {"object": "embedding", "index": index, "embedding": self.vector(text)}
            for index, text in enumerate(request["input"])
        ]
        used = sum(len(text) // 4 + 1 for text in request["input"])
        usage = {"prompt_tokens": used, "total_tokens": used}
        return {"object": "list", "data": rows[::-1], "model": request["model"], "usage": usage}

    @contextlib.contextmanager
    def running(self) -> Iterator[EmbeddingServer]:
        thread = threading.Thread(target=self._http.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        try:
            yield self
        finally:
            self._http.shutdown()
            self._http.server_close()
            thread.join(timeout=5)


def serving(dimension: int = 64) -> contextlib.AbstractContextManager[EmbeddingServer]:
    """`with serving() as server:` answers at `server.url`."""
    return EmbeddingServer(dimension).running()


def _handler(server: EmbeddingServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        """One request."""

        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            request["path"], request["key"] = self.path, self.headers["Authorization"]
            server.requests.append(request)
            time.sleep(server.seconds)
            if server.failing:
                status, message, headers = server.failing.pop(0)
                body: Answer = {"error": {"message": message, "type": "", "code": None}}
            else:
                status, body, headers = 200, server.answer(request), {}
            data = json.dumps(body).encode()
            with contextlib.suppress(OSError):
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(data)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            """Say nothing."""

    return Handler
