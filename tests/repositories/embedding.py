"""Puts code into the index and its vectors into a space, as the sweep and a worker do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kb_agent.llm import endpoints
from kb_agent.repositories.vectors import filling, spaces
from tests.repositories.code import REFUND

if TYPE_CHECKING:
    from kb_agent.repositories.models.vectors import Space
    from tests.llm.embedding_server import EmbeddingServer

STOCK = "def count_stock(item):\n    return item.stock\n"
TEST = "def test_stock(item):\n    assert item.stock\n"
# One chunk a file.
RETRY = REFUND.partition("\n\n\n")[2]
SHOP: dict[str, str | bytes | None] = {
    "refund.py": RETRY,
    "stock.py": STOCK,
    "tests/test_stock.py": TEST,
}


def use(server: EmbeddingServer, name: str = "words", model: str = "m1") -> None:
    """Set the server up as an embedding endpoint."""
    terms = endpoints.Terms(kind="embedding")
    endpoints.add(name, base_url=server.url, model=model, terms=terms)


def filled() -> Space:
    """Go on until nothing is due; the space that is wanted."""
    for _ in range(20):
        due = spaces.due()
        if not due:
            break
        filling.fill(due[0])
    space = spaces.wanted()
    assert space is not None
    return space
