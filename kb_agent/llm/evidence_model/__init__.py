"""The evidence model: answers by rule, from the messages alone, with the places that were found (A3).

It speaks the same protocol as a language model and drives the same loop: it searches with the
question and a rewording, reads the best places, and answers in the asker's language. It never
pretends to understand more than it quotes.
"""

from __future__ import annotations

from kb_agent.llm.evidence_model.deciding import stream

__all__ = ["stream"]
