"""Search over a tape that has no index: every entry a reader may see, read backwards (T13)."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from tapes import windows
from tapes.matching import searchable, tiers
from tapes.matching.tiers import Found, Hit, Unmatched

if TYPE_CHECKING:
    from tapes.source import Source


def scan(
    source: Source,
    head: int,
    query: str,
    *,
    limit: int = 20,
    readable: Collection[int] = (),
    kinds: Collection[str] = (),
) -> Found:
    """Find entries whose sources are all readable; exact hits first, newest first.

    Forks that are not merged are skipped. An empty query finds nothing. It costs reading the tape
    from its head until there are enough exact hits.
    """
    wanted = tiers.folded(query)
    hits: list[Hit] = []
    if not wanted or limit < 1:
        return Found(hits)
    may_read = frozenset(readable)
    unmatched = Unmatched()
    for entry in windows.backwards(source, 1, head):
        if not may_read.issuperset(entry.sources) or (kinds and entry.kind not in kinds):
            continue
        text = searchable.text(entry)
        hit = tiers.exact(entry, text, wanted)
        if hit is None:
            unmatched.add(entry, text)
            continue
        hits.append(hit)
        if len(hits) == limit:
            return Found(hits)
    hits += tiers.near(unmatched.entries, unmatched.texts, wanted)
    return Found(hits[:limit], unmatched.cut)
