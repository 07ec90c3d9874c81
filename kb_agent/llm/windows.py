"""How many tokens a model can take: as set up, as a refusal taught, by a table, or a cautious guess (P8)."""

from __future__ import annotations

import functools
import ipaddress
import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal
from urllib.parse import urlsplit

from kb_agent.llm import gauges, text_protocol, usage

if TYPE_CHECKING:
    from kb_agent.llm.models import Endpoint
    from kb_agent.llm.protocol import Request

ASSUMED = 32_000
"""Where nothing is known: what most models of the last years take, and no more."""
ANSWER_TOKENS = 4_000
"""Kept free for the answer, or a quarter of the window where that is less."""

Origin = Literal["set", "learnt", "table", "name", "assumed"]
_TOLD: dict[Origin, str] = {
    "set": "as set",
    "learnt": "as a refusal has taught",
    "table": "by the table that comes with the product",
    "name": "by its name",
    "assumed": "which is a guess: give the right number with --window",
}
# `moonshot-v1-8k`, `ernie-4.5-turbo-128k`: a custom of many makers.
_IN_NAME = re.compile(r"[-_](\d{1,3})k(?![a-z0-9])", re.IGNORECASE)


@dataclass(frozen=True)
class Window:
    """A window in the model's own tokens, and how it is known."""

    tokens: int
    origin: Origin
    ratio: float
    """The model's tokens for each one of our estimate."""
    answer: int
    """Of `tokens`, what is kept free for the answer."""

    @property
    def room(self) -> int:
        """Tokens by our estimate that a request may have."""
        return max(0, int((self.tokens - self.answer) / self.ratio))


def of(endpoint: Endpoint) -> Window | None:
    """The window of an endpoint's model; None for the evidence model, which has no limit."""
    if endpoint.by_rule:
        return None
    reading = gauges.of(endpoint)
    tokens, origin = known(endpoint)
    if reading.window is not None and reading.window < tokens:
        tokens, origin = reading.window, "learnt"
    answer = endpoint.max_tokens or min(ANSWER_TOKENS, tokens // 4)
    return Window(tokens, origin, reading.ratio, min(answer, tokens // 2))


def known(endpoint: Endpoint) -> tuple[int, Origin]:
    """What is known without asking: tokens, and whether set, in the table, in its name, or assumed."""
    if endpoint.window:
        return endpoint.window, "set"
    listed = _listed(endpoint.model, endpoint.base_url)
    if listed is None:
        named = _IN_NAME.search(endpoint.model)
        return (int(named[1]) * 1_000, "name") if named else (ASSUMED, "assumed")
    # A server of one's own is often started with less than its model could take.
    if listed > ASSUMED and _of_ones_own(endpoint.base_url):
        return ASSUMED, "assumed"
    return listed, "table"


def told(endpoint: Endpoint) -> str:
    """A sentence about an endpoint's window, and how it is known."""
    window = of(endpoint)
    if window is None:
        return "It has no window."
    return f"It takes {window.tokens:,} tokens at once, {_TOLD[window.origin]}."


def fits(request: Request, endpoint: Endpoint) -> bool:
    """Whether a request leaves room for an answer in the model's window."""
    window = of(endpoint)
    return window is None or needed(request, endpoint) <= window.room


def needed(request: Request, endpoint: Endpoint) -> int:
    """Tokens of a request by our estimate: messages as they are sent, and tool schemas."""
    sent = list(text_protocol.used_by(request, endpoint.tools))
    tools = list(request.tools) if endpoint.tools == "native" else []
    return usage.estimate(json.dumps([sent, tools], ensure_ascii=False))


@functools.lru_cache(maxsize=256)
def _listed(model: str, base_url: str) -> int | None:
    """The table that comes with the package of prices: by address, else the least of that name."""
    from genai_prices import data_snapshot  # noqa: PLC0415 -- large, see prices

    snapshot = data_snapshot.get_snapshot()
    try:
        _, found = snapshot.find_provider_model(model, None, None, base_url)
    except LookupError:
        name = model.lower().rsplit("/", 1)[-1]
        sizes = [
            one.context_window
            for provider in snapshot.providers
            for one in provider.models
            if one.context_window and one.id.lower().rsplit("/", 1)[-1] == name
        ]
        return min(sizes, default=None)
    return found.context_window


def _of_ones_own(base_url: str) -> bool:
    """Whether an address lies inside a company: a private number, or a name without a dot."""
    host = urlsplit(base_url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_private
    except ValueError:
        return "." not in host or host.endswith((".local", ".internal", ".lan"))
