"""How much of the models' windows a turn may fill: with everything, and with one step's results (P8)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from kb_agent.llm import endpoints, usage, windows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kb_agent.llm.models import Endpoint
    from kb_agent.llm.protocol import Request, ToolSchema

RESULTS_SHARE = 0.3
"""Of what system prompt and tools leave free, one step's results take no more, so that after an
overload the last step fits beside its text, the notes and the question."""
RESULTS_FEWEST = 250


def widest() -> tuple[Endpoint, int | None]:
    """The endpoint that takes most, and the tokens by our estimate it takes; None for no limit."""
    found: list[tuple[Endpoint, int]] = []
    for endpoint in endpoints.chosen():
        window = windows.of(endpoint)
        if window is None:
            return endpoint, None
        found.append((endpoint, window.room))
    return max(found, key=lambda one: one[1])


def fitting(request: Request) -> list[Endpoint]:
    """The endpoints in order whose window takes a request."""
    return [endpoint for endpoint in endpoints.chosen() if windows.fits(request, endpoint)]


def for_results(system: str, tools: Sequence[ToolSchema]) -> int | None:
    """Tokens that the results of one step may take together; None for no limit."""
    _, room = widest()
    if room is None:
        return None
    fixed = usage.estimate(system) + usage.estimate(json.dumps(list(tools), ensure_ascii=False))
    return max(RESULTS_FEWEST, int((room - fixed) * RESULTS_SHARE))
