"""Renderer 3: as renderer 2, but recalled topics that a person dismissed are left out.

An event `recall_dismissed {seq, topic}` takes a topic out of the recall at that seq, `recall_restored` brings it back.
In a recall's text the part of a topic begins with a line `- topic NUMBER `; a recall of dismissed topics alone is not
shown at all. The events that changed something are among the entries shown, so that a recorded call is built again by
them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tapes.renderers import v2
from tapes.renderers.shown import Shown

if TYPE_CHECKING:
    from tapes.entries import Entry

DISMISSED, RESTORED = "recall_dismissed", "recall_restored"
_RECALL = "recall_anchor"
_PART = re.compile(r"^- topic (\d+) ", re.MULTILINE)

shows_anchor = v2.shows_anchor


def render(entries: Sequence[Entry], *, hidden: frozenset[int], system: str | None) -> Shown:
    """Render entries in the order given, without what was dismissed."""
    left, extra = _without_dismissed(entries, hidden)
    shown = v2.render(left, hidden=hidden, system=system)
    # First, since the last entry says whose evidence ids are kept.
    return Shown(shown.messages, [*extra, *shown.seqs], shown.withheld)


def places(entries: Sequence[Entry], *, hidden: frozenset[int]) -> list[int]:
    """The seq each message of `render` came from, without the system prompt's."""
    return v2.places(_without_dismissed(entries, hidden)[0], hidden=hidden)


def dismissed(entries: Sequence[Entry]) -> dict[int, set[int]]:
    """The topics that are dismissed from each recall, by its seq."""
    found: dict[int, set[int]] = {}
    for seq, topic, event in _changes(entries):
        topics = found.setdefault(seq, set())
        if event.payload["name"] == DISMISSED:
            topics.add(topic)
        else:
            topics.discard(topic)
    return {seq: topics for seq, topics in found.items() if topics}


def _without_dismissed(
    entries: Sequence[Entry], hidden: frozenset[int]
) -> tuple[list[Entry], list[int]]:
    """The entries as they are rendered, and the seqs that are shown by being left out."""
    gone = dismissed(entries)
    left: list[Entry] = []
    touched: set[int] = set()
    dropped: set[int] = set()
    for entry in entries:
        topics = gone.get(entry.seq) if _is_recall(entry) and entry.seq not in hidden else None
        kept = _kept(entry, topics) if topics else entry
        if kept is not None:
            left.append(kept)
        else:
            dropped.add(entry.seq)
        if topics:
            touched.add(entry.seq)
    events = {event.seq for seq, _, event in _changes(entries) if seq in touched}
    return left, sorted(dropped | events)


def _kept(entry: Entry, topics: set[int]) -> Entry | None:
    """The recall without these topics; None when no other is left."""
    state: dict[str, Any] = entry.payload["state"]
    recalled = {
        place.get("topic") for place in state.get("topics") or () if isinstance(place, dict)
    }
    if recalled <= topics:
        return None
    text = _without_parts(str(state.get("text", "")), topics)
    return replace(entry, payload={**entry.payload, "state": {**state, "text": text}})


def _without_parts(text: str, topics: set[int]) -> str:
    starts = [*_PART.finditer(text)]
    ends = [*(found.start() for found in starts[1:]), len(text)]
    head = text[: starts[0].start()] if starts else text
    parts = [
        text[found.start() : end]
        for found, end in zip(starts, ends, strict=True)
        if int(found[1]) not in topics
    ]
    return (head + "".join(parts)).rstrip("\n") if starts else text


def _changes(entries: Sequence[Entry]) -> Iterator[tuple[int, int, Entry]]:
    """(seq of the recall, topic, event) in the order they happened."""
    for entry in sorted(entries, key=lambda one: one.seq):
        data = entry.payload.get("data")
        if entry.kind != "event" or entry.payload.get("name") not in {DISMISSED, RESTORED}:
            continue
        if isinstance(data, dict) and type(data.get("seq")) is type(data.get("topic")) is int:
            yield data["seq"], data["topic"], entry


def _is_recall(entry: Entry) -> bool:
    return (
        entry.kind == "anchor"
        and entry.payload.get("name") == _RECALL
        and isinstance(entry.payload.get("state"), dict)
    )
