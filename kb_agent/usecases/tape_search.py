"""What a person can do with search over tapes: find words on all the tapes they may see."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kb_agent.accounts import audit
from kb_agent.usecases.access import Access
from tapes import search

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from kb_agent.accounts.models import User

SECONDS = 3.0
"""After which no further tape is begun."""
_ORDER = {tier: place for place, tier in enumerate(search.TIERS)}


@dataclass(frozen=True)
class TapesHit:
    """An entry that was found, and the tape it is on."""

    tape: int
    tape_name: str
    seq: int
    tier: str
    score: float
    snippet: str
    topic: int | None
    date: datetime


@dataclass(frozen=True)
class TapesHits:
    """What was found on all tapes: exact hits first, each tier the newest first."""

    results: list[TapesHit]
    tapes: int
    """Tapes that were searched."""
    left: int
    """Older tapes that there was no time for."""


def find(user: User, query: str, *, kinds: Sequence[str] = (), limit: int = 20) -> TapesHits:
    """Entries of every tape this person may see, newest tapes first (T13).

    What rests on repositories they may not read is left out inside the query (C7), and so are
    other people's topics.
    """
    access = Access(user)
    tapes = list(access.tapes())
    found: list[TapesHit] = []
    until, searched = time.monotonic() + SECONDS, 0
    for tape in tapes:
        if time.monotonic() > until:
            break
        searched += 1
        only = search.Only(kinds=tuple(kinds), topic_ids=access.topics_on(tape))
        hits = search.search(tape.pk, query, limit=limit, readable=access.readable, only=only).hits
        found += [
            TapesHit(
                tape=tape.pk,
                tape_name=tape.name,
                seq=hit.seq,
                tier=hit.tier,
                score=hit.score,
                snippet=hit.snippet,
                topic=hit.topic_id,
                date=hit.date,
            )
            for hit in hits
        ]
    found.sort(key=lambda hit: hit.date, reverse=True)
    found.sort(key=lambda hit: _ORDER[hit.tier])
    shown = found[:limit]
    others = sorted(
        {tape.pk for tape in tapes if not access.owns(tape)} & {hit.tape for hit in shown}
    )
    if others:
        audit.note(user, "tapes_searched", "tapes", details={"tapes": others})
    return TapesHits(shown, searched, len(tapes) - searched)
