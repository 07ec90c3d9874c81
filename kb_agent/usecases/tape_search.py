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
    from collections.abc import Iterator, Mapping, Sequence
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


@dataclass(frozen=True)
class _Asked:
    """What is looked for, and where: the tapes one may see, with the topics on each that one may."""

    words: str
    kinds: tuple[str, ...]
    tapes: Sequence[Tape]
    topics_on: Mapping[int, list[int] | None]

    def only(self, tape: Tape) -> search.Only:
        """What of a tape is searched."""
        return search.Only(kinds=self.kinds, topic_ids=self.topics_on[tape.pk])


def find(user: User, query: str, *, kinds: Sequence[str] = (), limit: int = 20) -> TapesHits:
    """Entries of every tape this person may see, newest tapes first (T13).

    What rests on repositories they may not read is left out inside the query (C7), and so are
    other people's topics.
    """
    access = Access(user)
    tapes = list(access.tapes())
    asked = _Asked(secrets.mask(query).text, tuple(kinds), tapes, access.topics_on_each(tapes))
    found: list[TapesHit] = []
    until, searched = time.monotonic() + SECONDS, 0
    for tape in tapes:
        if time.monotonic() > until:
            break
        searched += 1
        here = search.search(
            tape.pk, asked.words, limit=limit, readable=access.readable, only=asked.only(tape)
        )
        found += [_hit(tape, hit) for hit in here.hits]
    if len(found) < limit:
        found += _meant(access, asked, {(hit.tape, hit.seq) for hit in found})
    found.sort(key=lambda hit: hit.date, reverse=True)
    found.sort(key=lambda hit: (_ORDER[hit.tier], -hit.score if hit.tier == search.MEANING else 0))
    shown = _without_hidden(access, found[: 2 * limit])[:limit]
    if access.by_role:
        _note(access, tapes, {hit.tape for hit in shown})
    return TapesHits(shown, searched, len(tapes) - searched)


def _note(access: Access, tapes: Sequence[Tape], read: set[int]) -> None:
    """Leave an audit line for others' tapes that were read by right of a role (C10)."""
    others = sorted(read - access.owned([tape for tape in tapes if tape.pk in read]))
    if others:
        audit.note(access.person, "tapes_searched", "tapes", details={"tapes": others})


def _without_hidden(access: Access, found: Sequence[TapesHit]) -> list[TapesHit]:
    """Those whose entries quote no topic that this person may not see."""
    of_tapes: dict[int, list[Entry]] = {}
    for entry in views.at((hit.tape, hit.seq) for hit in found):
        of_tapes.setdefault(entry.tape_id, []).append(entry)
    hidden = {tape: access.quotes.hidden(entries) for tape, entries in of_tapes.items()}
    return [hit for hit in found if hit.seq not in hidden.get(hit.tape, ())]


def _meant(access: Access, asked: _Asked, known: set[tuple[int, int]]) -> Iterator[TapesHit]:
    """What means the same on any of the tapes, old ones too: one question to the vectors."""
    where = nearness.Where(
        tapes=[tape_id for tape_id, topics in asked.topics_on.items() if topics is None],
        topics=[topic for topics in asked.topics_on.values() for topic in topics or ()],
        readable=access.readable,
        kinds=asked.kinds,
    )
    payer = account.of_system("search", tape="search", payer=access.person.pk)
    near = tape_meaning.near(asked.words, where, account=payer)
    new = [one for one in near if (one.tape_id, one.seq) not in known]
    on = {one.tape_id for one in new}
    for tape in (one for one in asked.tapes if one.pk in on):
        here = [one for one in new if one.tape_id == tape.pk]
        found = search.add_meaning(
            search.Found([]), tape.pk, here, readable=access.readable, only=asked.only(tape)
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
