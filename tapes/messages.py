"""What the model is shown: entries rendered by a numbered version, and the hash that proves it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tapes.renderers import v1, v2, v3

if TYPE_CHECKING:
    from tapes.entries import Entry
    from tapes.renderers.shown import Message, Shown

RENDERER = 3
"""The version new calls are rendered by."""

_RENDERERS: Mapping[int, Callable[..., Shown]] = {1: v1.render, 2: v2.render, 3: v3.render}
_PLACES: Mapping[int, Callable[..., list[int]]] = {1: v1.places, 2: v2.places, 3: v3.places}

shows_anchor = v3.shows_anchor


@dataclass(frozen=True, slots=True)
class Rendered:
    """Messages for one model call, with what the ledger keeps of them."""

    messages: list[Message]
    seqs: list[int]
    """The entries shown, in the order shown."""
    withheld: list[int]
    """Those of `seqs` whose text was withheld from the asker."""
    digest: str
    """SHA-256 of the messages, see `digest`."""


def render(
    entries: Sequence[Entry],
    *,
    readable: frozenset[int],
    system: str | None = None,
    withheld: frozenset[int] = frozenset(),
) -> Rendered:
    """Render entries for a reader of the repositories `readable`; the rest is named as withheld.

    `withheld` are seqs that the reader is not to be shown for another reason.
    """
    hidden = frozenset(entry.seq for entry in entries if not readable.issuperset(entry.sources))
    return render_by(RENDERER, entries, hidden=hidden | withheld, system=system)


def render_by(
    renderer: int, entries: Sequence[Entry], *, hidden: frozenset[int], system: str | None
) -> Rendered:
    """Render by a given version, withholding given entries. Raises KeyError for no such version."""
    shown = _RENDERERS[renderer](entries, hidden=hidden, system=system)
    return Rendered(shown.messages, shown.seqs, shown.withheld, digest(shown.messages))


def places_by(
    renderer: int, entries: Sequence[Entry], *, hidden: frozenset[int], system: bool
) -> list[int | None]:
    """The seq each of those messages came from; None for the system prompt."""
    found: list[int] = _PLACES[renderer](entries, hidden=hidden)
    return [None, *found] if system else [*found]


def digest(messages: Sequence[Message]) -> str:
    """SHA-256 in hex over canonical JSON: sorted keys, no spaces, UTF-8."""
    text = json.dumps(messages, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
