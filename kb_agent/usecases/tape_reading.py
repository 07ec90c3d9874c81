"""What a person can read on a tape: entries page by page, anchors, what a search finds, long output."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kb_agent.llm import account, tape_meaning
from kb_agent.repositories import secrets
from kb_agent.usecases import entries as entry_cases
from kb_agent.usecases import refusals
from kb_agent.usecases.access import Access
from tapes import anchors as anchor_names
from tapes import browsing, search, spilled, views

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from kb_agent.accounts.models import User
    from kb_agent.usecases.entries import ShownEntry
    from tapes.entries import Entry
    from tapes.source import AnchorPlace
    from tapes.store import Tape

ANCHORS = 1_000


@dataclass(frozen=True)
class TapeEntries:
    """Some entries, where the next ones begin, and how far the tape has come."""

    results: list[ShownEntry]
    next: str | None
    head: int


@dataclass(frozen=True)
class ShownAnchor:
    """An anchor with who set it and why; a withheld one keeps its place, and the names all tapes have."""

    seq: int
    name: str
    state: dict[str, Any] | None
    moves_window: bool
    fork: int | None
    topic: int | None
    date: datetime
    actor: str
    why: str
    withheld: bool


@dataclass(frozen=True)
class TapeHit:
    """An entry that was found."""

    seq: int
    tier: str
    score: float
    snippet: str
    topic: int | None


@dataclass(frozen=True)
class TapeHits:
    """What was found; entries up to `cut` were searched for the exact words only."""

    results: list[TapeHit]
    cut: int | None


@dataclass(frozen=True)
class OutputPage:
    """A page of a tool's output, counted from 1."""

    call: str
    page: int
    pages: int
    chars: int
    text: str


def entries(user: User, tape_id: int, wanted: browsing.Page, *, cursor: str = "") -> TapeEntries:
    """A page of entries by seq, open forks included, discarded ones when wanted."""
    access = Access(user)
    tape = access.tape(tape_id)
    found = browsing.page(
        tape_id,
        browsing.Page(
            first=max(wanted.first, number(cursor) + 1 if cursor else 1),
            last=wanted.last,
            kinds=wanted.kinds,
            topic_ids=access.topics_on(tape),
            discarded=wanted.discarded,
            limit=wanted.limit + 1,
        ),
    )
    shown = entry_cases.shown(access, found[: wanted.limit])
    more = len(found) > wanted.limit
    return TapeEntries(shown, str(shown[-1].seq) if more else None, tape.head)


def anchors(user: User, tape_id: int) -> list[ShownAnchor]:
    """The newest anchors of a tape, in order of their seqs."""
    access = Access(user)
    return shown_anchors(access, access.tape(tape_id))


def shown_anchors(access: Access, tape: Tape) -> list[ShownAnchor]:
    """Those this person may see of them."""
    allowed = access.topics_on(tape)
    places = views.anchors(tape.pk)[-ANCHORS:]
    beside = {entry.seq: entry for entry in views.at((tape.pk, one.seq) for one in places)}
    return [
        _anchor(access, place, beside[place.seq])
        for place in places
        if place.seq in beside and (allowed is None or beside[place.seq].topic_id in allowed)
    ]


def find(
    user: User, tape_id: int, query: str, *, kinds: Sequence[str] = (), limit: int = 20
) -> TapeHits:
    """Entries of the whole tape, whatever the window, that this person may read (T13)."""
    access = Access(user)
    tape = access.tape(tape_id)
    only = search.Only(kinds=tuple(kinds), topic_ids=access.topics_on(tape))
    found = tape_meaning.find(
        tape_id,
        secrets.mask(query).text,
        limit=limit,
        readable=access.readable,
        only=only,
        account=account.of_system("search", tape="search", payer=user.pk),
    )
    hidden = access.quotes.hidden(views.at((tape_id, hit.seq) for hit in found.hits))
    hits = [
        TapeHit(hit.seq, hit.tier, hit.score, hit.snippet, hit.topic_id)
        for hit in found.hits
        if hit.seq not in hidden
    ]
    return TapeHits(hits, found.cut)


def output(user: User, tape_id: int, seq: int, *, call: str, page: int = 1) -> OutputPage:
    """A page of a tool's output that was too long for its entry (T17). Raises `NotFound`."""
    access = Access(user)
    allowed = access.topics_on(access.tape(tape_id))
    found = views.at([(tape_id, seq)])
    entry = found[0] if found else None
    spill = spilled.of_call(entry, call) if entry else None
    if entry is None or spill is None or not access.shows_entry(entry):
        raise refusals.NotFound("output")
    if allowed is not None and entry.topic_id not in allowed:
        raise refusals.NotFound("output")
    with refusals.of_tapes():
        text = spilled.page(spill, page)
    return OutputPage(call, page, spill["pages"], spill["chars"], text)


def _anchor(access: Access, place: AnchorPlace, entry: Entry) -> ShownAnchor:
    withheld = not access.shows_entry(entry)
    return ShownAnchor(
        seq=place.seq,
        name=_withheld_name(place.name) if withheld else place.name,
        state=None if withheld else place.state,
        moves_window=place.moves_window,
        fork=place.fork_id,
        topic=entry.topic_id,
        date=entry.date,
        actor=entry.actor,
        why="" if withheld else entry.why,
        withheld=withheld,
    )


def _withheld_name(name: str) -> str:
    """What any tape may say; the rest of a name are words somebody wrote."""
    if name.startswith(anchor_names.MARK):
        return anchor_names.MARK
    return name if name in anchor_names.RESERVED else ""


def number(cursor: str) -> int:
    """A cursor that was given out here. Raises `Invalid`."""
    if not cursor.isascii() or not cursor.isdigit() or len(cursor) > 18:
        raise refusals.Invalid("This cursor was not given out here.", code="bad_cursor")
    return int(cursor)
