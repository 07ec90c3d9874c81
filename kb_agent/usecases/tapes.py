"""What a person can do with a tape: see what stands on it, search it, have it checked."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kb_agent.accounts import audit
from kb_agent.usecases import refusals
from kb_agent.usecases import topics as topic_cases
from kb_agent.usecases import turns as turn_cases
from kb_agent.usecases.access import Access
from kb_agent.usecases.people import Person, person
from tapes import anchors as anchor_names
from tapes import browsing, search, spilled, verifying, views
from topics import asking
from topics.models import Topic, Turn

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from kb_agent.accounts.models import User
    from kb_agent.usecases.topics import ShownEntry
    from kb_agent.usecases.turns import Cost
    from tapes.browsing import ForkSpan
    from tapes.entries import Entry
    from tapes.source import AnchorPlace
    from tapes.store import Tape
    from tapes.verifying import Check

PAGE = 50
ANCHORS = 1_000
OVERLOAD = "brain_overload"


@dataclass(frozen=True)
class ShownTape:
    """A tape in a list."""

    id: int
    name: str
    head: int
    created_at: datetime
    archived_at: datetime | None
    owner: Person | None
    mine: bool
    topic_count: int
    verified: Check | None


@dataclass(frozen=True)
class TapePage:
    """Some tapes, newest first, and where the next ones begin."""

    results: list[ShownTape]
    next: str | None


@dataclass(frozen=True)
class TopicOnTape:
    """A topic, its range and what it cost."""

    id: int
    title: str
    status: str
    reason: str
    initial_seq: int
    finalized_seq: int | None
    turn_count: int
    usage: dict[str, int] | None
    cost: Cost | None
    segments: list[dict[str, int | None]]


@dataclass(frozen=True)
class ShownFork:
    """A fork, where its entries stand, and whose they are."""

    id: int
    state: str
    base_seq: int
    first_seq: int | None
    last_seq: int | None
    closed_seq: int | None
    entries: int
    turn: int | None


@dataclass(frozen=True)
class TapeDetail(ShownTape):
    """A tape with what stands on it."""

    busy: bool
    topics: list[TopicOnTape]
    counts: dict[str, int]
    usage: dict[str, int] | None
    cost: Cost | None
    forks: list[ShownFork]
    fork_count: int


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


def page(user: User, *, cursor: str = "") -> TapePage:
    """The tapes this person may see, newest first, 50 at a time."""
    access = Access(user)
    found = access.tapes()
    if cursor:
        found = found.filter(pk__lt=_number(cursor))
    rows = list(found[: PAGE + 1])
    shown = _shown(access, rows[:PAGE])
    read = [tape.id for tape in shown if not tape.mine]
    if read:
        audit.note(user, "tapes_listed", "tapes", details={"tapes": read})
    return TapePage(shown, str(rows[PAGE - 1].pk) if len(rows) > PAGE else None)


def show(user: User, tape_id: int) -> TapeDetail:
    """One tape with its topics, forks, counts and cost."""
    access = Access(user)
    tape = access.tape(tape_id)
    topics = list(access.topics().filter(tape=tape_id).order_by("initial_seq"))
    calls = _calls(tape_id, access.topics_on(tape))
    spent = [call for of_topic in calls.values() for call in of_topic]
    return TapeDetail(
        **vars(_shown(access, [tape])[0]),
        busy=bool(asking.unfinished_on(tape_id)),
        topics=_topics(access, tape_id, topics, calls),
        counts=views.counts(tape_id),
        usage=turn_cases.usage_of(spent),
        cost=turn_cases.cost_of(spent),
        forks=forks(browsing.forks(tape_id)),
        fork_count=browsing.fork_count(tape_id),
    )


def entries(user: User, tape_id: int, wanted: browsing.Page, *, cursor: str = "") -> TapeEntries:
    """A page of entries by seq, open forks included, discarded ones when wanted."""
    access = Access(user)
    tape = access.tape(tape_id)
    found = browsing.page(
        tape_id,
        browsing.Page(
            first=max(wanted.first, _number(cursor) + 1 if cursor else 1),
            last=wanted.last,
            kinds=wanted.kinds,
            topic_ids=access.topics_on(tape),
            discarded=wanted.discarded,
            limit=wanted.limit + 1,
        ),
    )
    shown = topic_cases.shown_entries(access, found[: wanted.limit])
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
    allowed = access.topics_on(tape)
    found = search.search(tape_id, query, limit=limit, readable=access.readable)
    beside = {entry.seq: entry for entry in views.at((tape_id, hit.seq) for hit in found.hits)}
    hits = [
        TapeHit(hit.seq, hit.tier, hit.score, hit.snippet, beside[hit.seq].topic_id)
        for hit in found.hits
        if (not kinds or beside[hit.seq].kind in kinds)
        and (allowed is None or beside[hit.seq].topic_id in allowed)
    ]
    return TapeHits(hits, found.cut)


def output(user: User, tape_id: int, seq: int, *, call: str, page: int = 1) -> OutputPage:
    """A page of a tool's output that was too long for its entry (T17). Raises `NotFound`."""
    access = Access(user)
    allowed = access.topics_on(access.tape(tape_id))
    found = views.at([(tape_id, seq)])
    entry = found[0] if found else None
    spill = spilled.of_call(entry, call) if entry else None
    if entry is None or spill is None or not access.shows(entry.sources):
        raise refusals.NotFound("output")
    if allowed is not None and entry.topic_id not in allowed:
        raise refusals.NotFound("output")
    with refusals.of_tapes():
        text = spilled.page(spill["id"], page)
    return OutputPage(call, page, spill["pages"], spill["chars"], text)


