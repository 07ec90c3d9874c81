"""What those who run the server do with the ledger: make it anew, price what was unknown."""

from __future__ import annotations

from dataclasses import asdict

from kb_agent.llm import repricing
from topics.ledger import rebuild as ledger_rebuild


def rebuild() -> dict[str, int]:
    """Write every call and every sum again from the tapes."""
    return asdict(ledger_rebuild.everything())


def reprice(model: str = "") -> dict[str, int]:
    """Price past calls of unknown price by the prices that held when they were made."""
    return repricing.reprice(model=model).as_dict()
