"""The agent: a loop over one turn, its prompt, its tools, and the checks on what it may claim."""

from __future__ import annotations
