"""Renderer 2: as renderer 1, but evidence ids of earlier topics are left out.

A window that was asked for may reach back into earlier topics, whose `[e1]` named other places than
this topic's: cited again it would point at the wrong lines.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tapes.renderers import v1

if TYPE_CHECKING:
    from tapes.entries import Entry
    from tapes.renderers.shown import Shown

_IDS = re.compile(r"\s?[\[【]\s*e\d+[^\]】]{0,40}[\]】]", re.IGNORECASE)

shows_anchor = v1.shows_anchor


def render(entries: Sequence[Entry], *, hidden: frozenset[int], system: str | None) -> Shown:
    """Render entries in the order given; the last one's topic is the one whose ids are kept."""
    return v1.render(_own(entries), hidden=hidden, system=system)


def places(entries: Sequence[Entry], *, hidden: frozenset[int]) -> list[int]:
    """The seq each message of `render` came from, without the system prompt's."""
    return v1.places(_own(entries), hidden=hidden)


def _own(entries: Sequence[Entry]) -> list[Entry]:
    own = {None, entries[-1].topic_id if entries else None}
    return [
        entry if entry.topic_id in own else replace(entry, payload=_without_ids(entry.payload))
        for entry in entries
    ]


def _without_ids(value: Any) -> Any:
    if isinstance(value, str):
        return _IDS.sub("", value)
    if isinstance(value, dict):
        return {key: _without_ids(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_without_ids(part) for part in value]
    return value
