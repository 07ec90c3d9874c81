"""A question's vector: remembered for a short while, and done without when the endpoint fails."""

from __future__ import annotations

import logging
import threading
import time
from collections import OrderedDict
from typing import TYPE_CHECKING

from kb_agent.llm import embeddings
from kb_agent.llm.protocol import ProviderError

if TYPE_CHECKING:
    import numpy as np

    from kb_agent.llm.account import Account
    from kb_agent.llm.models import Endpoint

log = logging.getLogger(__name__)
DEADLINE_SECONDS = 1.5
"""A person does not wait longer for the vector of a question."""
REST_SECONDS = 30.0
"""An endpoint that failed is left alone for so long."""
REMEMBERED, REMEMBERED_SECONDS = 256, 300.0
Model = tuple[str, str, str]


class _Memory:
    """Questions embedded a short while ago, and endpoints that are left alone."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._vectors: OrderedDict[tuple[Model, str], tuple[float, np.ndarray]] = OrderedDict()
        self._resting: dict[Model, float] = {}

    def get(self, model: Model, text: str) -> np.ndarray | None:
        with self._lock:
            until, vector = self._vectors.get((model, text), (0.0, None))
        return vector if until > time.monotonic() else None

    def keep(self, model: Model, text: str, vector: np.ndarray) -> None:
        with self._lock:
            self._vectors[model, text] = (time.monotonic() + REMEMBERED_SECONDS, vector)
            self._vectors.move_to_end((model, text))
            while len(self._vectors) > REMEMBERED:
                self._vectors.popitem(last=False)

    def rest(self, model: Model) -> None:
        self._resting[model] = time.monotonic() + REST_SECONDS

    def rests(self, model: Model) -> bool:
        return self._resting.get(model, 0.0) > time.monotonic()

    def clear(self) -> None:
        with self._lock:
            self._vectors.clear()
            self._resting.clear()


memory = _Memory()


def vector(
    endpoint: Endpoint, text: str, *, account: Account, dimension: int | None = None
) -> np.ndarray | None:
    """The vector of a question, of length 1; None while the endpoint does not give one.

    Secrets are masked by the caller. The call is recorded on the account's tape.
    """
    model = (endpoint.name, endpoint.model, endpoint.inputs)
    known = memory.get(model, text)
    if known is not None or memory.rests(model):
        return known
    try:
        answered = embeddings.embed(
            endpoint,
            [text],
            use="query",
            account=account,
            seconds=DEADLINE_SECONDS,
            dimension=dimension,
        )
    except ProviderError as error:
        memory.rest(model)
        log.warning("search goes on without vectors: %s", error)
        return None
    found: np.ndarray = answered.vectors[0]
    memory.keep(model, text, found)
    return found
