"""What a person can do with search over tapes: find words on all the tapes they may see."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kb_agent.accounts import audit
from kb_agent.llm import account, tape_meaning
from kb_agent.repositories import secrets
from kb_agent.usecases.access import Access
from tapes import search, views
from tapes.search import nearness

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from kb_agent.accounts.models import User
    from tapes.entries import Entry
    from tapes.search import Hit
    from tapes.store import Tape

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
    asked = secrets.mask(query).text
    found: list[TapesHit] = []
    until, searched = time.monotonic() + SECONDS, 0
    for tape in tapes:
        if time.monotonic() > until:
            break
        searched += 1
        only = search.Only(kinds=tuple(kinds), topic_ids=access.topics_on(tape))
        hits = search.search(tape.pk, asked, limit=limit, readable=access.readable, only=only).hits
        found += [_hit(tape, hit) for hit in hits]
    if len(found) < limit:
        found += _meant(access, tapes, asked, kinds, {(hit.tape, hit.seq) for hit in found})
    found.sort(key=lambda hit: hit.date, reverse=True)
    found.sort(key=lambda hit: (_ORDER[hit.tier], -hit.score if hit.tier == search.MEANING else 0))
    shown = _without_hidden(access, found[: 2 * limit])[:limit]
    others = sorted(
        {tape.pk for tape in tapes if not access.owns(tape)} & {hit.tape for hit in shown}
    )
    if others and access.by_role:
        audit.note(user, "tapes_searched", "tapes", details={"tapes": others})
    return TapesHits(shown, searched, len(tapes) - searched)


def _without_hidden(access: Access, found: Sequence[TapesHit]) -> list[TapesHit]:
    """Those whose entries quote no topic that this person may not see."""
    of_tapes: dict[int, list[Entry]] = {}
    for entry in views.at((hit.tape, hit.seq) for hit in found):
        of_tapes.setdefault(entry.tape_id, []).append(entry)
    hidden = {tape: access.quotes.hidden(entries) for tape, entries in of_tapes.items()}
    return [hit for hit in found if hit.seq not in hidden.get(hit.tape, ())]


def _meant(
    access: Access,
    tapes: Sequence[Tape],
    asked: str,
    kinds: Sequence[str],
    known: set[tuple[int, int]],
) -> Iterator[TapesHit]:
    """What means the same on any of the tapes, old ones too: one question to the vectors."""
    topics_on = {tape.pk: access.topics_on(tape) for tape in tapes}
    where = nearness.Where(
        tapes=[tape_id for tape_id, topics in topics_on.items() if topics is None],
        topics=[topic for topics in topics_on.values() for topic in topics or ()],
        readable=access.readable,
        kinds=tuple(kinds),
    )
    payer = account.of_system("search", tape="search", payer=access.person.pk)
    near = tape_meaning.near(asked, where, account=payer)
    new = [one for one in near if (one.tape_id, one.seq) not in known]
    on = {one.tape_id for one in new}
    for tape in (one for one in tapes if one.pk in on):
        only = search.Only(kinds=tuple(kinds), topic_ids=topics_on[tape.pk])
        here = [one for one in new if one.tape_id == tape.pk]
        found = search.add_meaning(
            search.Found([]), tape.pk, here, readable=access.readable, only=only
        )
        yield from (_hit(tape, hit) for hit in found.hits)


def _hit(tape: Tape, hit: Hit) -> TapesHit:
    return TapesHit(
        tape=tape.pk,
        tape_name=tape.name,
        seq=hit.seq,
        tier=hit.tier,
        score=hit.score,
        snippet=hit.snippet,
        topic=hit.topic_id,
        date=hit.date,
    )
