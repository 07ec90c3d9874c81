"""The scripted model: a real local HTTP server that speaks Chat Completions from a script."""

from __future__ import annotations

import contextlib
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

from kb_agent.llm import script
from kb_agent.llm.hidden_calls import JSON_ONLY
from kb_agent.llm.script import Refusal, Reply, Turn

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MODEL = "scripted"
AWAITED_SECONDS = 60
"""How long a reply waits for its event before it comes all the same."""


class ScriptedServer:
    """Answers each request with the next turn of its script and remembers what it was asked."""

    def __init__(self, turns: Sequence[Turn]) -> None:
        """Take the script; `serve` starts it."""
        self._turns = list(turns)
        self._beside: list[tuple[str, Turn]] = []
        self._lock = threading.Lock()
        self.requests: list[dict[str, Any]] = []
        self.asked_beside: list[dict[str, Any]] = []
        """Requests for JSON, which are not part of a turn."""
        self.hung_up = threading.Event()
        """Set when a client closed the connection before its answer was complete."""
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._http.daemon_threads = True

    @property
    def url(self) -> str:
        """The base URL to give to an endpoint."""
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def add(self, *turns: Turn) -> None:
        """Append to the script."""
        with self._lock:
            self._turns.extend(turns)

    def add_beside(self, asked: str, turn: Turn) -> None:
        """Answer with this what is asked beside a turn for JSON, when its prompt holds `asked`."""
        with self._lock:
            self._beside.append((asked, turn))

    def next_turn(self, request: dict[str, Any]) -> Turn:
        """Note a request and give the turn that answers it; past the end a refusal says so.

        What is asked beside a turn takes none of the script: without an answer of its own, `{}`.
        """
        with self._lock:
            prompt = _prompt(request)
            if prompt.endswith(JSON_ONLY):
                self.asked_beside.append(request)
                meant = next((one for one in self._beside if one[0] in prompt), None)
                if meant is None:
                    return script.says("{}")
                self._beside.remove(meant)
                return meant[1]
            self.requests.append(request)
            if self._turns:
                return self._turns.pop(0)
        return script.refuses(400, "the script has no more turns", code="script_over")

    @contextlib.contextmanager
    def running(self) -> Iterator[ScriptedServer]:
        """Serve until the block ends."""
        thread = threading.Thread(target=self._http.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        try:
            yield self
        finally:
            self._http.shutdown()
            self._http.server_close()
            thread.join(timeout=5)


def _prompt(request: dict[str, Any]) -> str:
    """The system prompt of a request; empty without one."""
    said = request.get("messages") or [{}]
    return str(said[0].get("content") or "")


def serve(*turns: Turn) -> contextlib.AbstractContextManager[ScriptedServer]:
    """`with serve(says("Yes.")) as server:` runs a scripted model at `server.url`."""
    return ScriptedServer(turns).running()


def _handler(server: ScriptedServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        """One Chat Completions request."""

        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            length = int(self.headers.get("Content-Length", "0"))
            turn = server.next_turn(json.loads(self.rfile.read(length) or b"{}"))
            try:
                _refuse(self, turn) if isinstance(turn, Refusal) else _answer(self, turn)
            except OSError:
                server.hung_up.set()
            self.close_connection = True

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            """Say nothing: tests read what was asked from `requests`."""

    return Handler


def _refuse(handler: BaseHTTPRequestHandler, refusal: Refusal) -> None:
    error = {"message": refusal.message, "type": "", "code": refusal.code or None}
    body = json.dumps({"error": error}).encode()
    handler.send_response(refusal.status)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", str(len(body)))
    if refusal.retry_after:
        handler.send_header("Retry-After", refusal.retry_after)
    handler.end_headers()
    handler.wfile.write(body)


def _answer(handler: BaseHTTPRequestHandler, reply: Reply) -> None:
    if reply.awaited is not None:
        reply.awaited.wait(AWAITED_SECONDS)
    time.sleep(reply.seconds)
    handler.send_response(200)
    handler.send_header("Content-Type", "text/event-stream; charset=utf-8")
    handler.send_header("Transfer-Encoding", "chunked")
    handler.end_headers()
    for number, chunk in enumerate(script.chunks(reply, MODEL)):
        if number == reply.cut_after:
            return
        if number == reply.garbage_after:
            _send(handler, b"data: {no json\n\n")
        if reply.error_after and number == reply.error_after[0]:
            _send(
                handler, b"data: " + json.dumps({"error": reply.error_after[1]}).encode() + b"\n\n"
            )
        _send(handler, b"data: " + json.dumps(chunk, ensure_ascii=False).encode() + b"\n\n")
        time.sleep(reply.seconds_between)
    _send(handler, b"data: [DONE]\n\n")
    _send(handler, b"")


def _send(handler: BaseHTTPRequestHandler, data: bytes) -> None:
    """One HTTP chunk, in two writes, so that characters arrive cut in half."""
    handler.wfile.write(f"{len(data):x}\r\n".encode() + data[: len(data) // 2])
    handler.wfile.flush()
    handler.wfile.write(data[len(data) // 2 :] + b"\r\n")
    handler.wfile.flush()
