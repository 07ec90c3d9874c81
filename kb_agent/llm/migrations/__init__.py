"""Schema history of the llm application."""

from __future__ import annotations
