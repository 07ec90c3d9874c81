"""What the tests of calls need: an endpoint at a scripted server, a ledger that remembers."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Any

from kb_agent.llm import calls, keys
from kb_agent.llm.models import Endpoint
from kb_agent.llm.protocol import Request, TextDelta

if TYPE_CHECKING:
    from kb_agent.llm.scripted import ScriptedServer

SEARCH = {
    "type": "function",
    "function": {"name": "search_code", "description": "Search.", "parameters": {}},
}


class Ledger:
    """Remembers what it was told, a word each."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def started(self, endpoint: Endpoint, call: str) -> None:
        assert call
        self.told.append(f"started {endpoint.name}")

    def failed(self, call: str, endpoint: Endpoint, error: Exception, seconds: float) -> None:
        self.told.append(f"failed {endpoint.name} {getattr(error, 'code', type(error).__name__)}")


class Asked:
    """One asking: its text pieces, its ledger, its time."""

    def __init__(self) -> None:
        self.pieces: list[TextDelta] = []
        self.ledger = Ledger()
        self.stopped = threading.Event()

    def ask(self, *endpoints: Endpoint, seconds: float = 20, **request: Any) -> calls.Answer:
        values: dict[str, Any] = {
            "messages": [{"role": "user", "content": "退款失败后会自动重试吗？"}],
            "purpose": "answer",
            "payer": 1,
        }
        return calls.ask(
            endpoints,
            Request(**(values | request)),
            terms=calls.Terms(deadline=time.monotonic() + seconds, stopped=self.stopped),
            ledger=self.ledger,
            on_text=self.heard,
        )

    def heard(self, piece: TextDelta) -> None:
        """A piece of the answer arrived."""
        self.pieces.append(piece)


def endpoint(server: ScriptedServer, **values: Any) -> Endpoint:
    """An endpoint at a scripted server."""
    values = {
        "name": "scripted",
        "model": "scripted",
        "key_encrypted": keys.seal("sk-very-secret-1"),
    } | values
    return Endpoint(base_url=server.url, **values)
