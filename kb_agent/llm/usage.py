"""Reads a provider's usage into disjoint counts, whichever way the provider counts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kb_agent.llm.protocol import Usage


def read(raw: Mapping[str, Any] | None) -> Usage | None:
    """Usage from a chunk's `usage` object, or None when nothing was reported.

    Cached and reasoning tokens stand inside the totals for some providers and beside them for
    others. `total_tokens` tells which; without it they are inside unless they would not fit.
    """
    if not raw:
        return None
    prompt = _count(raw, "prompt_tokens") or _count(raw, "input_tokens")
    completion = _count(raw, "completion_tokens") or _count(raw, "output_tokens")
    cached = _cached(raw)
    reasoning = _inner(raw, "completion_tokens_details", "reasoning_tokens") or _inner(
        raw, "output_tokens_details", "reasoning_tokens"
    )
    if not (prompt or completion or cached or reasoning):
        return None
    beside = _count(raw, "total_tokens") - prompt - completion
    cached_beside = cached > prompt or (cached > 0 and beside in {cached, cached + reasoning})
    reasoning_beside = reasoning > completion or (
        reasoning > 0 and beside in {reasoning, cached + reasoning}
    )
    return Usage(
        input=prompt if cached_beside else prompt - cached,
        cached=cached,
        output=completion if reasoning_beside else completion - reasoning,
        reasoning=reasoning,
    )


def _cached(raw: Mapping[str, Any]) -> int:
    return (
        _inner(raw, "prompt_tokens_details", "cached_tokens")
        or _inner(raw, "input_tokens_details", "cached_tokens")
        or _count(raw, "prompt_cache_hit_tokens")
        or _count(raw, "cache_read_input_tokens")
    )


def _inner(raw: Mapping[str, Any], group: str, name: str) -> int:
    details = raw.get(group)
    return _count(details, name) if isinstance(details, Mapping) else 0


def _count(raw: Mapping[str, Any], name: str) -> int:
    value = raw.get(name)
    return value if isinstance(value, int) and value > 0 else 0


def estimate(text: str) -> int:
    """Tokens of a text, unasked: UTF-8 bytes / 4, within about a tenth of real tokenizers."""
    return (len(text.encode("utf-8", "replace")) + 3) // 4
