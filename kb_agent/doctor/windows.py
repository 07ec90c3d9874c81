"""Windows: how much each language model takes at once, and where that is only a guess."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kb_agent.doctor.finding import Finding, ok, warning
from kb_agent.llm import endpoints, windows

if TYPE_CHECKING:
    from collections.abc import Iterator


def look() -> Iterator[Finding]:
    """One line an endpoint."""
    for endpoint in endpoints.chosen():
        window = windows.of(endpoint)
        if window is None:
            yield ok("window", "the evidence model takes any length")
            continue
        said = f"{endpoint.name}: {windows.told(endpoint)}"
        if window.origin == "assumed":
            advice = (
                "Set it with add_endpoint --window, or KB_AGENT_LLM_WINDOW. Some servers (Ollama) cut what"
                " is too long without a word."
            )
            yield warning("window", said, advice)
        else:
            yield ok("window", said)
