"""Append-only tapes: what happened, in order, provably; imports nothing else of ours."""

from __future__ import annotations
