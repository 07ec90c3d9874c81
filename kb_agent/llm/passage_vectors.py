"""Vectors of passages: a text that its endpoint refuses goes without one, and the others of the call get theirs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kb_agent.llm import embeddings, usage
from kb_agent.llm.protocol import ContentFiltered, ContextExceeded, ProviderError, RequestRefused

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

    from kb_agent.llm.account import Account
    from kb_agent.llm.models import Endpoint

SHORTEST = 200
"""A text that is too long is cut to no fewer characters."""
# The text of a passage is at fault, not the endpoint.
_REFUSED = (ContextExceeded, ContentFiltered, RequestRefused)


@dataclass
class Passages:
    """Asks one endpoint for vectors, and counts what that used."""

    endpoint: Endpoint
    account: Account
    seconds: float
    """How long one call may take."""
    dimension: int | None
    """How many numbers a vector has; None until one is known."""
    tokens: int = 0
    _refusals: list[ProviderError] = field(default_factory=list)

    def vectors(self, texts: Sequence[str]) -> list[np.ndarray | None]:
        """A vector a text, or None where it is refused. Raises a ProviderError by name.

        Where every one of several texts is refused, or the first of all, the endpoint is at fault:
        its refusal is raised.
        """
        first = self.dimension is None
        found = self._asked(texts)
        if all(vector is None for vector in found) and (len(texts) > 1 or first):
            raise self._refusals[0]
        return found

    def _asked(self, texts: Sequence[str]) -> list[np.ndarray | None]:
        """Texts in one call; where they are refused, in two halves, and one alone that is too long, cut shorter."""
        try:
            answered = embeddings.embed(
                self.endpoint,
                texts,
                use="passage",
                account=self.account,
                seconds=self.seconds,
                dimension=self.dimension,
            )
        except _REFUSED as refusal:
            self._refusals.append(refusal)
            half = len(texts) // 2
            if half:
                return [*self._asked(texts[:half]), *self._asked(texts[half:])]
            if isinstance(refusal, ContextExceeded) and len(texts[0]) > SHORTEST:
                return self._asked([texts[0][: len(texts[0]) // 2]])
            return [None]
        self.dimension = int(answered.vectors.shape[1])
        self.tokens += answered.usage.total if answered.usage else sum(map(usage.estimate, texts))
        return list(answered.vectors)
