"""A scripted model that answers by what it is shown, so that a call made twice is answered alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from kb_agent.llm.scripted import ScriptedServer

if TYPE_CHECKING:
    from kb_agent.llm.script import Turn

Request = dict[str, Any]


class SteadyServer(ScriptedServer):
    """Gives the reply of the step that a request has come to, however often it is asked for."""

    def __init__(self, *steps: Turn, on_request: Callable[[Request], None] | None = None) -> None:
        """Take a turn's steps; `on_request` hears of each request before it is answered."""
        super().__init__([])
        self._steps = steps
        self.on_request = on_request

    def next_turn(self, request: Request) -> Turn:
        """The reply after as many rounds of tools as the newest question has seen."""
        self.requests.append(request)
        if self.on_request is not None:
            self.on_request(request)
        return self._steps[steps_taken(request)]


def steps_taken(request: Request) -> int:
    """Rounds of tool calls since the last question in a request."""
    messages = request["messages"]
    asked = max(at for at, message in enumerate(messages) if message["role"] == "user")
    return sum(bool(message.get("tool_calls")) for message in messages[asked:])