def verify(user: User, tape_id: int) -> Check:
    """Let a worker check the tape; what it finds is told with the tape (T5)."""
    return verifying.request(Access(user).tape(tape_id).pk)


def forks(spans: Iterable[ForkSpan]) -> list[ShownFork]:
    """Forks with the turns that write on them."""
    found = list(spans)
    of_turns = Turn.objects.filter(fork__in=[span.id for span in found])
    turns = dict(of_turns.values_list("fork_id", "pk"))
    return [
        ShownFork(
            id=span.id,
            state=span.state,
            base_seq=span.base_seq,
            first_seq=span.first,
            last_seq=span.last,
            closed_seq=span.closed_seq,
            entries=span.entries,
            turn=turns.get(span.id),
        )
        for span in found
    ]


def _shown(access: Access, found: Sequence[Tape]) -> list[ShownTape]:
    on: dict[int, list[Topic]] = defaultdict(list)
    for topic in access.topics().filter(tape__in=found).select_related("owner").order_by("pk"):
        on[topic.tape_id].append(topic)
    checks = verifying.last([tape.pk for tape in found])
    return [
        ShownTape(
            id=tape.pk,
            name=tape.name,
            head=tape.head,
            created_at=tape.created_at,
            archived_at=tape.archived_at,
            owner=_owner(access, tape, on[tape.pk]),
            mine=access.owns(tape),
            topic_count=len(on[tape.pk]),
            verified=checks.get(tape.pk),
        )
        for tape in found
    ]


def _owner(access: Access, tape: Tape, topics: Sequence[Topic]) -> Person | None:
    if topics:
        return person(topics[0].owner)
    return person(access.person) if access.owns(tape) else None


def _calls(tape_id: int, allowed: list[int] | None) -> dict[int | None, list[dict[str, object]]]:
    """What ended model calls say of themselves, by topic; discarded ones were paid as well (P11)."""
    calls: dict[int | None, list[dict[str, object]]] = defaultdict(list)
    for entry in browsing.events(tape_id, "model_call_ended"):
        data = entry.payload.get("data")
        if isinstance(data, dict) and (allowed is None or entry.topic_id in allowed):
            calls[entry.topic_id].append({"status": "", "currency": "", **data})
    return calls


def _topics(
    access: Access,
    tape_id: int,
    topics: Sequence[Topic],
    calls: dict[int | None, list[dict[str, object]]],
) -> list[TopicOnTape]:
    splits = [place.seq for place in views.anchors(tape_id) if place.name == OVERLOAD]
    turns: dict[int, int] = defaultdict(int)
    for topic_id in Turn.objects.filter(topic__in=topics).values_list("topic_id", flat=True):
        turns[topic_id] += 1
    return [
        TopicOnTape(
            id=topic.pk,
            title=topic.title if access.shows_prose(topic.sources) else "",
            status=topic.status,
            reason=topic.reason,
            initial_seq=topic.initial_seq,
            finalized_seq=topic.finalized_seq,
            turn_count=turns[topic.pk],
            usage=turn_cases.usage_of(calls[topic.pk]),
            cost=turn_cases.cost_of(calls[topic.pk]),
            segments=_segments(topic, splits),
        )
        for topic in topics
    ]


def _segments(topic: Topic, splits: Sequence[int]) -> list[dict[str, int | None]]:
    """The stretches a topic was split into; none when it is whole."""
    last = topic.finalized_seq
    inside = [at for at in splits if at > topic.initial_seq and (last is None or at < last)]
    if not inside:
        return []
    starts = [topic.initial_seq, *inside]
    ends: list[int | None] = [*(at - 1 for at in inside), last]
    return [{"first": first, "last": until} for first, until in zip(starts, ends, strict=True)]


def _anchor(access: Access, place: AnchorPlace, entry: Entry) -> ShownAnchor:
    withheld = not access.shows(entry.sources)
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


def _number(cursor: str) -> int:
    if not cursor.isascii() or not cursor.isdigit() or len(cursor) > 18:
        raise refusals.Invalid("This cursor was not given out here.", code="bad_cursor")
    return int(cursor)
